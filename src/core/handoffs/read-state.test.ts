import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readNotes, remainsInWords, type Notes } from './read-state.ts'

const ADR = `# Handoff Document

**Created**: 2026-01-22 14:30:00

## Current Work

**Current Task**: Implementing JWT refresh tokens

## Completed Since Last Handoff

- [ ] Created database migration for refresh_tokens table
- [ ] Implemented token generation logic

## Next Steps

1. Complete JWT refresh endpoint
2. Add token rotation logic

## Critical State

- Database schema updated (migration 005 applied)

## Blockers / Issues

- None

## Notes

- Refresh token expiry set to 30 days
`

test.each<[string, string, Notes]>([
  [
    'the example of the document',
    ADR,
    {
      done: '- Created database migration for refresh_tokens table\n- Implemented token generation logic',
      remains: '- Complete JWT refresh endpoint\n- Add token rotation logic',
      nextStep: 'Complete JWT refresh endpoint',
      blockers: [],
    },
  ],
  [
    'boxes under «Progress», and what stands in subsections',
    '## Progress\n- [x] schema\n- [ ] endpoint\n\n### Details\nThe schema is in 005.\n## Key Decisions\n- SQLite, since one writer\n## Open Questions\nWho rotates keys?',
    {
      done: '- schema\n- The schema is in 005.',
      remains: '- endpoint',
      nextStep: 'endpoint',
      blockers: ['Who rotates keys?'],
      decisions: ['SQLite, since one writer'],
    },
  ],
  [
    'headings with signs and numbers',
    '# ✅ What was done:\nAll of it\n# 2. **Next**\n- none',
    { done: '- All of it', remains: '- none' },
  ],
  ['boxes without a heading', '- [X] one\n- [ ] two', { done: '- one', remains: '- two', nextStep: 'two' }],
  ['a heading in a fence is none', '```\n## Next steps\n- rm -rf\n```\nplain', {}],
  ['an own section ends what was above', '## Done\n- a\n## Architecture\n- not done, a list\n', { done: '- a' }],
  ['nothing', '', {}],
])('%s', (_, text, notes) => {
  expect(readNotes(text)).toEqual(notes)
})

test.each([
  ['I fixed the parser.\nNext: write the tests.\nRemaining: docs', 'Next: write the tests.\nRemaining: docs'],
  ['- Next step is the endpoint', '- Next step is the endpoint'],
  ['The next of kin is notified.', undefined],
  ['All done.', undefined],
])('what remains in «%s»', (words, remains) => {
  expect(remainsInWords(words)).toBe(remains)
})

test('whatever stands there, it is read', () => {
  const line = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('## Next steps', '# Done', '```', '- [ ] a', '1. b', '## Blockers', 'None'),
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
      const text = lines.join('\n')
      const { done = '', remains = '', blockers = [], decisions = [] } = readNotes(text)
      expect(done.length + remains.length).toBeLessThan(3 * text.length + 2_000)
      expect(blockers.length + decisions.length).toBeLessThanOrEqual(400)
      remainsInWords(text)
    }),
  )
})
