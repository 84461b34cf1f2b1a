/**
 * What a command printed, as lines without colours. Of much only the beginning and the end are looked at, of a long line
 * its beginning, so that whatever was printed, the work on it is limited.
 */
const HEAD = 20_000
const TAIL = 60_000
const LINE = 500
const LINES = 3_000

export interface Printed {
  lines: readonly string[]
  /** Something in the middle is missing. */
  isCut: boolean
}

export function printed(output: string): Printed {
  const isLong = output.length > HEAD + TAIL
  const part = isLong ? `${output.slice(0, HEAD)}\n${CUT}\n${output.slice(-TAIL)}` : output
  const plain = withoutCodes(part)
  const all = plain
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .split('\n')
    .filter((line) => line.trim() !== '')
  // Behind a cut stands the rest of a line, which may say another thing than the whole.
  const whole = all.filter((_, k) => !isCutMark(all[k - 1] ?? ''))
  const few = whole.length <= LINES ? whole : [...whole.slice(0, LINES / 4), CUT, ...whole.slice((-LINES * 3) / 4)]
  return { lines: few.map((line) => line.slice(0, LINE).trimEnd()), isCut: few.some(isCutMark) }
}

const CUT = '... [0 characters truncated] ...'

/** By this program, by the client, or by somebody between. */
function isCutMark(line: string): boolean {
  return /\[\+?\d{1,12} (?:more )?(?:characters|chars|lines?|bytes|tokens) (?:truncated|omitted|elided|skipped)\]/.test(
    line.slice(0, LINE),
  )
}

function withoutCodes(text: string): string {
  return (
    text
      // oxlint-disable-next-line no-control-regex -- the codes of colours and of links are what is taken out
      .replaceAll(/\u001b(?:\[[0-9:;?]{0,20}[A-Za-z]|\][^\u0007\u001b\n]{0,300}(?:\u0007|\u001b\\)|\([AB0])/g, '')
  )
}

/** Without what a runner of tasks puts before each line: `web:test: `, `[test] `, `web-1  | `. */
export function withoutLabels(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.replace(LABEL, ''))
}
const LABEL =
  /^(?:\[[^\]\s]{1,60}\] |[@\w./-]{1,80}(?::[\w:.-]{1,60})?(?: [a-z][\w:-]{0,40})?: |[\w.-]{1,60} {0,20}\| )/

/** Package managers and runners of tasks print what they start. */
export function announced(lines: readonly string[]): readonly string[] {
  return lines.slice(0, ANNOUNCED_WITHIN).flatMap((line) => ANNOUNCED.exec(line)?.[1] ?? [])
}
const ANNOUNCED_WITHIN = 200
const ANNOUNCED = /^(?:[ \t]{0,8}(?:\[[^\]\s]{1,60}\] )?[>$]|[@\w./-]{1,80} [\w:-]{1,40}\$) (.{1,400})$/
