/** `pan route`: which model and runtime a task should get, and why. */
import { resolve } from 'node:path'
import { Command } from 'commander'
import { print, printJson } from '../output.ts'
import { JSON_OPTION, type Pan } from '../pan.ts'
import { routeLines } from '../show-tasks.ts'

interface RouteOptions {
  repo?: string
  specialist?: string
  json?: true
}

export function routeCommand(pan: Pan): Command {
  return new Command('route')
    .description('which model and runtime a task should get, by which signal, and why; nothing is started')
    .argument('<task...>', "a task's id or title, or any other title; several words are one title")
    .option('--repo <dir>', 'the folder whose tasks are meant (default: this one)')
    .option('--specialist <name>', 'as if this specialist did it')
    .option(...JSON_OPTION)
    .addHelpText('after', examples)
    .action((words: string[], { repo = '.', specialist, json }: RouteOptions) => {
      const asking = { ...(json ? { json } : {}), attempt: 'find the route', ids: [specialist] }
      return pan.ask(asking, async (client) => {
        const query = {
          task: words.join(' '),
          repo: resolve(repo),
          ...(specialist === undefined ? {} : { specialist }),
        }
        const view = await client.call('GET /api/route', { query })
        if (json) printJson(view)
        else print(...routeLines(view))
      })
    })
}

const examples = `
The first signal that speaks decides: what is stated of the task (metadata, field, label), what is stated of its parent,
its tags, the number of its files, words in its title. A number of files says «at least». The marked line decided.

Examples:
  pan route pan-l5l.2
  pan route 'Fix a typo in the docs'
  pan route --specialist test-agent Run the suite
  pan route pan-l5l.2 --repo ~/src/shop --json | jq -r .model

Exit codes:
  0  shown
  1  it could not be found out
  2  wrong usage
  3  no daemon runs`
