/** The commands of the documents, /work-issue and /work-tell, as the client takes them: a file each. */

export interface SlashCommand {
  /** Under the user's folder of commands. */
  file: string
  /** Of the program that is called. */
  textFor: (program: string) => string
  /** Whether a text is ours, whichever program it calls. */
  isOurs: (text: string) => boolean
}

export const SLASH_COMMANDS: readonly SlashCommand[] = [
  slashCommand(
    'work-issue.md',
    (pan) => `---
description: Start an agent on an issue, in a git worktree of its own (Cloister)
argument-hint: <issue-id> [what it is about]
allowed-tools: Bash(${pan} work issue:*)
---

Start a Cloister agent on an issue. The arguments are: $ARGUMENTS

The first word is the id of the issue; the rest, if there is any, is its title. Run exactly one command, with the title
as one quoted word, or without --title when there is none:

    ${pan} work issue <id> --title '<title>'

Then say in one or two sentences what it answered: which agent, which branch and which folder, or why not and what it
says to do next. Do nothing else: do not work on the issue yourself.
`,
  ),
  slashCommand(
    'work-tell.md',
    (pan) => `---
description: Tell something to the agent of an issue, waking it if it sleeps (Cloister)
argument-hint: <issue-id> <text>
allowed-tools: Bash(${pan} work tell:*)
---

Give a message to a Cloister agent. The arguments are: $ARGUMENTS

The first word is the id of the issue; the rest is the message, word for word. Run exactly one command, with the message
as one quoted word:

    ${pan} work tell <id> -- '<message>'

Then say in one sentence what it answered. Do nothing else: do not act on the message yourself.
`,
  ),
]

/** The text is given the program as a word of a shell. */
function slashCommand(file: string, text: (pan: string) => string): SlashCommand {
  return {
    file,
    textFor: (program) => text(quoted(program)),
    isOurs: (given) => {
      const pan = /^allowed-tools: Bash\((.+) work \w+:\*\)$/m.exec(given)?.[1]
      return pan !== undefined && text(pan) === given
    },
  }
}

function quoted(program: string): string {
  return /^[\w./-]+$/.test(program) ? program : `'${program.replaceAll("'", "'\\''")}'`
}
