/** What an id looks like, in a file of its own for programs that start too often to load the schemas. */

export const ID_PATTERN = /^[a-z0-9][a-z0-9_-]{0,63}$/

export const MODEL_PATTERN = /^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._:/@[\]-]{0,99}$/

export const ID_HINT = 'lower-case letters, digits, "-" and "_", starting with a letter or digit, at most 64'

/** What was given may be anything of any length. */
export function notAnId(given: string): string {
  return `«${given.length > 64 ? `${given.slice(0, 64)}…` : given}» is not a valid id`
}
