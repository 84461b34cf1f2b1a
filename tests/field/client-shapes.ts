/** How ten versions of the client write the same things: which fields there are, and where subagents stand. */

export interface Shape {
  version: string
  /** Why an answer ended stands in its records. */
  stopReasons: boolean
  permissionMode: boolean
  /** Records that tell the end of a turn. */
  turnEnd?: 'stop_hook_summary' | 'turn_duration'
  subagents: 'sidechain' | 'beside' | 'progress' | 'folder'
  /** What an error of the service has beside its words. */
  errors: 'words' | 'word' | 'status'
  queue: boolean
  /** Lines about how the conversation is kept. */
  keeping: readonly string[]
}

export const SHAPES: readonly Shape[] = [
  old('1.0.90', { subagents: 'sidechain', queue: false, keeping: ['summary'] }),
  old('1.0.128', { subagents: 'sidechain', keeping: ['summary'] }),
  old('2.0.14', { subagents: 'beside', keeping: ['file-history-snapshot'] }),
  old('2.0.76', { subagents: 'beside', permissionMode: true, turnEnd: 'stop_hook_summary' }),
  old('2.1.19', { subagents: 'progress', permissionMode: true }),
  old('2.1.47', { subagents: 'progress', permissionMode: true, errors: 'word', turnEnd: 'turn_duration' }),
  old('2.1.77', { subagents: 'folder', permissionMode: true, errors: 'word', turnEnd: 'turn_duration' }),
  young('2.1.167', ['file-history-snapshot']),
  young('2.1.219', ['mode', 'last-prompt']),
  young('2.1.325', ['mode', 'last-prompt', 'api-request']),
]

function old(version: string, given: Partial<Shape>): Shape {
  const keeping = ['file-history-snapshot']
  return {
    version,
    stopReasons: false,
    permissionMode: false,
    subagents: 'beside',
    errors: 'words',
    queue: true,
    keeping,
    ...given,
  }
}

function young(version: string, keeping: readonly string[]): Shape {
  const known = { stopReasons: true, permissionMode: true, queue: true } as const
  return { version, ...known, turnEnd: 'turn_duration', subagents: 'folder', errors: 'status', keeping }
}
