import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hookEvents } from '../hook-events.ts'
import { addHooks, findHooks, hasExactly, refusalOf, removeHooks } from './edit-hooks.ts'
import { hookEntries, type HookEntry } from './hook-entries.ts'

const PROGRAM = '/home/u/.panopticon/bin/heartbeat-hook'

function entry(event: string): HookEntry {
  return { event, group: { hooks: [{ type: 'command', command: `${PROGRAM} --user ${event}`, timeout: 10 }] } }
}

const STOP = entry('Stop')
const START = entry('SessionStart')

const OWN = `{
  "model": "opus",
  "hooks": {
    "Stop": [
      { "hooks": [{ "type": "command", "command": "say done" }] }
    ]
  },
  "big": 12345678901234567890
}
`

test('entries go to the end of what is there, and nothing else changes', () => {
  expect(addHooks(OWN, [STOP, START])).toBe(`{
  "model": "opus",
  "hooks": {
    "Stop": [
      { "hooks": [{ "type": "command", "command": "say done" }] },
      {
        "hooks": [
          {
            "type": "command",
            "command": "${PROGRAM} --user Stop",
            "timeout": 10
          }
        ]
      }
    ],
    "SessionStart": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "${PROGRAM} --user SessionStart",
            "timeout": 10
          }
        ]
      }
    ]
  },
  "big": 12345678901234567890
}
`)
})

test.each([
  ['what is there', OWN],
  ['one line', '{"a":1,"hooks":{"Stop":[{"matcher":"","hooks":[]}]}}'],
  ['no hooks', '{\n\t"a": [1, 2]\n}'],
  ['Windows lines', '{\r\n  "a": 1\r\n}\r\n'],
  ['a byte order mark', '\uFEFF{\n  "a": 1\n}\n'],
  ['strange strings', '{"}\\"": "{[,\\\\", "hooks": {"Stop": ["x"]}}'],
  ['a name that stands twice', '{"hooks": {}, "b": 1, "hooks": {"Stop": [1]}}'],
])('out again, byte for byte: %s', (_, text) => {
  const added = addHooks(text, [STOP, START])
  expect([refusalOf(added), hasExactly(added, [START, STOP], PROGRAM)]).toEqual([undefined, true])
  expect(removeHooks(added, PROGRAM)).toBe(text)
})

test('an empty file, none, and one without anything in it', () => {
  for (const text of [undefined, '', ' \n', '{}', '{ "hooks": { "Stop": [ ] } }']) {
    const added = addHooks(text, [STOP])
    expect(JSON.parse(added)).toEqual({ hooks: { Stop: [STOP.group] } })
    expect(JSON.parse(removeHooks(added, PROGRAM))).toEqual({})
  }
})

test('what others put beside ours stays, and ours goes also when it was changed', () => {
  const own = { type: 'command', command: `${PROGRAM} --user Stop`, timeout: 99, async: true }
  const other = { type: 'command', command: 'say done' }
  const settings = {
    hooks: { Stop: [{ matcher: 'x', hooks: [other, own] }, { hooks: [own] }], Notification: [{ hooks: [own] }] },
  }
  const text = JSON.stringify(settings, null, 2)
  expect(findHooks(text, PROGRAM).map(({ event }) => event)).toEqual(['Stop', 'Stop', 'Notification'])
  expect(JSON.parse(removeHooks(text, PROGRAM))).toEqual({ hooks: { Stop: [{ matcher: 'x', hooks: [other] }] } })
  expect(removeHooks(text, '/another/bin/heartbeat-hook')).toBe(text)
})

test.each([
  ['{', 'it is no JSON: '],
  ['// no\n{}', 'it is no JSON: '],
  ['[]', 'it is not a JSON object'],
  ['null', 'it is not a JSON object'],
  ['{"hooks": []}', '«hooks» in it is not an object'],
  ['{"hooks": {"Stop": {}}}', '«hooks.Stop» in it is not a list'],
])('%s is refused', (text, why) => {
  expect(refusalOf(text)?.slice(0, why.length)).toBe(why)
})

test('in and out leaves the same data, whatever stands in the file', () => {
  const group = fc.record({
    matcher: fc.string(),
    hooks: fc.array(fc.record({ command: fc.string() }), { maxLength: 2 }),
  })
  const settings = fc.record(
    {
      hooks: fc.dictionary(
        fc.constantFrom('Stop', 'X', 'SessionStart'),
        fc.array(group, { minLength: 1, maxLength: 2 }),
        { minKeys: 1 },
      ),
    },
    { requiredKeys: [] },
  )
  const others = fc.dictionary(
    fc.string().filter((key) => key !== 'hooks'),
    fc.jsonValue(),
    { maxKeys: 4 },
  )
  const indent = fc.constantFrom(undefined, 1, 4, '\t')
  fc.assert(
    fc.property(others, settings, indent, fc.boolean(), (rest, { hooks }, unit, first) => {
      const own = hooks === undefined ? {} : { hooks }
      const text = JSON.stringify(first ? { ...own, ...rest } : { ...rest, ...own }, null, unit)
      const added = addHooks(text, [STOP, START])
      expect(hasExactly(added, [STOP, START], PROGRAM)).toBe(true)
      expect(JSON.parse(removeHooks(added, PROGRAM))).toEqual(JSON.parse(text))
      if (text !== '{}') expect(removeHooks(added, PROGRAM)).toBe(text)
    }),
  )
})

test.each([
  [[1, 0, 37], [], undefined],
  [[1, 0, 38], ['PreToolUse', 'PostToolUse', 'Notification', 'Stop'], undefined],
  [[2, 1, 325], hookEvents([2, 1, 325]).reported, 'PermissionRequest'],
] as const)('version %s is given only what it knows', (version, reported, last) => {
  const events = hookEntries(PROGRAM, version).map(({ event }) => event)
  expect(events).toEqual([...reported, ...(last === undefined ? [] : [last])])
})

test('a program with a strange name stays one word for the shell', () => {
  const program = "/home/o'neil x/bin/heartbeat-hook"
  const entries = hookEntries(program, [1, 0, 85])
  expect(entries[0]).toEqual({
    event: 'PreToolUse',
    group: {
      hooks: [{ type: 'command', command: "'/home/o'\\''neil x/bin/heartbeat-hook' --user PreToolUse", timeout: 10 }],
    },
  })
  expect(removeHooks(addHooks('{"a":1}', entries), program)).toBe('{"a":1}')
})
