/**
 * Reads what a person has begun to type from the client's screen. Only what surely is a draft counts: the input box
 * must stand there whole, and what the client itself suggests in it (dim, the first letter under the cursor) is none.
 */

/** The draft in the box, `!` first when the box takes a shell command; undefined when it is empty or not to be seen. */
export function readDraft(screen: string): string | undefined {
  const lines = withoutHints(screen).split('\n')
  const bottom = lines.findLastIndex((line) => /^─{10,}\s*$/.test(line))
  const top = lines.findLastIndex((line, at) => at < bottom && line.startsWith('───'))
  const [first = '', ...more] = top < 0 ? [] : lines.slice(top + 1, bottom)
  const [, mode, begun = ''] = /^([❯!])(?:\s(.*))?$/.exec(first.trimEnd()) ?? []
  if (mode === undefined) return undefined
  const text = [begun, ...more.map((line) => line.trim())].join('\n').trim()
  if (mode === '!') return `!${text}`
  return text === '' ? undefined : text
}

interface Run {
  text: string
  dim: boolean
  reversed: boolean
}

/** The plain text of a screen with styles, without what is dim and without the cursor on its first letter. */
function withoutHints(screen: string): string {
  const runs = runsOf(screen)
  return runs.map((run, at) => (run.dim || (run.reversed && runs[at + 1]?.dim === true) ? '' : run.text)).join('')
}

/** A style holds until it is changed, also over the ends of lines. */
function runsOf(screen: string): Run[] {
  const runs: Run[] = []
  let style = { dim: false, reversed: false }
  // oxlint-disable-next-line no-control-regex -- a style begins with an escape byte
  for (const [, codes, text] of screen.matchAll(/\u001B\[([0-9;:]*)m|([^\u001B]+|\u001B)/g)) {
    if (text === undefined) style = styled(style, codes ?? '')
    else runs.push({ text, ...style })
  }
  return runs
}

function styled(before: Omit<Run, 'text'>, codes: string): Omit<Run, 'text'> {
  let style = before
  // A colour is a code with further numbers behind it, which are no codes of their own.
  for (const [code] of codes.matchAll(/[345]8[;:](?:5[;:]\d+|2(?:[;:]\d*){3})|\d+|^$/g)) {
    if (code === '' || Number(code) === 0) style = { dim: false, reversed: false }
    else if (code === '2') style = { ...style, dim: true }
    else if (code === '22') style = { ...style, dim: false }
    else if (code === '7') style = { ...style, reversed: true }
    else if (code === '27') style = { ...style, reversed: false }
  }
  return style
}
