/** Every command, found in the command tree itself, as it is run from inside an agent. */
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { refuseInsideAgent } from './inside-agent.ts'
import { panCommand } from './program.ts'

const ALLOWED = ['completion']

test.each(lines(tree().program))('pan %s', async (line) => {
  const { program, done } = tree({ CLOISTER_RUN: 'h1.run-1', CLOISTER_TOKEN: 'run.agent-1.1.run-1.x' })
  const parsed = program.parseAsync(line.split(' '), { from: 'user' })
  if (ALLOWED.includes(line.split(' ')[0] ?? '')) return expect([await parsed, done]).toEqual([program, ['completion']])
  await expect(parsed).rejects.toMatchObject({
    name: 'Failure',
    exitCode: 1,
    error: {
      code: 'forbidden',
      sentence: 'This is an agent’s own process (CLOISTER_RUN is set), which may only report on itself',
      hint: 'Run it in a terminal of your own.',
    },
  })
  expect(done).toEqual([])
})

test.each([{}, { CLOISTER_RUN: '' }])('elsewhere (%j) nothing is refused', async (env) => {
  const { program, done } = tree(env)
  await program.parseAsync(['cloister', 'emergency-stop', '--yes'], { from: 'user' })
  expect(done).toEqual(['start emergency-stop', 'ask'])
})

test.each(['--help', '--version', 'help', 'config set --help', 'help cloister'])('pan %s is for all', async (line) => {
  const { program } = tree({ CLOISTER_RUN: 'h1.run-1' })
  await expect(program.parseAsync(line.split(' '), { from: 'user' })).rejects.toMatchObject({ exitCode: 0 })
})

function tree(env: Record<string, string> = {}): { program: Command; done: string[] } {
  const done: string[] = []
  const program = panCommand('1.2.3', {
    start: (name) => Promise.resolve(done.push(`start ${name}`)),
    ask: () => Promise.resolve(void done.push('ask')),
    worktrees: () => Promise.reject(new Error('no worktree is made here')),
    end: () => void done.push('end'),
  })
  program.commands.find((command) => command.name() === 'completion')?.action(() => void done.push('completion'))
  refuseInsideAgent(program, env)
  for (const command of all(program)) command.configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
  return { program, done }
}

/** The words that reach each command that does something, with something for all that it must have. */
function lines(program: Command): string[] {
  return all(program)
    .filter((command) => command.commands.length === 0)
    .map((command) => {
      const needed = command.registeredArguments.filter(({ required }) => required)
      const options = command.options.filter(({ mandatory }) => mandatory).flatMap(({ long }) => [long, 'x'])
      return [...pathOf(command), ...needed.map(({ argChoices }) => argChoices?.[0] ?? 'x'), ...options].join(' ')
    })
}

function all(command: Command): Command[] {
  return [command, ...command.commands.flatMap(all)]
}

function pathOf(command: Command): string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()]
}
