/**
 * The hook events of the client, each with the first version that surely knows it. One name that a version does not
 * know disables its whole settings file, so that names are only written for versions that have them.
 */
import { isAtLeast, type Version } from './version.ts'

/** Where the first version is not known exactly, it is the first one that was seen to have the event. */
const SINCE: readonly (readonly [since: Version, ...names: string[]])[] = [
  [[1, 0, 38], 'PreToolUse', 'PostToolUse', 'Notification', 'Stop'],
  [[1, 0, 41], 'SubagentStop'],
  [[1, 0, 48], 'PreCompact'],
  [[1, 0, 54], 'UserPromptSubmit'],
  [[1, 0, 62], 'SessionStart'],
  [[1, 0, 85], 'SessionEnd'],
  [[2, 0, 43], 'SubagentStart'],
  [[2, 1, 17], 'PostToolUseFailure', 'Setup'],
  [[2, 1, 33], 'TeammateIdle', 'TaskCompleted'],
  [[2, 1, 49], 'ConfigChange'],
  [[2, 1, 69], 'InstructionsLoaded'],
  [[2, 1, 76], 'PostCompact', 'Elicitation', 'ElicitationResult'],
  [[2, 1, 78], 'StopFailure'],
  [[2, 1, 83], 'CwdChanged'],
  [[2, 1, 84], 'TaskCreated'],
  [[2, 1, 89], 'PermissionDenied'],
  [[2, 1, 198], 'PostToolBatch', 'UserPromptExpansion'],
  [[2, 1, 251], 'PreModelSwitch', 'PostModelSwitch'],
  [[2, 1, 325], 'DirectoryAdded'],
]

const ASK_SINCE: Version = [2, 0, 45]
/** From here on a hook with `args` is started without a shell. */
const ARGS_SINCE: Version = [2, 1, 198]
/** What every client of the last years has; used when it does not say its version. */
const OLDEST: Version = [1, 0, 85]

export interface HookEvents {
  /** Events that are reported and expect no answer. */
  reported: readonly string[]
  /** It has PermissionRequest, so that a person can answer from elsewhere. */
  asks: boolean
  /** It can start a hook without a shell. */
  withArgs: boolean
}

export function hookEvents(version: Version | undefined): HookEvents {
  const known = version ?? OLDEST
  return {
    reported: SINCE.flatMap(([since, ...names]) => (isAtLeast(known, since) ? names : [])),
    asks: isAtLeast(known, ASK_SINCE),
    withArgs: isAtLeast(known, ARGS_SINCE),
  }
}
