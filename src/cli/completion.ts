/** The command tree as the completion library wants it: names, options, and values for arguments. */
import { RootCommand, type Command as Completed } from '@bomb.sh/tab'
import type { Command } from 'commander'
import { printable } from './output.ts'

/** Values by the name of the argument that takes them. */
export type Values = Readonly<Record<string, readonly { value: string; about: string }[]>>

export function completionOf(program: Command, values: Values): RootCommand {
  const root = new RootCommand()
  addOptions(root, program)
  addCommands(root, program, { path: [], values })
  return root
}

function addCommands(root: RootCommand, parent: Command, given: { path: readonly string[]; values: Values }): void {
  for (const command of parent.createHelp().visibleCommands(parent)) {
    const path = [...given.path, command.name()]
    const completed = root.command(path.join(' '), command.description())
    addOptions(completed, command)
    for (const argument of command.registeredArguments) {
      const choices = (argument.argChoices ?? []).map((value) => ({ value, about: '' }))
      const known = [...choices, ...(given.values[argument.name()] ?? [])]
      completed.argument(
        argument.name(),
        (complete) => {
          for (const { value, about } of known) complete(value, printable(about))
        },
        argument.variadic,
      )
    }
    addCommands(root, command, { path, values: given.values })
  }
}

function addOptions(completed: Completed, command: Command): void {
  for (const option of command.createHelp().visibleOptions(command)) {
    const name = option.long?.replace(/^--/, '')
    if (name === undefined) continue
    const short = option.short?.replace(/^-/, '')
    // An option with a value needs a handler, even one that knows nothing, or its value would be taken as a word.
    if (option.required || option.optional) completed.option(name, option.description, () => undefined, short)
    else completed.option(name, option.description, short)
  }
}
