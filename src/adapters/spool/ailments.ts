/** What is wrong with a spool, counted where it is met and told as sentences. */
import { pathsOf } from './layout.ts'

export class Ailments {
  /** Since the spool was opened. */
  garbage = 0
  truncated = 0
  dropped = 0
  /** As the last look at the folder found it; by file or by home. */
  readonly unreadable = new Map<string, string>()
  readonly unremovable = new Map<string, string>()
  readonly immovable = new Map<string, string>()
  readonly foreign = new Map<string, number>()
  folder: string | undefined
  disk: string | undefined
  readonly #home: string

  constructor(home: string) {
    this.#home = home
  }

  sentences(): string[] {
    const { fresh, bad } = pathsOf(this.#home)
    const said: (string | undefined)[] = [
      this.folder,
      this.disk,
      some(this.unreadable, (count, example, why) => {
        return `${count} hook files in ${fresh} could not be read (${example}: ${why}). They are tried again.`
      }),
      some(this.unremovable, (count, example, why) => {
        return `${count} hook files in ${fresh} were taken but could not be removed (${example}: ${why}). Make the folder writable for you.`
      }),
      some(this.immovable, (count, example, why) => {
        return `${count} things in ${fresh} are no hook files and could not be moved to ${bad} (${example}: ${why}). Remove them by hand.`
      }),
      this.garbage > 0 ? `${this.garbage} things in ${fresh} were no hook files; they are kept in ${bad}.` : undefined,
      this.dropped > 0
        ? `${this.dropped} more ${this.dropped === 1 ? 'was' : 'were'} deleted, because ${bad} is full. Look into it and empty it.`
        : undefined,
      this.truncated > 0
        ? `${this.truncated} hook files were too large; what they say after 1 MB was left out.`
        : undefined,
    ]
    for (const [homeId, count] of this.foreign) {
      said.push(
        `${count} hook files in ${fresh} belong to another home (${homeId}) and are left alone. Check CLOISTER_SPOOL there.`,
      )
    }
    return said.filter((sentence) => sentence !== undefined)
  }
}

function some(
  files: ReadonlyMap<string, string>,
  say: (count: number, example: string, why: string) => string,
): string | undefined {
  const [first] = files
  return first === undefined ? undefined : say(files.size, JSON.stringify(first[0]), first[1])
}
