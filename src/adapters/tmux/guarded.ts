/** Builds a deed on a pane that tmux does only if the pane is still the one that is meant, and reads what it says. */
import type { Outcome } from '../../contract/effects.ts'
import { quoted } from './command-text.ts'
import type { FoundPane } from './pane-lines.ts'

export interface Deed {
  /** tmux commands on the pane. */
  commands: readonly string[]
  /** What the pane's process must be for it. */
  when: 'alive' | 'dead' | 'any'
  /** Commands to clean up with when it may not be done. */
  otherwise?: readonly string[]
}

/**
 * `done`: the commands ran, and this is what they printed. Else nothing was done: `dead` or `alive` is what the
 * process is although it must not be, `deaf` a pane whose input a person has switched off, `gone` another pane or none.
 * `failed`: tmux did not do all of it.
 */
export type Done =
  | { result: 'done'; output: string }
  | { result: 'dead' | 'alive' | 'deaf' | 'gone' }
  | { result: 'failed'; why: string }

/** A pane in which a person started another program is no longer the agent's; text would go to that program. */
const RUN = '#{?#{||:#{pane_dead},#{==:#{pane_pid},#{@cloister_pid}}},#{@cloister_run},replaced}'

/** One `if-shell` on formats: tmux checks and acts without anything coming between. */
export function guarded(pane: FoundPane, { commands, when, otherwise = [] }: Deed): string[] {
  const state = { alive: ' #{pane_dead} #{pane_input_off}', dead: ' #{pane_dead}', any: '' }[when]
  const wanted = { alive: ' 0 0', dead: ' 1', any: '' }[when]
  const said = quoted(`refused #{pid} #{start_time} #{pane_id} ${RUN} #{pane_dead} #{pane_input_off}`)
  const then = ['display-message -p done', ...commands]
  const orElse = [...otherwise, `display-message -p -t ${quoted(pane.paneId)} ${said}`]
  const condition = `#{==:#{pid} #{start_time} #{pane_id} ${RUN}${state},${identity(pane)}${wanted}}`
  return ['if-shell', '-F', '-t', pane.paneId, condition, then.join(' ; '), orElse.join(' ; ')]
}

export function readDone(pane: FoundPane, stdout: string): Done {
  const end = stdout.indexOf('\n')
  const first = stdout.slice(0, end)
  if (first === 'done') return { result: 'done', output: stdout.slice(end + 1) }
  if (!first.startsWith(`refused ${identity(pane)} `)) return { result: 'gone' }
  const [dead, deaf] = first.split(' ').slice(-2)
  if (dead === '1') return { result: 'dead' }
  return { result: deaf === '1' ? 'deaf' : 'alive' }
}

export function outcomeOf(done: Done): Outcome {
  if (done.result === 'done') return { result: 'done' }
  if (done.result === 'dead') return notDone('its process has ended')
  if (done.result === 'deaf') return notDone('the input of its terminal is switched off')
  if (done.result === 'failed') return notDone(done.why)
  return { result: 'fenced', detail: 'this run has no terminal' }
}

export function notDone(detail: string): Outcome {
  return { result: 'not_done', detail: detail.slice(0, 400) }
}

function identity({ serverPid, serverStartedAt, paneId, run }: FoundPane): string {
  return `${serverPid} ${serverStartedAt} ${paneId} ${run}`
}
