/** `pan work`: an issue's agent by the issue's name; the documents' /work-issue and /work-tell. */
import { resolve } from 'node:path'
import { Command } from 'commander'
import { lives } from '../../contract/lives.ts'
import type { AgentView } from '../../contract/views.ts'
import type { SpawnBody } from '../../contract/bodies.ts'
import { Failure } from '../failure.ts'
import { followAct, WAIT_OPTION, type Waiting } from '../outcome.ts'
import { print } from '../output.ts'
import { JSON_OPTION, type Pan } from '../pan.ts'
import { findAgent, namesOf, spawnAgent, worktreeAgain, type Spawning } from '../spawn-agent.ts'
import { textOrInput } from '../text-of.ts'
import { promptOf, refuseBoth } from './agents-act.ts'

interface IssueOptions extends Waiting {
  title?: string
  prompt?: string
  promptFile?: string
  model?: string
  runtime?: string
  repo?: string
  base?: string
  auto?: true
}

export function workCommand(pan: Pan): Command {
  return new Command('work')
    .description("put an agent on an issue, and tell it things by the issue's id")
    .addCommand(issueCommand(pan))
    .addCommand(tellCommand(pan))
    .addHelpText('after', workHelp)
}

function issueCommand(pan: Pan): Command {
  return new Command('issue')
    .description('start an agent on an issue, on a branch and in a git worktree of its own')
    .argument('<issue>', "the issue's id; PAN-18 and pan-18 are the same")
    .option('--title <text>', 'what the issue is about')
    .option('--prompt <text>', 'its first task (default: to work on the issue)')
    .option('--prompt-file <file>', 'its first task, from a file; - is standard input')
    .option('--model <name>', 'a tier (opus, sonnet, haiku) or a model id')
    .option('--runtime <name>', 'the program it runs in: claude-code, understudy …')
    .option('--auto', 'choose the model by its task, else by the title and the prompt')
    .option('--repo <dir>', 'the repository (default: that of this folder)')
    .option('--base <commit>', 'where a new branch begins (default: what is checked out)')
    .option(...WAIT_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', issueHelp)
    .action((given: string, options: IssueOptions, command: Command) => {
      refuseBoth(options, command)
      const issue = issueOf(given)
      const prompt = promptOf(options, command)
      const { title, model, auto, runtime, repo, base, json } = options
      const body = definedOf<SpawnBody>({ issue, title, model, auto, runtime, prompt })
      return pan.ask({ ...(json ? { json } : {}), attempt: `start work on ${issue}`, ids: [issue] }, (client) =>
        spawnAgent(
          { client, worktrees: pan.worktrees, options },
          { body, folder: resolve(repo ?? '.'), ofIssue: true, ...definedOf({ base }) },
        ),
      )
    })
}

function tellCommand(pan: Pan): Command {
  return new Command('tell')
    .description("message an issue's agent; one that sleeps or is stopped is woken, with the session that it had")
    .argument('<issue>', "the issue's id, or the agent's")
    .argument('<text...>', 'several words are one text; - is standard input')
    .option(...WAIT_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', tellHelp)
    .action((given: string, words: string[], options: Waiting) => {
      const id = issueOf(given)
      const { json } = options
      return pan.ask({ ...(json ? { json } : {}), attempt: `tell ${id}`, ids: [id] }, async (client) => {
        const text = textOrInput(words, 'message')
        const agent = await findAgent(client, namesOf({ id }).toReversed())
        if (agent === undefined) {
          const hint = `Start one with \`pan work issue ${id}\`, or list them with \`pan agents list\`.`
          throw new Failure({ code: 'not_found', sentence: `Nobody works on ${id}`, hint })
        }
        // One that sleeps is woken by a message, too.
        if ((lives(agent) && !isDead(agent)) || agent.lifecycle === 'suspended') {
          const { seq } = await client.call('POST /api/agents/:id/message', {
            id: agent.id,
            body: { message: text },
          })
          return followAct(client, options, { seq, agent: agent.id, act: 'message' })
        }
        return wake({ client, worktrees: pan.worktrees, options }, agent, text)
      })
    })
}

/** Goes on with the session that it had; one that never had one begins with the text as its prompt. */
async function wake(spawning: Spawning, agent: AgentView, text: string): Promise<number> {
  const { client, options } = spawning
  const { id, sessionId } = agent
  const state = isDead(agent) ? 'dead' : agent.lifecycle
  if (sessionId === undefined) {
    if (!options.json) print(`${id} is ${state}: it is started, with your text as its prompt.`)
    return spawnAgent(spawning, { body: { id, prompt: text }, folder: process.cwd() })
  }
  if (!options.json) print(`${id} is ${state}: it goes on with its session, and is told your text.`)
  await worktreeAgain(spawning, agent)
  const { seq } = await client.call('POST /api/agents/:id/resume', { id, body: { message: text } })
  return followAct(client, options, { seq, agent: id, act: 'resume' })
}

/** Its program is gone, though nobody has stopped it yet. */
function isDead({ cause }: AgentView): boolean {
  return cause?.kind === 'dead'
}

/** People write issues in capitals; ids have none. */
function issueOf(given: string): string {
  return given.toLowerCase()
}

function definedOf<T extends object>(values: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
}

const exitHelp = `
Exit codes:
  0  done, and verified
  1  refused, not done, or nobody knows
  2  wrong usage
  3  no daemon runs`

const workHelp = `
Examples:
  pan work issue PAN-18 --title 'Fix the login'
  pan work tell PAN-18 'Please commit your changes'
  pan setup commands             the same two in Claude Code: /work-issue and /work-tell
${exitHelp}`

const issueHelp = `
Makes the branch feature/<issue>, the worktree workspaces/feature-<issue> in the root of the repository, and the agent
agent-<issue>. What is there already and clean is used again; what holds uncommitted work is left alone, and said. If
the agent cannot be started, what was made is removed again. The folder workspaces stays out of git status by the
repository's own .git/info/exclude.

Examples:
  pan work issue PAN-18
  pan work issue PAN-18 --title 'Fix the login' --model opus
  pan work issue PAN-18 --title 'Fix a typo' --auto
  pan work issue PAN-18 --prompt-file task.md --base origin/main
  pan work issue PAN-18 --repo ~/src/shop --json
${exitHelp}`

const tellHelp = `
Examples:
  pan work tell PAN-18 'Please commit your changes'
  pan work tell agent-pan-18 stop and write down what you found
  pan work tell PAN-18 - < findings.md
${exitHelp}`
