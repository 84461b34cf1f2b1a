/** Which files are transcripts: a session's own, those of its subagents in the folder of its name, all of a folder. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const ENDING = '.jsonl'

/** The session's own file and those of its subagents; the own one is named even when it does not exist yet. */
export function sessionFiles(transcript: string): string[] {
  const folder = transcript.endsWith(ENDING) ? transcript.slice(0, -ENDING.length) : transcript
  return [transcript, ...allTranscripts(join(folder, 'subagents'))]
}

/** Every transcript in the folder and below it, in no order; none when there is no such folder. */
export function allTranscripts(folder: string): string[] {
  const found: string[] = []
  const folders = [folder]
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const name of namesIn(next)) {
      if (name.endsWith(ENDING)) found.push(`${next}/${name}`)
      // The client's folders have no dot in their names; its other files do.
      else if (!name.includes('.')) folders.push(`${next}/${name}`)
    }
  }
  return found
}

/** Names alone: asking for their kinds costs as much again. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Sessions come and go while they are looked for, and a file may have any name.
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
}
