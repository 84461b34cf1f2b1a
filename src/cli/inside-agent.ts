/**
 * Inside an agent's own process no command is run but those that say what `pan` is: help, version, completion. An agent
 * may report on itself and nothing else, by the token of its run; whatever else is asked for is refused here, before
 * anything is read, asked or started.
 */
import type { Command } from 'commander'
import { Failure } from './failure.ts'

const ALLOWED: ReadonlySet<string> = new Set(['completion'])

/** Help and version never come to an action. */
export function refuseInsideAgent(program: Command, env: Readonly<Record<string, string | undefined>>): void {
  if (!env['CLOISTER_RUN']) return
  program.hook('preAction', (_, asked) => {
    if (!ALLOWED.has(asked.name())) throw new InsideAgent(asked)
  })
}

export class InsideAgent extends Failure {
  readonly attempt: string
  readonly json?: true

  constructor(asked: Command) {
    super({
      code: 'forbidden',
      sentence: 'This is an agent’s own process (CLOISTER_RUN is set), which may only report on itself',
      hint: 'Run it in a terminal of your own.',
    })
    this.attempt = `run \`${wordsOf(asked)}\``
    if (asked.opts()['json'] === true) this.json = true
  }
}

function wordsOf(command: Command): string {
  return command.parent === null ? command.name() : `${wordsOf(command.parent)} ${command.name()}`
}
