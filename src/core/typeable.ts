/**
 * A text as it can be pasted into a terminal. Newline and tab are text; any other control character could press a key or
 * end the paste. Characters that nobody sees are left out, since programs drop them from their input line and would
 * then not be known to have taken it; those that join signs to one (ZWJ, the tags of a flag) stay. In NFC, as programs
 * keep it.
 */
export function typeable(text: string): string {
  return (
    text
      .replaceAll(/\r\n?/g, '\n')
      // oxlint-disable-next-line no-control-regex -- control characters are what is taken out
      .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
      .replaceAll(UNSEEN, '')
      .normalize('NFC')
  )
}

/** Format characters, except ZWJ and tags that follow a black flag. */
const UNSEEN = /(?<!\u{1F3F4}[\u{E0020}-\u{E007F}]*)(?!\u200D)\p{Cf}/gu
