import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readDraft } from './read-draft.ts'

interface Shot {
  what: string
  draft?: string
  screen: string[]
}

/** Taken from the real client with `capture-pane -p -e`. */
const shots = JSON.parse(readFileSync(new URL('fixtures/screens.json', import.meta.url), 'utf8')) as Shot[]

test.each(shots)('$what', ({ screen, draft }) => {
  expect(readDraft(screen.join('\n'))).toBe(draft)
})

const RULE = '─'.repeat(40)
const box = (...lines: string[]) => [RULE, ...lines, RULE, '  ? for shortcuts'].join('\n')
const [DIM, REVERSED, PLAIN] = ['\u001B[2m', '\u001B[7m', '\u001B[0m']

test.each<[string, string, string | undefined]>([
  ['no screen', '', undefined],
  ['no box', 'hello\n> world', undefined],
  ['half a box', `${RULE}\n❯ hello`, undefined],
  ['a box that takes no text', box('  Yes, I trust this folder'), undefined],
  ['a suggestion', box(`❯ ${REVERSED}T${PLAIN}${DIM}ry "fix lint errors"${PLAIN}`), undefined],
  ['a suggestion behind a draft', box(`❯ fi${REVERSED}x${PLAIN}${DIM} lint errors${PLAIN}`), 'fi'],
  ['a suggestion whose style is reset by its own code', box(`❯ ${DIM}Try${'\u001B[22m'} this`), 'this'],
  [
    'colours that hold the number of a style',
    box(`❯ \u001B[38;5;2mgreen\u001B[48;2;2;7;2m on green`),
    'green on green',
  ],
  ['a style that begins on an earlier line', `${DIM}dim\n${PLAIN}${box('❯ text')}`, 'text'],
])('%s', (_, screen, draft) => {
  expect(readDraft(screen)).toBe(draft)
})
