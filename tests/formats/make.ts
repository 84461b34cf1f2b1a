/**
 * Makes the fixtures of a commit: `node tests/formats/make.ts <commit>…`. The daemon of that commit lives through a short
 * night with understudies, as far as it knows what is asked of it, and is killed with a hand-off and a start under way.
 * Its journal and its recording are put in homes/ and recordings/ under the number of their format, which is pinned by it.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gzipSync } from 'node:zlib'
import type { RecordingView } from '../../src/contract/recording.ts'
import { LiveHome } from '../e2e/daemon/live-home.ts'

const root = join(import.meta.dirname, '../..')
const SETTINGS = `thresholds: { stale: 0.05, warning: 0.1, stuck: 10 }
auto_actions: { poke_on_warning: true }
monitoring: { check_interval: 1 }
`
/** What this version does not know, or does not do in time, is left out. */
const PATIENCE_MS = 45_000

for (const commit of process.argv.slice(2)) await make(commit)

async function make(name: string): Promise<void> {
  const commit = git('rev-parse', '--short=7', name)
  const folder = mkdtempSync(join(tmpdir(), 'cloister-format-'))
  const tree = join(folder, 'tree')
  git('worktree', 'add', '--quiet', '--detach', tree, commit)
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))
  const live = new LiveHome({}, [join(tree, 'src/daemon/main.ts')])
  try {
    const recording = await night(live)
    writeFileSync(
      join(import.meta.dirname, 'homes', named(formatOf(live.home), commit, 'db')),
      journalOf(live.home, folder),
    )
    if (recording !== undefined) {
      const { format } = JSON.parse(recording.slice(0, recording.indexOf('\n'))) as { format: number }
      writeFileSync(
        join(import.meta.dirname, 'recordings', named(format, commit, 'jsonl')),
        gzipSync(recording, { level: 9 }),
      )
    }
  } finally {
    await live.remove()
    git('worktree', 'remove', '--force', tree)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Gives the recording, where the version makes them. */
async function night(live: LiveHome): Promise<string | undefined> {
  mkdirSync(live.home, { mode: 0o700 })
  writeFileSync(join(live.home, 'cloister.yaml'), SETTINGS)
  await live.up()
  const recording = await ask<RecordingView>(live, '/api/recording/start')
  const canHandOff = await knows(live, '/api/handoffs')

  await live.spawn('agent-pan-1', 'steady', 'Begin.')
  await live.spawn('asks', 'asks', 'Begin.')
  await live.spawn('hangs', 'hangs', 'Begin.')
  await ask(live, '/api/agents/agent-pan-1/message', { message: 'Please run the tests, too.' })
  await seen(live, 'message.heard')
  await seen(live, 'needs-you.raised')
  await answerPermission(live)
  await ask(live, '/api/agents/asks/message', { message: 'Take your time.' })
  await seen(live, 'act.decided', isPoke('hangs'))
  await seen(live, ['episode.poke-judged', 'intervention.judged'])
  await live.spawn('crashes', 'crashes', 'Begin.')
  await seen(live, ['needs-you.raised', 'restart.planned'], (event) => JSON.stringify(event).includes('"crashes"'))
  await ask(live, '/api/agents/crashes/assign', { what: 'Find out why it crashed.' })
  await ask(live, '/api/agents/asks/hold', { reason: 'I answer it myself.' })
  await ask(live, '/api/agents/hangs/kill', { reason: 'It is not needed.' })
  await seen(live, 'act.ended', ({ act, agent }) => act === 'kill' && agent === 'hangs')
  await (canHandOff ? handOver(live) : pokeOnceMore(live))
  await ask(live, '/api/recording/stop')
  const workspace = live.workspace('work-late')
  const late = { id: 'late', project: 'live', workspace, runtime: 'understudy', model: 'steady', prompt: 'Begin.' }
  await ask(live, '/api/agents', late)
  // Its start was decided and is not done: an open effect.
  await live.crash()
  const file = recording?.last?.file
  return file === undefined ? undefined : readFileSync(file, 'utf8')
}

async function handOver(live: LiveHome): Promise<void> {
  await ask(live, '/api/agents/agent-pan-1/handoff', { toModel: 'long-tool', reason: 'Rehearsed.' })
  await seen(live, 'handoff.ended')
  await live.spawn('hands-over', 'steady', 'Begin.')
  await live.until(async () => (await live.agent('hands-over')).lastAction !== undefined, 'it works')
  await ask(live, '/api/agents/hands-over/handoff', { toModel: 'long-tool', reason: 'Rehearsed, too.' })
  await seen(live, 'handoff.stepped', ({ agent, state }) => agent === 'hands-over' && state === 'saving')
}

/** Whether it helped is not known yet. */
async function pokeOnceMore(live: LiveHome): Promise<void> {
  // Two of four in trouble at once would be a mass event, which holds all acts.
  for (const id of ['steady-2', 'steady-3', 'steady-4']) await live.spawn(id, 'steady', 'Begin.')
  await live.spawn('hangs-too', 'hangs', 'Begin.')
  await seen(live, 'act.decided', isPoke('hangs-too'))
}

/** Then it asks what to choose. */
async function answerPermission(live: LiveHome): Promise<void> {
  const item = () => live.events.find((event) => event.type === 'needs-you.raised' && event.item.kind === 'waiting')
  await live.until(() => item() !== undefined, 'a permission is asked for')
  const raised = item() as { item: { id: string } } | undefined
  await ask(live, `/api/inbox/${raised?.item.id}/answer`, { answer: 'allow' })
  await seen(live, 'needs-you.raised', (event) => JSON.stringify(event).includes('Which database'))
}

function isPoke(agent: string): (event: Told) => boolean {
  return (event) => event['agent'] === agent && (event['act'] as { kind?: string }).kind === 'poke'
}

/** Undefined where this version refuses it. */
async function ask<View>(live: LiveHome, path: string, body: object = {}): Promise<View | undefined> {
  try {
    return await live.client.post<View>(path, body)
  } catch (error) {
    console.log(`  ${path}: ${(error as Error).message}`)
    return undefined
  }
}

async function knows(live: LiveHome, path: string): Promise<boolean> {
  return live.client.get(path).then(
    () => true,
    () => false,
  )
}

type Told = Readonly<Record<string, unknown>>

async function seen(
  live: LiveHome,
  types: string | readonly string[],
  is: (event: Told) => boolean = () => true,
): Promise<void> {
  const until = Date.now() + PATIENCE_MS
  const find = () =>
    (live.events as unknown as Told[]).some((each) => [types].flat().includes(String(each['type'])) && is(each))
  await live.until(() => find() || Date.now() > until, String(types))
  if (!find()) console.log(`  ${String(types)} was not seen`)
}

function formatOf(home: string): number {
  const db = new DatabaseSync(join(home, 'cloister.db'))
  const format = Number(db.prepare('PRAGMA user_version').get()?.['user_version'])
  db.close()
  return format
}

/** One file, with what was left in its log. */
function journalOf(home: string, folder: string): Buffer {
  const copy = join(folder, 'copy.db')
  const db = new DatabaseSync(join(home, 'cloister.db'))
  db.prepare('VACUUM INTO ?').run(copy)
  db.close()
  return gzipSync(readFileSync(copy), { level: 9 })
}

function named(format: number, commit: string, ending: string): string {
  return `${format}-${commit}.${ending}.gz`
}

function git(...args: string[]): string {
  return execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim()
}
