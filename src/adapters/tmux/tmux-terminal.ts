/**
 * The agents' terminals on this home's own tmux server. Every deed names a pane by its id and is done by tmux only
 * if server, pane and run are still the ones that were found; what cannot be asked throws.
 */
import { stat } from 'node:fs/promises'
import type { Outcome } from '../../contract/effects.ts'
import { ID_PATTERN } from '../../contract/ids.ts'
import type { Handle, Key, Launch, Pane, Terminal, View, Viewer } from '../../core/ports.ts'
import { typeable } from '../../core/typeable.ts'
import { cameUp } from './first-breath.ts'
import { ForeignPanes } from './foreign-panes.ts'
import { guarded, notDone, outcomeOf, readDone, type Deed, type Done } from './guarded.ts'
import { LifecycleWatch } from './lifecycle-watch.ts'
import { nudge } from './nudge.ts'
import { PANE_FORMAT, readPanes, type FoundPane } from './pane-lines.ts'
import { PaneStreams } from './pane-streams.ts'
import { TmuxServer, type ServerOptions } from './server.ts'
import { sessionName, startScript } from './start-script.ts'

const MAX_TEXT_BYTES = 120 * 1024
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/

export class TmuxTerminal implements Terminal {
  /** A person's own panes, of agents that were adopted. */
  readonly foreign: ForeignPanes
  readonly #server: TmuxServer
  /** By run, as of the newest look. A pane keeps its ids for life, so an old entry can only be gone. */
  #found = new Map<string, FoundPane>()
  readonly #callers = new Set<() => void>()
  readonly #streams: PaneStreams
  #watch: LifecycleWatch | undefined
  #texts = 0

  constructor(options: ServerOptions) {
    this.#server = new TmuxServer(options)
    this.foreign = new ForeignPanes(() => this.#server.program(), this.#server.environment)
    this.#streams = new PaneStreams(this.#server, (call) => this.watch(call))
  }

  get socketPath(): string {
    return this.#server.socketPath()
  }

  async list(adopted: readonly Handle[] = []): Promise<readonly Pane[]> {
    const [own, foreign] = await Promise.all([this.#look(), adopted.length === 0 ? [] : this.foreign.look(adopted)])
    return [...own.map(asPane), ...foreign]
  }

  async start(handle: Handle, launch: Launch): Promise<Outcome> {
    const problem = unfit(handle, launch) ?? (await missingFolder(launch.cwd))
    if (problem !== undefined) return notDone(problem)
    // tmux would put the PATH of whoever calls it before the one that is given to the pane.
    const { PATH: _, ...env } = this.#server.environment
    const options = { input: startScript(this.#server.homeId, handle, launch), cwd: launch.cwd, env }
    let answer = await this.#server.ask(['source-file', '-'], options)
    if (answer.absent || /^foreign$/m.test(answer.stdout)) {
      await this.#server.boot()
      answer = await this.#server.ask(['source-file', '-'], options)
    }
    if (answer.absent) return notDone('the terminal server ended while it started')
    void this.#watch?.connect()
    const living = /^living (.*?) ?$/m.exec(answer.stdout)?.[1]
    if (living !== undefined) return notDone(`the agent still lives in the run ${living}`)
    const [, paneId, pid, serverPid] = /^started (%\d+) (\d+) (\d+) \d+$/m.exec(answer.stdout) ?? []
    if (paneId === undefined) return notDone(`tmux did not start it: ${answer.stderr.trim() || 'no reason given'}`)
    return (await cameUp(Number(pid), Number(serverPid))) ? { result: 'done' } : this.#stillborn(handle)
  }

  async type(handle: Handle, text: string): Promise<Outcome> {
    const clean = typeable(text)
    if (clean === '') return { ...notDone('there is no text to type'), unfit: true }
    if (Buffer.byteLength(clean) > MAX_TEXT_BYTES) {
      return { ...notDone(`the text is longer than ${MAX_TEXT_BYTES} bytes`), unfit: true }
    }
    if (handle.adopted !== undefined) return this.foreign.type(handle, clean)
    this.#texts += 1
    const buffer = `cloister-${process.pid}-${this.#texts}`
    const done = await this.#act(handle, {
      when: 'alive',
      load: { buffer, text: clean },
      // A person who scrolls back would otherwise catch the Enter.
      commands: (pane) => [
        `copy-mode -q -t '${pane}'`,
        `paste-buffer -p -d -b ${buffer} -t '${pane}'`,
        `send-keys -t '${pane}' Enter`,
      ],
      otherwise: [`delete-buffer -b ${buffer}`],
    })
    return outcomeOf(done)
  }

  async press(handle: Handle, key: Key): Promise<Outcome> {
    if (handle.adopted !== undefined) return this.foreign.press(handle, key)
    const commands = (pane: string) => [`copy-mode -q -t '${pane}'`, `send-keys -t '${pane}' ${key}`]
    return outcomeOf(await this.#act(handle, { when: 'alive', commands }))
  }

  async view(handle: Handle, viewer: Viewer): Promise<View | undefined> {
    // A client of ours on a person's own server would be seen there.
    if (handle.adopted !== undefined) return undefined
    // Asked anew: a view is for long, and an old entry could only be gone.
    await this.#look()
    const pane = this.#foundOf(handle)
    return pane === undefined ? undefined : this.#streams.view(pane, viewer)
  }

  async screen(handle: Handle): Promise<string | undefined> {
    if (handle.adopted !== undefined) return this.foreign.screen(handle.adopted)
    const done = await this.#act(handle, { when: 'alive', commands: (pane) => [`capture-pane -p -e -t '${pane}'`] })
    return done.result === 'done' ? done.output : undefined
  }

  async remove(handle: Handle): Promise<void> {
    if (handle.adopted !== undefined) return
    const done = await this.#act(handle, { when: 'dead', commands: (pane) => [`kill-pane -t '${pane}'`] })
    if (done.result === 'alive' || done.result === 'deaf') {
      throw new Error(`The terminal of ${sessionName(handle)} was kept: its program still runs. Stop the agent first.`)
    }
    this.#found.delete(handle.run)
  }

  watch(call: () => void): () => void {
    this.#callers.add(call)
    this.#watch ??= new LifecycleWatch(this.#server, () => {
      for (const each of this.#callers) each()
    })
    void this.#watch.connect()
    return () => {
      this.#callers.delete(call)
      if (this.#callers.size === 0) void this.#unwatch()
    }
  }

  /**
   * By the path of the socket, since a person's TMUX_TMPDIR may be another than ours; and by the session's name, which
   * holds the run: an id could be another agent's by the time he uses it.
   */
  attachCommand(handle: Handle): readonly string[] {
    const { pane } = handle.adopted ?? {}
    if (pane !== undefined) return ['tmux', '-S', pane.socket, 'attach-session', '-t', pane.id]
    return ['tmux', '-S', this.#server.socketPath(), 'attach-session', '-t', `=${sessionName(handle)}`]
  }

  async close(): Promise<void> {
    // The streams may be the last who listen, and then nobody waits for its end.
    const watch = this.#watch
    await this.#streams.close()
    this.#callers.clear()
    await Promise.all([watch?.close(), this.#unwatch()])
  }

  async #look(): Promise<readonly FoundPane[]> {
    const wallAt = Date.now()
    const answer = await this.#server.ask(['list-panes', '-a', '-F', PANE_FORMAT])
    if (!answer.absent && !answer.ok) throw new Error(`tmux could not list its panes: ${answer.stderr.trim()}`)
    const panes = answer.absent ? [] : readPanes(answer.stdout, this.#server.homeId, wallAt)
    this.#found = new Map(panes.map((pane) => [pane.run, pane]))
    if (!answer.absent) void this.#watch?.connect()
    const unread = panes.find((pane) => pane.dead && pane.exitCode === undefined)
    if (unread !== undefined) nudge(unread.serverPid)
    return panes
  }

  #foundOf({ agent, generation, run }: Handle): FoundPane | undefined {
    const pane = this.#found.get(run)
    return pane?.agent === agent && pane.generation === generation ? pane : undefined
  }

  async #act(handle: Handle, deed: PaneDeed): Promise<Done> {
    if (!this.#found.has(handle.run)) await this.#look()
    const pane = this.#foundOf(handle)
    if (pane === undefined) return { result: 'gone' }
    const { load, commands, ...rest } = deed
    const first = load === undefined ? [] : ['load-buffer', '-b', load.buffer, '-', ';']
    const args = [...first, ...guarded(pane, { ...rest, commands: commands(pane.paneId) })]
    const answer = await this.#server.ask(args, load === undefined ? {} : { input: load.text })
    if (answer.absent) return { result: 'gone' }
    if (!answer.ok) throw new Error(`tmux did not finish on ${sessionName(handle)}: ${answer.stderr.trim()}`)
    return readDone(pane, answer.stdout)
  }

  async #stillborn(handle: Handle): Promise<Outcome> {
    const pane = (await this.#look()).find(({ run }) => run === handle.run)
    const code = pane?.exitCode === undefined ? '' : ` with exit code ${pane.exitCode}`
    return notDone(`its program could not be executed or ended at once${code}`)
  }

  async #unwatch(): Promise<void> {
    const watch = this.#watch
    this.#watch = undefined
    await watch?.close()
  }
}

interface PaneDeed extends Omit<Deed, 'commands'> {
  commands: (paneId: string) => readonly string[]
  /** Text that is put into a paste buffer of tmux first; tmux waits for it, so nothing may be checked before. */
  load?: { buffer: string; text: string }
}

function asPane({ agent, generation, run, stamp, ageMs, dead, exitCode }: FoundPane): Pane {
  return { agent, generation, run, stamp, ageMs, dead, ...(exitCode === undefined ? {} : { exitCode }) }
}

/** Ids go into tmux's formats and targets, and nothing that a program can be given holds a NUL. */
function unfit({ agent, generation, run }: Handle, { argv, cwd, env }: Launch): string | undefined {
  if (!ID_PATTERN.test(agent) || !ID_PATTERN.test(run)) return `«${agent}» or «${run}» is not an id`
  if (!Number.isSafeInteger(generation) || generation < 0) return `${generation} is not a generation`
  if (argv.length === 0 || argv[0] === '') return 'no program is given'
  const odd = Object.keys(env).find((name) => !VARIABLE.test(name))
  if (odd !== undefined) return `«${odd}» is not the name of an environment variable`
  return [...argv, cwd, ...Object.values(env)].some((word) => word.includes('\0')) ? 'a NUL was given' : undefined
}

/** tmux would start it in the home folder instead, without a word. */
async function missingFolder(cwd: string): Promise<string | undefined> {
  const folder = await stat(cwd).catch(() => undefined)
  return folder?.isDirectory() === true ? undefined : `there is no folder ${cwd} to work in`
}
