/** The settings as they are read and changed over the API: the file, what is in force, and every key with its help. */
import * as z from 'zod'

/** Whatever a key of the settings may hold. */
export const configValue = z.json()

export const configKeyView = z.object({
  /** Dotted, such as `thresholds.stuck`. */
  path: z.string(),
  help: z.string(),
  kind: z.enum(['boolean', 'number', 'text', 'choice', 'list', 'other']),
  /** What may be chosen. */
  options: z.array(z.string()).optional(),
  /** What is in force: from the file, or the default. Absent for an entry that exists only when it is written. */
  value: configValue.optional(),
  default: configValue.optional(),
  isSet: z.boolean(),
  /** False while nothing acts on it in this version. */
  inEffect: z.boolean(),
  note: z.string().optional(),
})
export type ConfigKeyView = z.infer<typeof configKeyView>

export const configView = z.object({
  file: z.string(),
  autoStart: z.boolean(),
  /** The whole of it, as it is in force. */
  config: z.record(z.string(), configValue),
  keys: z.array(configKeyView),
  /** Of the file as it stands; while there is any, the last good settings stay in force. */
  problems: z.array(z.string()),
  /** Changes whenever the file does; send it back with a change, so that nobody's edit is lost. */
  etag: z.string(),
})
export type ConfigView = z.infer<typeof configView>

/**
 * Keys by their path, or parts of the file as they stand there (`{ thresholds: { stuck_minutes: 45 } }`); comments and
 * all other keys are kept.
 */
export const configChange = z
  .object({
    autoStart: z.boolean().optional(),
    set: z.record(z.string().max(200), configValue).optional(),
    unset: z.array(z.string().max(200)).max(100).optional(),
    /** The one the change was made for. */
    etag: z.string().max(200).optional(),
  })
  .catchall(configValue)
export type ConfigChange = z.infer<typeof configChange>
