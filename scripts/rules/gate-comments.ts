/** Comments that switch a gate off: none for the compiler outside tests, none for knip, one line with a reason for the linter. */
import type { Comment, Problem, Source, SourceTree } from './source-tree.ts'

export function gateComments(tree: SourceTree): Problem[] {
  return tree.sources.flatMap((source) =>
    source.comments.flatMap((comment) => {
      const message = objection(comment, source)
      return message === undefined ? [] : [{ path: source.path, line: comment.line, rule: 'gate-comments', message }]
    }),
  )
}

function objection({ text }: Comment, { path, isTest }: Source): string | undefined {
  if (/^(src|dashboard)\//.test(path) && /^\/\s*<reference\b/.test(text)) {
    return 'a reference brings types into the whole room. Import what you need; core takes it from a port or the input.'
  }
  // Each line counts, since the compiler obeys the last line of a longer comment.
  const [, switchedOff] = /^[\s/*]*@(ts-(?:nocheck|ignore|expect-error))\b/m.exec(text) ?? []
  if (switchedOff !== undefined && !(isTest && switchedOff === 'ts-expect-error')) {
    return `@${switchedOff} hides what the compiler found. Correct the types; a test may say @ts-expect-error.`
  }
  const [, hidden] = /^[\s*]*@(public|internal|beta|alias)\b/m.exec(text) ?? []
  if (/^(src|dashboard)\//.test(path) && hidden !== undefined) {
    return `@${hidden} hides from knip that nothing uses it. Delete it, or write @later with who will call it.`
  }
  if (isDisabling(text) && !isOneExplainedLine(text)) {
    return 'switches the linter off too widely or without a reason. Write `// oxlint-disable-next-line <rule> -- <reason>`.'
  }
  return undefined
}

function isDisabling(text: string): boolean {
  return /^[\s*]*(oxlint|eslint)-disable\b/.test(text)
}

function isOneExplainedLine(text: string): boolean {
  return /^[\s*]*(oxlint|eslint)-disable-(next-)?line\s+[^\s-]\S*.*\s--\s+\S/.test(text)
}
