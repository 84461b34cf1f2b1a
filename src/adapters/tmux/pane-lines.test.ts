import { expect, test } from 'vitest'
import { readPanes } from './pane-lines.ts'

const WALL_AT = 1_794_776_410_500
const LINE = 'home1|agent-pan-1|3|run-1|1928|1794776401|%7|0|||1794776409|12.4.5'

const pane = {
  agent: 'agent-pan-1',
  generation: 3,
  run: 'run-1',
  stamp: '1794776409.12.4.5',
  ageMs: 1_500,
  dead: false,
  serverPid: 1928,
  serverStartedAt: '1794776401',
  paneId: '%7',
}

test.each([
  { what: 'a living pane', line: LINE, found: pane },
  { what: 'an exit code', line: LINE.replace('|0|||', '|1|3||'), found: { ...pane, dead: true, exitCode: 3 } },
  { what: 'a signal', line: LINE.replace('|0|||', '|1||9|'), found: { ...pane, dead: true, exitCode: 137 } },
  { what: 'an end not yet read', line: LINE.replace('|0|||', '|1|||'), found: { ...pane, dead: true } },
  {
    what: 'a second that is not over',
    line: LINE.replace('6409|', '6410|'),
    found: { ...pane, stamp: '1794776410+.12.4.5', ageMs: 500 },
  },
  {
    what: 'a clock that was set back',
    line: LINE.replace('6409|', '9999|'),
    found: { ...pane, stamp: '1794779999+.12.4.5', ageMs: 0 },
  },
])('reads $what', ({ line, found }) => {
  expect(readPanes(`${line}\n`, 'home1', WALL_AT)).toEqual([found])
})

test.each([
  '',
  'garbage',
  LINE.replace('home1', 'home2'),
  LINE.replace('home1', ''),
  LINE.replace('agent-pan-1', ''),
  LINE.replace('agent-pan-1', '../x'),
  LINE.replace('run-1', ''),
  LINE.replace('|3|', '|three|'),
  LINE.replace('|1928|', '||'),
  LINE.slice(0, -10),
  `${LINE}|more`,
])('passes over «%s»', (line) => {
  expect(readPanes(`${line}\n${LINE}\n`, 'home1', WALL_AT)).toEqual([pane])
})
