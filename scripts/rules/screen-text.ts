/** What an agent is, is never read from what its terminal shows: only who is about to type may look at the screen. */
import { nameOf, textOf, type Node, type Problem, type Source, type SourceTree } from './source-tree.ts'

/** Ways to what stands in a pane: the ports of the terminal, and the reader of a draft. */
const readers = new Set(['screen', 'draft', 'readDraft'])
/** `terminal.view(…)` brings all that a pane prints; other things have views, too. */
const terminals = /^#?terminal$/i

/** A person's half-typed text, before anything is typed; the live terminal, for a person's eyes. */
const mayRead: ReadonlyMap<string, readonly string[]> = new Map([
  ['src/daemon/drafts.ts', ['screen', 'draft']],
  ['src/daemon/ask-session.ts', ['screen', 'draft']],
  ['src/daemon/terminal-view.ts', ['view']],
  ['src/adapters/claude-code/runtime.ts', ['readDraft']],
  ['src/adapters/understudy/runtime.ts', ['readDraft']],
])

/** The terminal itself, and the understudy's own program, which draws a screen. */
const own = /^src\/adapters\/(tmux|understudy\/program)\//

export function screenText(tree: SourceTree): Problem[] {
  return tree.sources
    .filter(({ path, isTest }) => path.startsWith('src/') && !isTest && !own.test(path))
    .flatMap((source) => [...reads(source), ...asksTmux(source), ...importsCapture(source)])
}

function reads(source: Source): Problem[] {
  const allowed = mayRead.get(source.path) ?? []
  return source.nodes
    .filter((node) => {
      const name = readBy(node)
      return name !== undefined && !allowed.includes(name)
    })
    .map((node) => problem(source, source.lineOf(node)))
}

/** `terminal.screen`, `runtime['draft']`, `const { screen } = terminal`, `import { readDraft }`. */
function readBy(node: Node): string | undefined {
  if (node.type === 'MemberExpression') {
    const name = nameOf(node['property'])
    if (name === 'view') return isTerminal(node['object']) ? name : undefined
    return readers.has(name) ? name : undefined
  }
  if (node.type === 'ImportSpecifier') return namedReader(node['imported'])
  if (node.type !== 'ObjectPattern') return undefined
  const keys = (node['properties'] as Node[]).map((property) => namedReader(property['key']))
  return keys.find((name) => name !== undefined)
}

function namedReader(node: unknown): string | undefined {
  const name = nameOf(node)
  return readers.has(name) ? name : undefined
}

function isTerminal(node: unknown): boolean {
  const { type, property } = (node ?? {}) as Node
  return terminals.test(nameOf(type === 'MemberExpression' ? property : node))
}

function asksTmux(source: Source): Problem[] {
  const texts = source.nodes.filter((node) => {
    const text = node.type === 'TemplateElement' ? (node['value'] as { cooked?: string }).cooked : textOf(node)
    return node.type !== 'TemplateLiteral' && text?.includes('capture-pane') === true
  })
  return texts.map((node) => problem(source, source.lineOf(node)))
}

function importsCapture(source: Source): Problem[] {
  const stray = source.imports.filter(({ target }) => target === 'src/adapters/tmux/screen-capture.ts')
  return stray.map(({ line }) => problem(source, line))
}

function problem({ path }: Source, line: number): Problem {
  return {
    path,
    line,
    rule: 'screen-text',
    message:
      "reads what a terminal shows. State comes from hooks, registry, transcript, processes and git; only src/daemon/drafts.ts looks, for a person's draft.",
  }
}
