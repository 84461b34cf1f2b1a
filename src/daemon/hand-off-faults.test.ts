/** The disk fails at every call of a capture: nothing half-written is ever given to anybody, and a retry succeeds. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { agentRecord } from '../../tests/samples/agents.ts'
import { handoffRecord } from '../../tests/samples/handoffs.ts'
import { failed } from './act-outcomes.ts'
import { FileHandoffs } from './hand-off-files.ts'
import type { CapturePorts } from './handoff-capture.ts'
import { DISK, leaveFile, type Disk } from './leave-file.ts'
import { systemClock } from './system-clock.ts'
import { readWorkspaceFile } from './workspace-file.ts'
import { WrittenTexts } from './written-texts.ts'

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cloister-faults-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const ports: CapturePorts = {
  git: { describe: async () => undefined },
  files: readWorkspaceFile,
  sessions: () => undefined,
  cost: async () => Promise.reject(new Error('nobody knows')),
}

/** Fails at its n-th call; a write may leave half of it there. */
function failingAt(n: number, code: 'EIO' | 'ENOSPC'): Disk & { calls: number } {
  const disk = {
    calls: 0,
    mkdir: (...given: Parameters<Disk['mkdir']>) => call(() => DISK.mkdir(...given)),
    write: (path: string, text: string) =>
      call(
        () => DISK.write(path, text),
        () => writeFileSync(path, text.slice(0, text.length / 2)),
      ),
    rename: (...given: Parameters<Disk['rename']>) => call(() => DISK.rename(...given)),
  }
  const call = async <T>(deed: () => Promise<T>, half = () => {}): Promise<T> => {
    disk.calls += 1
    if (disk.calls !== n) return deed()
    half()
    throw Object.assign(new Error(`${code}: the disk fails`), { code })
  }
  return disk
}

const agent = agentRecord({ handoff: handoffRecord() })
const effect = { type: 'handoff.capture', id: 'e-1', agent: agent.id, generation: 1, handoff: 'h-7' } as const

test.each(['EIO', 'ENOSPC'] as const)('%s at every call', async (code) => {
  const reached: string[] = []
  for (let n = 1; ; n += 1) {
    const disk = failingAt(n, code)
    const files = new FileHandoffs(home, ports, { clock: systemClock, disk })
    const outcome = await files.writeDown(agent, handoffRecord()).catch((error: unknown) => failed(effect, error))
    const folder = join(home, 'handoffs')
    const left = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.draft'))
    expect(left, `call ${n}: no draft is left`).toEqual([])
    if (outcome.result === 'done') break
    reached.push(`${n}: ${outcome.result}, ${outcome.detail}`)
    // Whatever lies there now, the digest of it is not known to the journal, and so nobody is given it.
    expect(await files.prompt({ id: 'h-7', captured: undefined })).toBeUndefined()
    const again = await new FileHandoffs(home, ports, { clock: systemClock }).writeDown(agent, handoffRecord())
    expect(again).toMatchObject({ result: 'done' })
    rmSync(folder, { recursive: true })
  }
  const told = `not_done, ${code}: the disk fails`
  expect(reached).toEqual([`1: ${told}`, `2: ${told}`, `3: ${told}`, `4: ${told}`, `5: ${told}`])
})

test('a file that could not be replaced stays as it was', async () => {
  const path = join(home, 'prompt.md')
  await leaveFile(path, 'the first')
  for (const n of [1, 2]) await expect(leaveFile(path, 'the second', failingAt(n, 'ENOSPC'))).rejects.toThrow('ENOSPC')
  expect([readFileSync(path, 'utf8'), readdirSync(home)]).toEqual(['the first', ['prompt.md']])
})

test('a disk that is really full is told of in its own words', async () => {
  await expect(DISK.write('/dev/full', 'a text')).rejects.toThrow('ENOSPC')
})

test('what is not there as it was written is not typed', async () => {
  const handoffs = new FileHandoffs(home, ports, { clock: systemClock })
  const { captured } = await handoffs.writeDown(agent, handoffRecord())
  const known = agentRecord({ handoff: handoffRecord(captured === undefined ? {} : { captured }) })
  const texts = new WrittenTexts({ handoffs }, new Map([[known.id, known]]))
  expect(await texts.typed({ text: 'Go on.' })).toBe('Go on.')
  expect(await texts.typed({ handoff: 'h-7', text: 'hand-off h-7' })).toContain('CLOISTER-NEXT')
  expect(await texts.typed({ handoff: 'h-8', text: 'hand-off h-8' })).toBeUndefined()
  writeFileSync(join(home, 'handoffs', 'h-7', 'prompt.md'), 'Somebody changed it.')
  expect(await texts.typed({ handoff: 'h-7', text: 'hand-off h-7' })).toBeUndefined()
})
