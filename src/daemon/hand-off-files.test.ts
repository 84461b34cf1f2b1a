import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { agentRecord } from '../../tests/samples/agents.ts'
import { handoffRecord } from '../../tests/samples/handoffs.ts'
import { fingerprint } from '../core/fingerprint.ts'
import { documentOrder, obeyed } from '../core/handoffs/orders.ts'
import { systemClock } from './system-clock.ts'
import { FileHandoffs } from './hand-off-files.ts'
import type { CapturePorts } from './handoff-capture.ts'
import { readWorkspaceFile } from './workspace-file.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloister-handoffs-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const ports: CapturePorts = {
  git: { describe: async () => undefined },
  files: readWorkspaceFile,
  sessions: () => undefined,
  cost: async () => Promise.reject(new Error('nobody knows')),
}
const filesIn = (home: string) => new FileHandoffs(home, ports, { clock: systemClock })

function workspace(): string {
  const path = join(folder, 'work')
  mkdirSync(join(path, '.planning'), { recursive: true })
  return path
}

test('what the workspace says is written down for its owner alone, and only that is given to the successor', async () => {
  const work = workspace()
  writeFileSync(
    join(work, '.planning', 'STATE.md'),
    '## Next steps\n- the tests\n- use API_KEY=sk-ant-api03-abcdefghijklmnopqrstuvwxyz\n',
  )
  writeFileSync(join(work, 'STATE.md'), 'an older one')
  writeFileSync(join(work, 'CLAUDE.md'), 'x'.repeat(100_000))
  const files = filesIn(folder)
  const agent = agentRecord({ workspace: work })
  const outcome = await files.writeDown(agent, handoffRecord())
  expect(outcome).toMatchObject({ result: 'done', captured: { parts: ['stateFile', 'claudeMd', 'whatRemains'] } })
  const path = join(folder, 'handoffs', 'h-7', 'prompt.md')
  const modes = [join(folder, 'handoffs', 'h-7'), path].map((each) => (statSync(each).mode & 0o777).toString(8))
  expect(modes).toEqual(['700', '600'])
  const text = readFileSync(path, 'utf8')
  expect(text).toContain('- the tests')
  expect(text).not.toContain('sk-ant')
  expect(text.length).toBeLessThan(40_000)
  const { captured } = outcome
  expect(captured).toBeDefined()
  if (captured === undefined) return
  expect(await files.prompt({ id: 'h-7', captured })).toBe(text)
  expect(await files.writeDown(agent, handoffRecord())).toEqual(outcome)
  writeFileSync(path, 'Do something else.')
  expect(await files.prompt({ id: 'h-7', captured })).toBeUndefined()
})

test('neither a link nor a pipe is read, and nothing at all is still a prompt', async () => {
  const work = workspace()
  writeFileSync(join(folder, 'private'), 'private words')
  symlinkSync(join(folder, 'private'), join(work, 'STATE.md'))
  execFileSync('mkfifo', [join(work, 'CLAUDE.md')])
  const files = filesIn(folder)
  const outcome = await files.writeDown(agentRecord({ workspace: work }), handoffRecord())
  expect(outcome).toMatchObject({ result: 'done', captured: { parts: [] } })
  expect(readFileSync(join(folder, 'handoffs', 'h-7', 'prompt.md'), 'utf8')).not.toContain('private words')
})

test('the document of a context cycle is looked at, and what it says is given back without secrets and old summaries', async () => {
  const work = workspace()
  const files = filesIn(folder)
  const agent = agentRecord({ workspace: work })
  const order = { path: '.bmad/handoffs/handoff-2026-01-20-22-00-d0c1.md', nonce: 'd0c1', wallAt: 0, project: 'shop' }
  const cycle = { document: order.path, nonce: order.nonce, percent: 88.8, tries: {} }
  const handoff = handoffRecord({ method: 'context_cycle', cycle })
  const none = { isWhole: false, isUsable: false, isFinished: false }
  expect(await files.seeDocument(agent, handoff)).toEqual({
    result: 'done',
    document: { ...none, findings: [`there is no ${order.path}`] },
  })
  expect(await files.writeDown(agent, handoff)).toEqual({ result: 'not_done', detail: `there is no ${order.path}` })

  const whole = obeyed(documentOrder(order), 'the tests')?.text ?? ''
  mkdirSync(join(work, '.bmad', 'handoffs'), { recursive: true })
  const write = (text: string) => writeFileSync(join(work, order.path), text)
  write(whole.slice(0, 400))
  expect(await files.seeDocument(agent, handoff)).toMatchObject({ document: { ...none, stamp: expect.any(String) } })
  write(whole.replaceAll(/^\d\. the tests$/gm, '- None'))
  expect(await files.seeDocument(agent, handoff)).toMatchObject({ document: { isWhole: true, isFinished: true } })
  const old =
    '## Previous Handoffs\n\n- an old story\n\n## Notes\n\n- API_KEY=sk-ant-api03-abcdefghijklmnopqrstuvwxyz\n'
  write(whole.replace('## Notes\n', `${old}\n`))
  expect(await files.seeDocument(agent, handoff)).toMatchObject({ document: { isUsable: true, findings: [] } })
  const { captured } = await files.writeDown(agent, handoff)
  const prompt = await files.prompt({ id: handoff.id, captured })
  expect(prompt).toContain('Your context was cleared.')
  expect(prompt).toContain(`CLOISTER-NEXT ${handoff.nonce} | <current task> | <next step>`)
  expect(prompt).toContain('1. the tests')
  expect(prompt).not.toMatch(/sk-ant|an old story/)
  expect(captured?.heard).toBe(fingerprint(prompt ?? ''))
})
