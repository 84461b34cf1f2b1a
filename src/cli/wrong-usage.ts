/** Wrong usage that the parser found, told to programs: the same facts as its lines for people. */
import type { Command, CommanderError } from 'commander'
import { Failure } from './failure.ts'

export const USAGE_HINT = 'Run it with --help to see what it takes.'

/** Nothing is parsed yet, or it could not be. What follows the dashes is text. */
export function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end === -1 ? args.length : end).includes('--json')
}

/** The parser itself says nothing any more of what is wrong. */
export function silence(command: Command): void {
  command.configureOutput({ writeErr: () => undefined, outputError: () => undefined })
  for (const child of command.commands) silence(child)
}

/** «error: unknown command 'confg'\n(Did you mean config?)» */
export function wrongUsage({ message }: Pick<CommanderError, 'message'>): Failure {
  const [said = '', ...guesses] = cutWords(message).split('\n')
  const plain = said.replace(/^error: /, '').replace(/\.$/, '')
  const sentence = `${plain.charAt(0).toUpperCase()}${plain.slice(1)}`
  const hints = guesses.map((guess) => guess.replaceAll(/[()]/g, '')).filter((guess) => guess !== '')
  return new Failure({ code: 'invalid', sentence, hint: [...hints, USAGE_HINT].join(' ') })
}

/** What was typed is named in the message, however long it is. */
export function cutWords(text: string): string {
  return text.replaceAll(/\S{100,}/g, (word) => `${word.slice(0, 64)}…`)
}
