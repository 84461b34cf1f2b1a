/** `pan doctor`: the words; the looking is done by the program daemon/offline/doctor, started by the caller. */
import { Command } from 'commander'
import { JSON_OPTION, type Pan } from '../pan.ts'

export function doctorCommand(start: Pan['start']): Command {
  return new Command('doctor')
    .description('check this machine and this home, and say how to mend what is wrong')
    .option(...JSON_OPTION)
    .addHelpText('after', examples)
    .action(async ({ json }: { json?: true }) => {
      await start('doctor', json ? ['--json'] : [])
    })
}

const examples = `
Works without a daemon and changes nothing. Each line is ok, warn or fail; a fix stands below.

Examples:
  pan doctor
  pan doctor --json | jq '.checks[] | select(.result != "ok")'

Exit codes:
  0  nothing fails (there may be warnings)
  1  something fails`
