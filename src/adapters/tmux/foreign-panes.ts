/**
 * Panes of tmux servers that a person started. Such a server is never started, set up or attached to; it is asked by the
 * path of its socket, and a pane is named by its id. A text is typed only where it was allowed, and only while server,
 * pane and program are still the ones that were found: all else could be the person's shell.
 */
import type { Adopted, AdoptedPane } from '../../contract/adopted.ts'
import type { Outcome } from '../../contract/effects.ts'
import type { ForeignPane, Handle, Pane } from '../../core/ports.ts'
import { isInFront } from '../process/foreign-process.ts'
import { run, type RunOptions } from '../process/run.ts'
import { quoted } from './command-text.ts'
import { notDone } from './guarded.ts'
import { readForeign, FOREIGN_FORMAT, type FoundForeign } from './foreign-lines.ts'

/** A server that does not answer must not hold up the look at all others. */
const LOOK_MS = 1_000
const ACTING = { timeoutMs: 5_000 }
/** How long a server that did not answer is left alone. */
const DEAF_MS = 30_000

const PLAIN = /^[\w.@+-]{1,64}$/

export class ForeignPanes {
  readonly #argv: () => Promise<readonly string[]>
  readonly #env: Readonly<Record<string, string>>
  readonly #deafUntil = new Map<string, number>()
  #texts = 0

  /** `program` is the whole path of tmux. */
  constructor(program: () => Promise<string>, env: Readonly<Record<string, string>>) {
    this.#argv = async () => [await program(), '-u', '-N']
    this.#env = env
  }

  /** Undefined when no server answers there. */
  async panes(socket: string): Promise<readonly ForeignPane[] | undefined> {
    const found = await this.#list(socket, ACTING.timeoutMs)
    return found?.map(({ socket: at, server, id, tty, names }) => ({ socket: at, server, id, tty, names }))
  }

  /** One question per server. What cannot be asked is left out: unknown is not gone. */
  async look(handles: readonly Handle[]): Promise<Pane[]> {
    const bySocket = Map.groupBy(handles, ({ adopted }) => adopted?.pane?.socket ?? '')
    bySocket.delete('')
    const panes = await Promise.all(
      [...bySocket].map(async ([socket, those]) => {
        const found = (await this.#lookAt(socket)) ?? []
        return those.flatMap((handle) => {
          const pane = found.find((each) => isSame(each, handle.adopted?.pane))
          return pane === undefined ? [] : { ...handle, stamp: pane.stamp, ageMs: pane.ageMs, dead: false }
        })
      }),
    )
    return panes.flat()
  }

  async type(handle: Handle, text: string): Promise<Outcome> {
    const { pane } = handle.adopted ?? {}
    if (pane === undefined) return gone
    this.#texts += 1
    const buffer = `cloister-own-${process.pid}-${this.#texts}`
    const commands = [`paste-buffer -p -d -b ${buffer} -t '${pane.id}'`, `send-keys -t '${pane.id}' Enter`]
    const otherwise = [`delete-buffer -b ${buffer}`]
    return this.#act(handle, { commands, otherwise, load: { buffer, text } })
  }

  async press(handle: Handle, key: string): Promise<Outcome> {
    const { pane } = handle.adopted ?? {}
    return pane === undefined ? gone : this.#act(handle, { commands: [`send-keys -t '${pane.id}' ${key}`] })
  }

  /** What stands there now; undefined when that pane is gone. */
  async screen({ pane }: Adopted): Promise<string | undefined> {
    if (pane === undefined) return undefined
    const condition = `#{==:#{pid} #{start_time} #{pane_id},${identity(pane)}}`
    const then = `display-message -p done ; capture-pane -p -e -t '${pane.id}'`
    const said = await this.#ask(pane.socket, ['if-shell', '-F', '-t', pane.id, condition, then], ACTING)
    return said?.startsWith('done\n') === true ? said.slice('done\n'.length) : undefined
  }

  async #act(handle: Handle, deed: Deed): Promise<Outcome> {
    const { pane, leader } = handle.adopted ?? {}
    if (pane === undefined || leader === undefined) return gone
    const shown = await this.#ask(pane.socket, ['display-message', '-p', '-t', pane.id, SHOWN], ACTING)
    const command = shown?.trimEnd() ?? ''
    // After the question: what was in front when it was answered was this leader, or its name is another by now.
    if (shown === undefined) return gone
    if (!PLAIN.test(command)) return notDone('what runs in its terminal has a name that cannot be checked')
    if (!isInFront(leader)) return { ...notDone('something else is in front in its terminal'), held: true }
    const first = deed.load === undefined ? [] : ['load-buffer', '-b', deed.load.buffer, '-', ';']
    const args = [...first, ...guarded(pane, command, deed)]
    const said = await this.#ask(
      pane.socket,
      args,
      deed.load === undefined ? ACTING : { ...ACTING, input: deed.load.text },
    )
    if (said === undefined) {
      // The pane went before tmux could decide; nothing of ours stays behind.
      for (const command of deed.otherwise ?? []) await this.#ask(pane.socket, command.split(' '), ACTING)
      return gone
    }
    if (said.startsWith('done\n')) return { result: 'done' }
    if (!said.startsWith(`refused ${identity(pane)} `)) return gone
    return { ...notDone(WHY.find(([word]) => said.includes(word))?.[1] ?? 'its terminal is not free'), held: true }
  }

  async #lookAt(socket: string): Promise<readonly FoundForeign[] | undefined> {
    const now = Date.now()
    if ((this.#deafUntil.get(socket) ?? 0) > now) return undefined
    try {
      return await this.#list(socket, LOOK_MS)
    } catch {
      this.#deafUntil.set(socket, now + DEAF_MS)
      return undefined
    }
  }

  async #list(socket: string, timeoutMs: number): Promise<readonly FoundForeign[] | undefined> {
    const wallAt = Date.now()
    const said = await this.#ask(socket, ['list-panes', '-a', '-F', FOREIGN_FORMAT], { timeoutMs })
    return said === undefined ? undefined : readForeign(said, socket, wallAt)
  }

  /** Undefined when there is no server, or it does not know what it is asked about. */
  async #ask(socket: string, args: readonly string[], options: RunOptions): Promise<string | undefined> {
    const argv = [...(await this.#argv()), '-S', socket, ...args]
    const { code, stdout } = await run(argv, { env: this.#env, ...options })
    return code === 0 ? stdout : undefined
  }
}

interface Deed {
  commands: readonly string[]
  otherwise?: readonly string[]
  load?: { buffer: string; text: string }
}

const gone: Outcome = { result: 'fenced', detail: 'this session has no terminal any more' }
const SHOWN = '#{pane_current_command}'
/** Dead, deaf, scrolled back, typing into all panes of the window at once: none of them may be typed into. */
const STATE = 'd#{pane_dead} i#{pane_input_off} m#{pane_in_mode} s#{pane_synchronized}'
const FREE = 'd0 i0 m0 s0'
const WHY = [
  [' d1 ', 'its pane is dead'],
  [' i1 ', 'the input of its terminal is switched off'],
  [' m1 ', 'somebody scrolls back in its terminal'],
  [' s1 ', 'its terminal types into all panes of its window'],
] as const

/** One `if-shell` on formats: tmux checks and acts without anything coming between. */
function guarded(pane: AdoptedPane, command: string, { commands, otherwise = [] }: Deed): string[] {
  const condition = `#{==:#{pid} #{start_time} #{pane_id} ${STATE} ${SHOWN},${identity(pane)} ${FREE} ${command}}`
  const then = ['display-message -p done', ...commands]
  const said = quoted(`refused #{pid} #{start_time} #{pane_id} ${STATE} .`)
  const orElse = [...otherwise, `display-message -p -t ${quoted(pane.id)} ${said}`]
  return ['if-shell', '-F', '-t', pane.id, condition, then.join(' ; '), orElse.join(' ; ')]
}

function identity({ server, id }: AdoptedPane): string {
  return `${server.pid} ${server.startTime} ${id}`
}

function isSame(found: AdoptedPane, wanted: AdoptedPane | undefined): boolean {
  return wanted !== undefined && identity(found) === identity(wanted)
}
