/** `pan agents logs`: what happened, as sentences. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Command, InvalidArgumentError } from 'commander'
import type { EventsView, ShownEvent } from '../../contract/views.ts'
import type { Client } from '../client.ts'
import { isHeard } from '../listeners.ts'
import { lineWidth, print, printable, printJson, wrapped } from '../output.ts'
import type { Pan } from '../pan.ts'
import { clockTime } from '../words.ts'

interface Options {
  json?: true
  lines: number
  follow?: true
}

const LOOK_EVERY_MS = 500
const LOOKS = { attempt: 'get the log', offline: 'journal' } as const

export function logsCommand(pan: Pan): Command {
  return new Command('logs')
    .description('what happened to an agent, or in the whole house, and why')
    .argument('[agent]', "the agent's id")
    .option('-n, --lines <n>', 'how many at most', lines, 50)
    .option('-f, --follow', 'go on with what happens from now on; Ctrl-C ends it')
    .option('--json', 'print JSON; with --follow one event per line')
    .addHelpText('after', help)
    .action((agent: string | undefined, options: Options) =>
      pan.ask({ ...(options.json ? { json: true } : {}), ...LOOKS, ids: [agent] }, async (client) => {
        const view = await events(client, agent, { limit: options.lines })
        show(client, view, options)
        if (options.follow) await follow(client, agent, { ...options, after: view.lastSeq })
      }),
    )
}

function lines(text: string): number {
  const n = Number(text)
  if (!(Number.isInteger(n) && n >= 1 && n <= 1000)) throw new InvalidArgumentError('Give a number from 1 to 1000.')
  return n
}

function show(client: Client, view: EventsView, { json, follow }: Options): void {
  if (!json) print(...view.events.flatMap(eventLines))
  else if (follow) for (const event of view.events) print(JSON.stringify(event))
  else printJson(client.told(view))
}

function eventLines({ at, sentence }: ShownEvent): string[] {
  const time = clockTime(at)
  const [first = '', ...rest] = wrapped(printable(sentence), lineWidth() - time.length - 2)
  return [`${time}  ${first}`, ...rest.map((line) => ' '.repeat(time.length + 2) + line)]
}

function events(client: Client, agent: string | undefined, query: { after?: number; limit: number }) {
  if (agent === undefined) return client.call('GET /api/events', { query })
  return client.call('GET /api/agents/:id/logs', { id: agent, query })
}

async function follow(client: Client, agent: string | undefined, options: Options & { after: number }): Promise<void> {
  if (client.noDaemon !== undefined) throw client.noDaemon
  for (let { after } = options; isHeard();) {
    await sleep(LOOK_EVERY_MS)
    const view = await events(client, agent, { after, limit: 1000 })
    after = view.lastSeq
    show(client, view, options)
  }
}

const help = `
Without a daemon it is what the last one left; that is said, and --json has "daemon": false.

Examples:
  pan agents logs                          the whole house
  pan agents logs agent-pan-18 -n 20
  pan agents logs agent-pan-18 --follow
  pan agents logs --json | jq -r '.events[].type'

Exit codes:
  0  shown
  1  there is no such agent
  2  wrong usage: what is given cannot be an id
  3  no daemon runs, and there is nothing to show or to follow`
