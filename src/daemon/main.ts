/**
 * The daemon as a program. Joins clock, journal, lock, settings and adapters, and owns their lifetime.
 * It is the only file that names every adapter.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { beads } from '../adapters/beads/beads.ts'
import { claudeDialect } from '../adapters/claude-code/dialect.ts'
import { claudeSessions } from '../adapters/claude-code/resume-session.ts'
import { claudeCode } from '../adapters/claude-code/runtime.ts'
import { Transcripts } from '../adapters/claude-code/transcripts.ts'
import { claudeTasks } from '../adapters/claude-tasks/claude-tasks.ts'
import { openConfigDesk, type ConfigDesk } from '../adapters/config-file/config-desk.ts'
import { loadSettings, type Loaded } from '../adapters/config-file/load-settings.ts'
import { absolutePlaces, homeFolder } from '../adapters/config-file/location.ts'
import { openGit } from '../adapters/git/git.ts'
import { openPlainFiles } from '../adapters/plain-files/plain-files.ts'
import { tierPrices } from '../adapters/prices/list-prices.ts'
import { foreignProcess } from '../adapters/process/foreign-process.ts'
import { ProcessTrees } from '../adapters/process/process-trees.ts'
import { run } from '../adapters/process/run.ts'
import { prepareSentinel } from '../adapters/process/sentinel.ts'
import { endTerminalServer } from '../adapters/process/terminal-server.ts'
import { installHooks } from '../adapters/spool/install.ts'
import { FileLetters } from '../adapters/spool/letters.ts'
import { FileMailbox } from '../adapters/spool/mailbox.ts'
import { openSpool } from '../adapters/spool/spool.ts'
import { leaveNewerAlone } from '../adapters/sqlite/database.ts'
import { openJournal } from '../adapters/sqlite/journal.ts'
import { acquireLock, HomeTaken } from '../adapters/sqlite/lock.ts'
import { recogniseTestRun } from '../adapters/test-runners/recognise-test-run.ts'
import { TmuxTerminal } from '../adapters/tmux/tmux-terminal.ts'
import { findScripts } from '../adapters/understudy/find-scripts.ts'
import { understudy, understudyFolder } from '../adapters/understudy/runtime.ts'
import type { ApiDeps } from '../api/deps.ts'
import type { Config } from '../contract/config/schema.ts'
import type { Event } from '../contract/events.ts'
import { SECOND } from '../core/durations.ts'
import type { Runtime } from '../core/runtime-port.ts'
import { askedToLeave } from './asked-to-leave.ts'
import { followSettings } from './follow-settings.ts'
import { withSavings } from './handoff-savings.ts'
import { planFiles } from './plan-file.ts'
import { FileHandoffs } from './hand-off-files.ts'
import { capturePorts } from './capture-ports.ts'
import { homeId } from './home-id.ts'
import { DEMO_KEEPS_SETTINGS, demoPan, demoSettings, playDemo } from './demo.ts'
import { Keyboards } from './keyboards.ts'
import { DEMO_PREFIX, sweepDemos } from './offline/demo-sweep.ts'
import { TAKEN_CODE } from './offline/up-flags.ts'
import { openHouse, type Joined, type OpenHouse } from './open-house.ts'
import { dashboardFolder, ownVersion, understudyProgram, understudyScripts } from './places.ts'
import { lineIn, morningLines } from './printed.ts'
import { spoolReports } from './reports.ts'
import { runTokens } from './run-token.ts'
import { spawnDefaults } from './spawn-defaults.ts'
import { stay } from './stay.ts'
import { systemClock } from './system-clock.ts'
import { FileTaskTexts } from './task-texts.ts'
import { homeToken } from './token.ts'
import { programChecks } from './offline/doctor-programs.ts'
import { withPlainFiles } from './with-plain-files.ts'

const SETTINGS_EVERY_MS = 2 * SECOND

type Good = Required<Pick<Loaded, 'settings'>> & { file: string; desk: ConfigDesk }

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  const leaving = askedToLeave()
  Object.assign(process.env, absolutePlaces(process.env))
  let isBackground = false
  try {
    const flag = { type: 'boolean', default: false } as const
    const { values } = parseArgs({ args, options: { demo: flag, json: flag, background: flag } })
    isBackground = values.background
    return values.demo ? await demo(leaving, values.json) : await up(leaving, values.json)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return isBackground && error instanceof HomeTaken ? TAKEN_CODE : 1
  }
}

async function up(leaving: Promise<void>, json: boolean): Promise<number> {
  const home = homeFolder(process.env)
  const good = await startSettings()
  const house = await open(home, good, lineIn(json, 'pan'))
  say(`Cloister watches ${home}, settings from ${good.file}.`)
  const { monitoring, pausedBy } = house.loop.world.house
  if (monitoring === 'paused') say(`Monitoring is paused (by ${pausedBy}); nothing is judged until it is started.`)
  const following = follow(house, good)
  const changeConfig: ApiDeps['changeConfig'] = async (change) => {
    const changed = await good.desk.change(change)
    // In force when the answer comes, not at the next reading.
    await following.look()
    await house.loop.settled()
    return changed
  }
  try {
    await stay(house, { ...served(house, home, good), changeConfig, leaving, isWatched: process.stderr.isTTY })
  } finally {
    following.stop()
    await house.close()
  }
  say('Cloister stopped. Agents were left alone.')
  return 0
}

/** A home and a terminal server of its own, understudies in real panes; nothing is left behind. */
async function demo(leaving: Promise<void>, json: boolean): Promise<number> {
  await sweepDemos(tmpdir(), say)
  const home = mkdtempSync(join(tmpdir(), DEMO_PREFIX))
  const read = await startSettings()
  const good = { ...read, settings: demoSettings(read.settings) }
  try {
    const house = await open(home, good, lineIn(json, demoPan(home)))
    try {
      const changeConfig = () => Promise.resolve(DEMO_KEEPS_SETTINGS)
      const serving = stay(house, { ...served(house, home, good), changeConfig, leaving, isWatched: true })
      await Promise.race([serving, playDemo({ house, home, say, workspace: (id) => demoWorkspace(home, id) })])
      await serving
      if (!json) process.stdout.write(`${morningLines(house.loop.world).join('\n')}\n`)
    } finally {
      await house.joined.processes.stopFleet()
      await house.close()
      await endTerminalServer(homeId(home))
    }
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    say(`Demo over; its agents, its terminal server and ${home} are gone.`)
  }
  return 0
}

async function demoWorkspace(home: string, id: string): Promise<string> {
  const folder = join(home, 'workspaces', id)
  await run(['git', 'init', '--quiet', folder])
  await run(['git', '-C', folder, 'config', 'user.name', 'Understudy'])
  await run(['git', '-C', folder, 'config', 'user.email', 'understudy@localhost'])
  return folder
}

async function open(home: string, good: Good, line: (event: Event) => string): Promise<OpenHouse> {
  return openHouse({
    settings: good.settings,
    lock: () => {
      leaveNewerAlone(home)
      return acquireLock(home, Date.now())
    },
    join: () => joinAll(home, good),
    show: (events) => {
      for (const event of events) process.stdout.write(`${line(event)}\n`)
    },
  })
}

async function joinAll(home: string, { desk: { inForce } }: Good): Promise<Joined> {
  const id = homeId(home)
  installHooks(home)
  await prepareSentinel(home)
  const journal = await openJournal({ home, version: ownVersion(), onProblem: say })
  const spool = await openSpool({ home, homeId: id })
  const terminal = new TmuxTerminal({ homeId: id })
  const mailbox = new FileMailbox(home)
  await mailbox.sweep()
  const git = withPlainFiles(openGit(), openPlainFiles(home))
  const byName = new Map(runtimes(home, inForce).map((runtime) => [runtime.name, runtime]))
  const prices = tierPrices(inForce().model_selection.tiers)
  const files = new FileHandoffs(home, capturePorts(git, { runtimes: byName, prices }), { clock: systemClock })
  return {
    clock: systemClock,
    chance: Math.random,
    prices,
    journal,
    terminal,
    keyboards: new Keyboards(),
    processes: new ProcessTrees({ homeId: id, home }),
    git,
    taskSources: [beads({ env: process.env }), claudeTasks({ env: process.env })],
    mailbox,
    letters: new FileLetters(home),
    taskTexts: new FileTaskTexts(home),
    handoffs: withSavings(files, { runtimes: byName, prices }),
    planOf: planFiles(systemClock),
    runtimes: byName,
    foreign: { panes: (socket) => terminal.foreign.panes(socket), process: foreignProcess },
    ownSocket: terminal.socketPath,
    tokenOf: runTokens(homeToken(home), id).tokenOf,
    reports: (world) =>
      spoolReports({
        spool,
        clock: systemClock,
        runtimes: byName,
        agentOfRun: (run) => world.agents.get(world.runs.get(run) ?? ''),
        adopted: () => [...world.adopted].flatMap((id) => world.agents.get(id) ?? []),
      }),
    close: () => closeAll(...byName.values(), terminal, spool, journal),
  }
}

function runtimes(home: string, inForce: () => Config): Runtime[] {
  const id = homeId(home)
  const dialect = claudeDialect(recogniseTestRun)
  const chosen = () => {
    const { runtimes: programs, model_selection: models } = inForce()
    const { permission_mode: permissionMode, task_lists: taskLists, environment } = programs['claude-code']
    return { permissionMode, taskLists, tiers: models.tiers, environment }
  }
  const played = new Transcripts({
    projects: join(understudyFolder(home), 'projects'),
    index: join(home, 'understudy.index'),
  })
  return [
    claudeCode({ home, homeId: id, dialect, chosen, env: process.env }),
    understudy({
      home,
      homeId: id,
      dialect,
      sessions: claudeSessions({ config: understudyFolder(home), homeId: id }),
      usage: (sessions) => played.usageOf(sessions),
      program: understudyProgram(),
      ...findScripts(understudyScripts(), home),
      env: process.env,
      close: () => played.close(),
    }),
  ]
}

async function closeAll(...parts: readonly { close?(): Promise<void> }[]): Promise<void> {
  for (const part of parts) await part.close?.()
}

/** What the dashboard and the API are told of the settings. */
function served({ tasks }: OpenHouse, home: string, { desk }: Good) {
  return {
    home,
    say,
    dashboard: { ...desk.inForce().dashboard, folder: dashboardFolder() },
    config: desk.view,
    doctor: (folder: string) => programChecks({ home, env: process.env }, folder),
    spawnDefaults: () => spawnDefaults(desk.inForce(), tasks),
  }
}

async function startSettings(): Promise<Good> {
  const { settings, config, file, problems } = await loadSettings(process.env)
  if (settings !== undefined && config !== undefined && problems.length === 0)
    return { settings, file, desk: openConfigDesk(process.env, config) }
  const correct = 'Nothing was started. Correct the settings; `pan config validate` checks them.'
  throw new Error(`${problems.join('\n')}\n${correct}`)
}

/** Reads the settings again now and then, and when asked to. */
function follow(house: OpenHouse, { settings, desk }: Good) {
  const look = followSettings(settings, {
    load: desk.load,
    change: (changed, names) => house.loop.setSettings(changed, names),
    complain: (problems) => {
      if (problems.length > 0) say(`${problems.join('\n')}\nThe last good settings stay in force.`)
      house.loop.setTrouble('settings', problems[0])
    },
  })
  const timer = setInterval(() => void look(), SETTINGS_EVERY_MS)
  return { look, stop: () => clearInterval(timer) }
}

/** Sentences of the program go to stderr, events to stdout. */
function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
}
