import { expect, test } from 'vitest'
import { LABEL } from './program/screen.ts'
import { readDraft } from './read-draft.ts'

test.each<[string, string, string | undefined]>([
  ['no screen', '', undefined],
  ['not yet up', `${LABEL} · steady: works\n`, undefined],
  ['an empty line', `${LABEL} · steady: works\n> hello\n${LABEL} >\n\n\n`, undefined],
  ['a draft', `> hello\n${LABEL} > half a line\n\n`, 'half a line'],
  ['a draft over two rows of a narrow pane', `${LABEL} > half a\nline\n`, 'half a\nline'],
])('%s', (_, screen, draft) => {
  expect(readDraft(screen)).toBe(draft)
})
