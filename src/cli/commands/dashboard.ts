/** `pan dashboard`: a link to sign a browser in with, or the end of every login. */
import { Command } from 'commander'
import { EXIT } from '../failure.ts'
import { print, printJson } from '../output.ts'
import { JSON_OPTION, type Pan } from '../pan.ts'

interface Options {
  open?: true
  signOut?: true
  json?: true
}

export function dashboardCommand(pan: Pan): Command {
  return new Command('dashboard')
    .description('a link to the dashboard that signs a browser in, once')
    .option('--open', 'open it in the browser of this desktop')
    .option('--sign-out', 'sign every browser out instead')
    .option(...JSON_OPTION)
    .addHelpText('after', examples)
    .action((options: Options) => (options.signOut ? signOut(pan, options) : invite(pan, options)))
}

async function invite(pan: Pan, options: Options): Promise<void> {
  await pan.ask({ ...options, attempt: 'get a link' }, async (client) => {
    const invitation = await client.call('POST /api/login-code')
    if (options.json) printJson(invitation)
    else print(`${invitation.url}`, `It works once, within ${Math.round(invitation.expiresInMs / 1000)} seconds.`)
    return options.open ? pan.start('open-link', [invitation.url]) : EXIT.ok
  })
}

async function signOut(pan: Pan, options: Options): Promise<void> {
  await pan.ask({ ...options, attempt: 'sign browsers out' }, async (client) => {
    const view = await client.call('POST /api/logins/revoke')
    if (options.json) printJson(view)
    else print(view.revoked === 1 ? 'One browser was signed out.' : `${view.revoked} browsers were signed out.`)
  })
}

const examples = `
Examples:
  pan dashboard                 print the link; open it in a browser on this machine
  pan dashboard --open          and open it
  pan dashboard --sign-out      every browser must sign in anew
  ssh -L 3011:127.0.0.1:3011 box        from another machine: the same port on both ends, then the link from there

Exit codes:
  0  done
  1  there is no dashboard, or no browser could be opened
  3  the daemon could not be reached`
