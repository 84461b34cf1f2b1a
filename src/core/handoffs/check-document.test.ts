import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkDocument, filesNamedIn, type DocumentFacts, type Finding } from './check-document.ts'
import { withoutOldSummaries } from './old-summaries.ts'
import { closingLine, documentOrder, documentPath, saveOrder } from './orders.ts'

const nonce = 'd4w8q1'
const wallAt = Date.UTC(2026, 0, 22, 14, 30, 5)
const path = documentPath(wallAt, nonce)

const WHOLE = `# Handoff Document

**Created**: 2026-01-22 14:30:00
**Context Usage**: 87%
**Project**: consilio
**Branch**: \`feature/pan-18\`
**Last Commit**: abc1234 Add the migration
**Uncommitted Files**: 2

## Current Work

**Active Epic**: Epic 003 - Authentication System
**Progress**: 65% complete
**Current Task**: Implementing JWT refresh tokens

## Completed Since Last Handoff

- [ ] Created \`db/005-refresh.sql\`, deleted nothing else
- [x] Token generation in \`src/token.ts:12\`

## Next Steps

1. Complete JWT refresh endpoint in \`src/not-yet.ts\`
2. Add token rotation logic

## Critical State

- Migration 005 applied

## Blockers / Issues

- None

## Notes

- Refresh token expiry set to 30 days

<!-- end of hand-off d4w8q1 -->
`

const facts: DocumentFacts = {
  nonce,
  exists: () => true,
  git: { branch: 'feature/pan-18', head: 'abc1234def5678', uncommitted: ['src/token.ts', path] },
}

test('the order, whole', () => {
  expect(documentOrder({ path, nonce, wallAt, percent: 86.4, project: 'consilio' })).toMatchInlineSnapshot(`
    "Cloister: create the hand-off document now - context at 86%. Your context is cleared when it is written, and you go on from the document alone. Finish no other work first.
    Write the file .bmad/handoffs/handoff-2026-01-22-14-30-d4w8q1.md, exactly in this form; each place in <…> is yours to fill, and «None» is an answer:

    # Handoff Document

    **Created**: 2026-01-22 14:30:05
    **Context Usage**: 86%
    **Project**: consilio
    **Branch**: <the branch that git shows>
    **Last Commit**: <the short hash that git shows>
    **Uncommitted Files**: <how many git status shows>

    ## Current Work

    **Active Epic**: <what all of it is about>
    **Progress**: <how far it is>
    **Current Task**: <what you are at>

    ## Completed Since Last Handoff

    - [x] <what is done, with its files>

    ## Next Steps

    1. <the very next step, so that you can begin at once>
    2. <the one after that>

    ## Critical State

    - <what is not in the repository: services, migrations, variables, background work>

    ## Blockers / Issues

    - <what is in the way>

    ## Notes

    - <decisions and their reasons>

    <!-- end of hand-off d4w8q1 -->

    Name files with their paths in backticks. Say only what is needed to go on: leave out summaries of earlier hand-offs and what can be read in the repository. The last line must be exactly as above. Then stop."
  `)
})

test('the order given again says what is wrong', () => {
  const findings = ['the section «Notes» is missing']
  const text = documentOrder({ path, nonce, wallAt, percent: 85, project: 'x', findings })
  expect(text.split('\n').slice(1, 3)).toEqual(['The document is not whole yet:', '- the section «Notes» is missing'])
})

test('the order to save', () => {
  expect(saveOrder({ to: 'sonnet' })).toMatchInlineSnapshot(`
    "Cloister: «sonnet» goes on with your work. Write .planning/STATE.md now, so that it needs nothing else, and stop.
    It has these sections, as lists: «## Done», «## Next Steps» (the very next one first), «## Blockers», «## Decisions».
    Write what is so, not what is hoped; name the files. Do not begin anything new and do not ask."
  `)
})

test('where it is written', () => {
  expect(path).toBe('.bmad/handoffs/handoff-2026-01-22-14-30-d4w8q1.md')
})

test('one that is right', () => {
  expect(checkDocument(WHOLE, facts)).toEqual({
    isWhole: true,
    isUsable: true,
    findings: [],
    nextStep: 'Complete JWT refresh endpoint in `src/not-yet.ts`',
  })
})

test('the template as it was ordered is no document', () => {
  const order = documentOrder({ path, nonce, wallAt, percent: 85, project: 'x' })
  const template = order.slice(
    order.indexOf('# Handoff'),
    order.indexOf(closingLine(nonce)) + closingLine(nonce).length,
  )
  const checked = checkDocument(template, facts)
  expect([checked.isWhole, checked.isUsable, checked.nextStep]).toEqual([true, false, undefined])
  expect(checked.findings.map(({ kind }) => kind)).toEqual([
    ...Array.from({ length: 6 }, () => 'unfilled_place'),
    'no_next_step',
    'no_current_task',
  ])
})

const without = (title: string) => WHOLE.replace(new RegExp(`## ${title}\n\n(?:.+\n)+\n`), '')

test.each<[string, string, Partial<DocumentFacts>, Finding[], [boolean, boolean]]>([
  [
    'half',
    WHOLE.slice(0, WHOLE.indexOf('## Critical')),
    {},
    [
      { kind: 'no_closing_line', what: 'its last line is not «<!-- end of hand-off d4w8q1 -->»' },
      { kind: 'missing_section', what: 'the section «Critical State» is missing' },
      { kind: 'missing_section', what: 'the section «Blockers / Issues» is missing' },
      { kind: 'missing_section', what: 'the section «Notes» is missing' },
    ],
    [false, false],
  ],
  [
    'of another hand-off',
    WHOLE.replace('d4w8q1', 'old'),
    {},
    [{ kind: 'no_closing_line', what: 'its last line is not «<!-- end of hand-off d4w8q1 -->»' }],
    [false, false],
  ],
  [
    'that goes on',
    `${WHOLE}\nand more`,
    {},
    [{ kind: 'text_after_closing_line', what: 'it goes on after its closing line' }],
    [false, false],
  ],
  [
    'without a section',
    without('Critical State'),
    {},
    [{ kind: 'missing_section', what: 'the section «Critical State» is missing' }],
    [true, true],
  ],
  [
    'with an empty one',
    WHOLE.replace('- Migration 005 applied\n', ''),
    {},
    [{ kind: 'empty_section', what: 'the section «Critical State» is empty' }],
    [true, true],
  ],
  [
    'without a next step',
    WHOLE.replace(/1\. .*\n2\. .*/, '- None'),
    {},
    [{ kind: 'no_next_step', what: 'it names no next step' }],
    [true, false],
  ],
  [
    'with next steps that are done',
    WHOLE.replace(/1\. .*\n2\. .*/, '- [x] All of it'),
    {},
    [{ kind: 'no_next_step', what: 'it names no next step' }],
    [true, false],
  ],
  [
    'without a current task',
    WHOLE.replace('Implementing JWT refresh tokens', '<what you are at>'),
    {},
    [
      { kind: 'unfilled_place', what: '«Current Work» was not filled in: **Current Task**: <what you are at>' },
      { kind: 'no_current_task', what: 'it names no current task' },
    ],
    [true, true],
  ],
  [
    'naming a file that is not there',
    WHOLE,
    { exists: (name) => name !== 'src/token.ts' },
    [{ kind: 'missing_file', what: 'src/token.ts is not there' }],
    [true, true],
  ],
  ['where nobody can tell about files', WHOLE, { exists: () => undefined }, [], [true, true]],
  [
    'of another branch',
    WHOLE.replace('feature/pan-18', 'main'),
    {},
    [{ kind: 'git_mismatch', what: 'it says branch main, and git says feature/pan-18' }],
    [true, true],
  ],
  [
    'of another commit',
    WHOLE.replace('abc1234 Add', 'fff9999 Add'),
    {},
    [{ kind: 'git_mismatch', what: 'it says last commit fff9999, and git says abc1234def56' }],
    [true, true],
  ],
  [
    'that calls a dirty workspace clean',
    WHOLE.replace('Files**: 2', 'Files**: none'),
    {},
    [{ kind: 'git_mismatch', what: 'it says that nothing is uncommitted, and git says 1 files' }],
    [true, true],
  ],
  [
    'of a clean workspace, itself apart',
    WHOLE.replace('Files**: 2', 'Files**: 0'),
    {
      git: { branch: 'feature/pan-18', head: 'abc1234def5678', uncommitted: [path, '.planning/STATE.md'] },
    },
    [],
    [true, true],
  ],
  ['with CRLF', WHOLE.replaceAll('\n', '\r\n'), {}, [], [true, true]],
  [
    'far too long',
    WHOLE.replace('- None', `- ${'x'.repeat(110_000)}`),
    {},
    [
      { kind: 'too_long', what: 'it is longer than 100000 characters' },
      { kind: 'missing_section', what: 'the section «Notes» is missing' },
    ],
    [false, false],
  ],
])('one %s', (_, text, given, findings, [isWhole, isUsable]) => {
  expect(checkDocument(text, { ...facts, ...given })).toMatchObject({ findings, isWhole, isUsable })
})

test('outside a repository nothing is said of git', () => {
  const { git: _, ...elsewhere } = facts
  expect(checkDocument(WHOLE.replace('feature/pan-18', 'x'), elsewhere).findings).toEqual([])
})

test.each([
  ['## Critical State\n- `src/a.ts`, `./src/a.ts`, `lib/b.test.tsx:4:2`', ['src/a.ts', 'lib/b.test.tsx']],
  ['## Critical State\n- deleted `src/a.ts`', []],
  ['## Critical State\n- `npm run build`, `useState`, `GET /api/x`, `http://a/b.html`, `/etc/passwd.txt`', []],
  ['## Critical State\n- `../../home/x/.ssh/id.pub`, `a/../../b.ts`', []],
  ['## Next Steps\n- write `src/new.ts`', []],
  ['src/a.ts without backticks', []],
])('files named in «%s»', (text, files) => {
  expect(filesNamedIn(text)).toEqual(files)
})

test('earlier summaries are dropped', () => {
  const carried = WHOLE.replace(
    '## Notes',
    [
      '## Previous Handoff Summary',
      '- long ago',
      '### Details',
      'more of it',
      '',
      '## Notes',
      'This session is being continued from a previous conversation that ran out of context.',
      'Analysis: a lot.',
      '',
      '### Handoff history',
      '- 1st',
    ].join('\n'),
  ).replace(
    '<!-- end',
    `# Handoff Document\n\n## Next Steps\n1. something old\n\n<!-- end of hand-off old1 -->\n\n<!-- end`,
  )
  const text = withoutOldSummaries(carried, nonce)
  expect(text).not.toMatch(/long ago|more of it|continued|Analysis|1st|something old|old1/)
  expect(checkDocument(text, facts)).toMatchObject({
    isWhole: true,
    findings: [{ kind: 'empty_section', what: 'the section «Notes» is empty' }],
  })
})

test('nothing is dropped from a document that has nothing old', () => {
  expect(withoutOldSummaries(WHOLE, nonce)).toBe(WHOLE)
  const code = '## Notes\n```\n# Handoff Document\n# Handoff Document\n## Session summary\n```'
  expect(withoutOldSummaries(code, nonce)).toBe(code)
})

test('whatever was written, it is checked within limits', () => {
  const line = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(...WHOLE.split('\n'), '```', '# Handoff Document', '## Previous session', '`a/b.c`'.repeat(50)),
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 100 }), (lines) => {
      const text = lines.join('\n')
      const { findings } = checkDocument(text, { ...facts, exists: () => false })
      expect(findings.length).toBeLessThanOrEqual(40)
      const once = withoutOldSummaries(text, nonce)
      expect(once.length).toBeLessThanOrEqual(text.length)
    }),
  )
})
