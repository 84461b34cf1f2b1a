/**
 * A short fingerprint by which a text that was typed is known again when it was heard. Blind to white space, to what
 * nobody sees and to how signs are composed, which programs change, to backslashes at the end, which they drop, and to
 * the mark of a quotation at the beginning, which keeps a word from being a command.
 */

export function fingerprint(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (const char of text
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, '')
    .normalize('NFC')
    .replace(/\\+$/, '')
    .replace(/^>+/, '')) {
    hash = ((hash ^ BigInt(char.codePointAt(0) ?? 0)) * 0x100000001b3n) & 0xffffffffffffffffn
  }
  return hash.toString(36)
}
