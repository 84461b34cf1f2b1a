/**
 * A shell command as a list of simple ones, well enough to tell which programs it starts and whose exit code it has.
 * Quoted text, comments, here-documents and substitutions start nothing that counts.
 */
export type Joint = '&&' | '||' | ';' | '|' | '&' | ''

export interface SimpleCommand {
  words: string[]
  /** How the next one follows. */
  joint: Joint
}

const COMMAND_LIMIT = 4_000

const TOKEN = new RegExp(
  [
    String.raw`(?<blank>(?:[ \t\r]|\\\r?\n)+)`,
    String.raw`(?<comment>#[^\n]*)`,
    String.raw`(?<here><<-?[ \t]*["']?(?<tag>[A-Za-z_]\w{0,60})["']?)`,
    String.raw`(?<redirect>\d*(?:&>>?|>>?[&|]?|<<<|<[&>]?)[ \t]*(?:'[^']*'|"[^"]*"|[^\s;&|<>()'"]+)?)`,
    String.raw`(?<joint>&&|\|\||;+|\|&?|&|\n)`,
    String.raw`(?<group>[()])`,
    String.raw`(?<word>(?:'[^']*'|"(?:\\[^]|[^"\\])*"|\\[^]|\$\([^()]*\)|[^\s;&|<>()'"\\])+)`,
    String.raw`(?<other>[^])`,
  ].join('|'),
  'y',
)

export function simpleCommands(command: string): SimpleCommand[] {
  const commands: SimpleCommand[] = []
  let words: string[] = []
  const text = withoutHeres(command.slice(0, COMMAND_LIMIT))
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length;) {
    const { word, joint } = TOKEN.exec(text)?.groups ?? {}
    if (word !== undefined) words.push(unquoted(word))
    if (joint === undefined) continue
    if (words.length > 0) commands.push({ words, joint: jointOf(joint) })
    words = []
  }
  if (words.length > 0) commands.push({ words, joint: '' })
  // A last «;» or newline joins nothing; a last «&» leaves it running.
  const last = commands.at(-1)
  if (last?.joint === ';') last.joint = ''
  return commands
}

function jointOf(joint: string): Joint {
  if (joint === '&&' || joint === '||' || joint === '&') return joint
  return joint.startsWith('|') ? '|' : ';'
}

function unquoted(word: string): string {
  return word
    .split(/('[^']*'|"(?:\\[^]|[^"\\])*"|\\[^])/)
    .map((part) => (/^['"]./.test(part) ? part.slice(1, -1) : part.startsWith('\\') ? part.slice(1) : part))
    .join('')
}

/** Lines of a here-document are data. */
function withoutHeres(text: string): string {
  const kept: string[] = []
  let tag: string | undefined
  for (const line of text.split('\n')) {
    if (tag !== undefined) {
      if (line.trim() === tag) tag = undefined
      continue
    }
    kept.push(line)
    tag = /<<-?[ \t]*(?:'(\w+)'|"(\w+)"|([A-Za-z_]\w*))/
      .exec(line)
      ?.slice(1)
      .find((each) => each !== undefined)
  }
  return kept.join('\n')
}
