/** Characters of one text to an agent: a message, or its first prompt. What is too long to be typed goes by file. */
export const TEXT_LIMIT = 200_000
/** Bytes of what is asked at once; such a text, escaped in JSON, stays below it. */
export const BODY_LIMIT = 1024 * 1024
