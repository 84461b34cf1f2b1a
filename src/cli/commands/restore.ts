/** `pan restore`: the words and options; the work is done by the program daemon/offline/restore, started by the caller. */
import { Command } from 'commander'

type Start = (program: 'restore', args: string[]) => Promise<number>

interface Options {
  list?: true
  show?: string
  ref?: string
  workspace?: string
  into?: string
  paths?: string[]
  force?: true
  json?: true
}

export function restoreCommand(start: Start): Command {
  return new Command('restore')
    .argument('<agent>', 'whose work')
    .description('list, show and bring back work that was salvaged before an agent was stopped')
    .option('--list', 'list the snapshots (this is the default)')
    .option('--show <ref>', 'show what a snapshot holds; «latest», «3-1» or the whole ref')
    .option('--ref <ref>', 'bring the work of this snapshot back')
    .option('--workspace <path>', 'the workspace, or any worktree of its repository; else as the agent was last seen')
    .option(
      '--into <folder>',
      'write a complete copy into a new folder instead; of plain files, all that the snapshot holds',
    )
    .option('--paths <path...>', 'only these files and folders')
    .option('--force', 'replace files that differ and delete what was deleted; what was there is salvaged first')
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action(async (agent: string, options: Options) => void (await start('restore', toArgs(agent, options))))
}

function toArgs(agent: string, options: Options): string[] {
  const flags = (['list', 'force', 'json'] as const).flatMap((name) => (options[name] ? [`--${name}`] : []))
  const values = (['show', 'ref', 'workspace', 'into'] as const).flatMap((name) => {
    const value = options[name]
    return value === undefined ? [] : [`--${name}=${value}`]
  })
  const paths = (options.paths ?? []).map((path) => `--paths=${path}`)
  return [...flags, ...values, ...paths, '--', agent]
}

const help = `
Snapshots lie in the agent's own repository; of a workspace without one, or with one that was broken, as plain files in
the home (salvage/<agent>/3-1). Without --force nothing is overwritten that no commit holds, and nothing is deleted.
What --force replaces is a snapshot, too; it is named in the list, and is never «latest».
Every file that was brought back is compared with the snapshot. Works without the daemon.

Examples:
  pan restore agent-pan-18                               the snapshots, oldest first
  pan restore agent-pan-18 --show latest                 what the newest one holds
  pan restore agent-pan-18 --ref 3-1                     bring its changes back into the workspace
  pan restore agent-pan-18 --ref latest --paths src      only what lies under src
  pan restore agent-pan-18 --ref latest --into ./copy    the whole worktree as it was, elsewhere
  pan restore agent-pan-18 --ref salvage/agent-pan-18/3-1    plain files, back into the workspace
  pan restore agent-pan-18 --workspace ~/project         when the worktree is gone: its main repository

Exit codes:
  0  done
  1  it failed, or was refused because something would be lost
  2  wrong usage`
