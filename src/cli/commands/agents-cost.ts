/** `pan agents cost`: what an agent used, by model, what that costs, and what its own program says. */
import { Command } from 'commander'
import type { CostView } from '../../contract/cost-views.ts'
import { labelled, lineWidth, print, printJson, table, wrapped } from '../output.ts'
import { JSON_OPTION, type Pan } from '../pan.ts'

export function costCommand(pan: Pan): Command {
  return new Command('cost')
    .description('what an agent used by model, and what that costs')
    .argument('<agent>', "the agent's id")
    .option(...JSON_OPTION)
    .addHelpText('after', help)
    .action((agent: string, { json }: { json?: true }) =>
      pan.ask({ ...(json ? { json } : {}), attempt: `tell the cost of ${agent}`, ids: [agent] }, async (client) => {
        const view = await client.call('GET /api/agents/:id/cost', { id: agent })
        if (json) printJson(view)
        else print(...costLines(view))
      }),
    )
}

const HEADS = ['MODEL', 'ANSWERS', 'INPUT', 'OUTPUT', 'CACHE READ', 'CACHE 5M', 'CACHE 1H', 'USD']

export function costLines(view: CostView): string[] {
  const { models, total, client, differenceUsd, differencePercent, why } = view
  if (models.length === 0) return [`${view.agent} has used nothing yet, as far as its transcripts tell.`]
  const rows = models.map((used) => row(used.model, used))
  const sum = row('all', total)
  const said =
    client === null
      ? []
      : labelled([
          [
            'its program',
            `${money(client.usd)} for its present session; ours for the same: ${money(client.computedUsd)}`,
          ],
          ['difference', difference(differenceUsd, differencePercent)],
        ])
  return [...table(HEADS, [...rows, sum]), '', ...said, ...wrapped(why, lineWidth())]
}

function row(
  name: string,
  { messages, tokens, usd }: Pick<CostView['total'], 'messages' | 'tokens' | 'usd'>,
): string[] {
  const { input, output, cacheRead, cacheWrite5m, cacheWrite1h } = tokens
  return [name, ...[messages, input, output, cacheRead, cacheWrite5m, cacheWrite1h].map(grouped), money(usd)]
}

/** 1234567 as 1,234,567. */
function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',')
}

function money(usd: number | null): string {
  return usd === null ? 'unpriced' : `$${usd.toFixed(usd < 1 ? 4 : 2)}`
}

function difference(usd: number | null, percent: number | null): string {
  if (usd === null) return 'cannot be told'
  const sign = usd < 0 ? '-' : '+'
  const share = percent === null ? '' : ` (${sign}${Math.abs(percent).toFixed(1)} %)`
  return `${sign}${money(Math.abs(usd))}${share}`
}

const help = `
Counted from the transcripts of all its sessions, forks and subagents, each answer of a model once, by list prices. A
model that has no list price is «unpriced»; it is never counted as free.

Examples:
  pan agents cost agent-pan-18
  pan agents cost agent-pan-18 --json

Exit codes:
  0  shown
  1  there is no such agent
  2  wrong usage
  3  no daemon runs`
