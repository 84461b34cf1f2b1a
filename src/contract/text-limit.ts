/** Characters of one text to an agent: a message, or its first prompt. What is too long to be typed goes by file. */
export const TEXT_LIMIT = 200_000
