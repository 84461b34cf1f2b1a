/**
 * A short fingerprint by which a text that was typed is known again when it was heard. Blind to white space, to
 * control bytes, which are never typed, to backslashes at the end, which programs drop, and to the mark of a quotation at
 * the beginning, which keeps a word from being a command.
 */

export function fingerprint(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (const char of text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\p{Cc}/gu, '')
    .replace(/[ \\]+$/, '')
    .replace(/^[ >]+/, '')
    .trim()) {
    hash = ((hash ^ BigInt(char.codePointAt(0) ?? 0)) * 0x100000001b3n) & 0xffffffffffffffffn
  }
  return hash.toString(36)
}
