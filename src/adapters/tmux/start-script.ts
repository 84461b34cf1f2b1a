/**
 * The tmux commands that start one agent. They go to tmux by its standard input: a command line of tmux holds
 * 16 KB, and in single quotes nothing is expanded. The check and the start are one sequence that nothing comes between.
 */
import type { Handle, Launch } from '../../core/ports.ts'
import { treeTags } from '../../core/run-tags.ts'
import { quoted } from './command-text.ts'

/** Exact and unique: the run alone tells it apart from every other session, and it shows a person whose it is. */
export function sessionName({ agent, generation, run }: Handle): string {
  return `${agent}@${generation}@${run}`
}

/** Prints `started <pane id> <pid of the program> <pid of the server> <its start>`, `living <run>` or `foreign`. */
export function startScript(homeId: string, handle: Handle, launch: Launch): string {
  const { agent, generation, run } = handle
  const name = sessionName(handle)
  const pane = quoted(`=${name}:`)
  const env = { ...launch.env, ...treeTags(handle, homeId) }
  const variables = Object.entries(env).map(([key, value]) => `-e ${quoted(`${key}=${value}`)}`)
  const living = `#{S:#{?#{==:#{@cloister_agent},${agent}},#{W:#{P:#{?pane_dead,,#{?@cloister_run,#{@cloister_run} ,}}}},}}`
  return `
if-shell -F '#{!=:#{@cloister_home},${homeId}}' { display-message -p foreign } {
  if-shell -F '${living}' { display-message -p 'living ${living}' } {
    new-session -d -P -F 'started #{pane_id} #{pane_pid} #{pid} #{start_time}' -x 200 -y 50 -s ${quoted(name)} ${variables.join(' ')} -- ${program(launch.argv)}
    set-option -p -t ${pane} @cloister_run ${run}
    set-option -F -p -t ${pane} @cloister_pid '#{pane_pid}'
    set-option -p -t ${pane} remain-on-exit on
    set-option -t ${pane} @cloister_agent ${agent}
    set-option -t ${pane} @cloister_generation ${generation}
  }
}
`
}

/** tmux gives a single word to a shell and executes several as they are; so a lone word gets a launcher before it. */
function program(argv: readonly string[]): string {
  const words = argv.length === 1 ? ['/bin/sh', '-c', ONE_WORD, ...argv] : argv
  return words.map(quoted).join(' ')
}

/** The word is `$0` of the shell, so nothing in it is ever read as shell text. */
export const ONE_WORD = 'exec "$0"'
