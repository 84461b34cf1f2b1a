/** Reads cloister.yaml again when it changed. A file with a mistake changes nothing but what is said about it. */
import type { Settings } from '../contract/settings.ts'

export interface LoadedSettings {
  settings?: Settings
  problems: readonly string[]
}

export interface Following {
  load: () => Promise<LoadedSettings>
  /** Called with the new settings and the names of those that differ. */
  change: (settings: Settings, names: string[]) => void
  /** Called with what is wrong with the file, and with nothing when it is well again. */
  complain: (problems: readonly string[]) => void
}

/** Returns the question to ask now and then; it answers when the file has been looked at. */
export function followSettings(first: Settings, following: Following): () => Promise<void> {
  let last = first
  let complaint = ''
  return async () => {
    const { settings, problems } = await following.load()
    if (problems.join('\n') !== complaint) {
      complaint = problems.join('\n')
      following.complain(problems)
    }
    if (settings === undefined || settings === last) return
    const names = differences(last, settings)
    last = settings
    if (names.length > 0) following.change(settings, names)
  }
}

function differences(before: Settings, after: Settings): string[] {
  const names = Object.keys(after) as (keyof Settings)[]
  return names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
}
