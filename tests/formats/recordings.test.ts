/** Recordings of earlier versions fit today's shapes once they are upcast, and replay to the same verdicts and acts. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { recordedInput, recordedState } from '../../scripts/formats/recorded.ts'
import { RECORDING_FORMAT, type RecordedStep } from '../../src/contract/recording.ts'
import { RECORDING_FORMATS, upcastState, upcastStep } from '../../src/core/recordings/upcast.ts'
import { replayFile } from '../../src/daemon/offline/replay-file.ts'
import { fixtureNames, unpackRecording } from './fixtures.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloister-formats-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Health and acts of each agent, in their order. */
function told(events: readonly object[]): Record<string, string[]> {
  const byAgent: Record<string, string[]> = {}
  for (const event of events as readonly Readonly<Record<string, unknown>>[]) {
    const { type, agent, to, act } = event
    const kind = typeof act === 'object' ? (act as { kind?: unknown } | null)?.kind : act
    const line =
      type === 'agent.health-changed' ? `is ${String(to)}` : type === 'act.decided' ? String(kind) : undefined
    if (line !== undefined) (byAgent[String(agent)] ??= []).push(line)
  }
  return byAgent
}

/**
 * What today's rules decide otherwise, each with its reason; an act that is missing here is one that was recorded last.
 * A recording has the ticks that the recorded version asked for: one that asks for them a moment later decides the same
 * with the first tick after the end.
 */
const DIFFERENCES: Record<string, { agent: string; lacks: string; why: string }[]> = {
  '1-968c881.jsonl.gz': [
    {
      agent: 'hangs-too',
      lacks: 'poke',
      why: 'it is due 0.3 s later, and the recording ended with the tick of the poke',
    },
  ],
  '1-dbd97e6.jsonl.gz': [
    {
      agent: 'hands-over',
      lacks: 'nudge',
      why: 'whether it rests is asked 0.1 s later, and the recorded answer is that to a question with another id',
    },
  ],
}

/** The recorded ones without what is known to differ. */
function expected(name: string, recorded: Record<string, string[]>): Record<string, string[]> {
  const left = { ...recorded }
  for (const { agent, lacks } of DIFFERENCES[name] ?? []) {
    expect(left[agent]?.at(-1)).toBe(lacks)
    left[agent] = left[agent]?.slice(0, -1) ?? []
  }
  return left
}

test('the formats are numbered without a gap', () => {
  const numbers = Array.from({ length: RECORDING_FORMAT - 1 }, (_, index) => index + 2)
  expect(RECORDING_FORMATS.map(({ number }) => number)).toEqual(numbers)
})

describe.each(fixtureNames('recordings'))('%s', (name) => {
  test('every line fits', () => {
    const lines = readFileSync(unpackRecording(name, folder), 'utf8').trimEnd().split('\n')
    const [head, ...steps] = lines.map((line) => JSON.parse(line) as never)
    const { state, format } = head as unknown as { state: object; format: number }
    recordedState.parse(upcastState(state as never, format))
    for (const step of steps.slice(0, -1)) recordedInput.parse(upcastStep(step, format)['input'])
    expect(steps.at(-1)).toHaveProperty('end')
  })

  test('it replays to the same verdicts and acts', () => {
    const file = unpackRecording(name, folder)
    const steps = readFileSync(file, 'utf8').trimEnd().split('\n').slice(1, -1)
    const recorded = steps.flatMap((line) => (JSON.parse(line) as RecordedStep).events)
    const { events, end, inputs } = replayFile(file)
    expect([end !== undefined, inputs]).toEqual([true, steps.length])
    expect(told(events)).toEqual(expected(name, told(recorded)))
  })
})
