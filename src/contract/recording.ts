/** A recording of what the daemon was told, and what is shown of the one that runs. */
import * as z from 'zod'

/** Raised with every change of what a recording holds; older ones are read by core/recordings. */
export const RECORDING_FORMAT = 2

/** What was not seen but told from a transcript afterwards. */
const inferred = z.object({
  transcript: z.string(),
  what: z.array(z.string()),
})

/** What a person said of a verdict that was wrong, and which one it was. */
const label = z.object({
  words: z.string(),
  agent: z.string(),
  wallAt: z.number(),
  health: z.string(),
  cause: z.string(),
  reason: z.string(),
})

/** The first line of the file; the state is core's own, as JSON. */
export const recordingHead = z.object({
  cloister: z.literal('recording'),
  format: z.int(),
  startedWallAt: z.number(),
  state: z.looseObject({}),
  inferred: inferred.optional(),
  label: label.optional(),
})
export type RecordingHead = z.infer<typeof recordingHead>

/** One input with what was decided by it: its events, its effects, and the prices that were asked for. */
export const recordedStep = z.object({
  input: z.looseObject({ id: z.string(), type: z.string(), wallAt: z.number(), monoAt: z.number() }),
  events: z.array(z.looseObject({ type: z.string() })),
  effects: z.array(z.string()),
  rates: z.record(z.string(), z.looseObject({}).nullable()).optional(),
})
export type RecordedStep = z.infer<typeof recordedStep>

/** The last line; without it the file was cut off. */
export const recordingEnd = z.object({
  end: z.object({
    why: z.string(),
    inputs: z.int(),
    redacted: z.int(),
    /** Of an inferred one: what of the transcript was read, and what could not be. */
    read: z.record(z.string(), z.union([z.number(), z.array(z.string())])).optional(),
    /** Of a labelled one: whether it led to the verdict that was wrong when it was written. */
    reproduced: z.boolean().optional(),
  }),
})
export type RecordingEnd = z.infer<typeof recordingEnd>['end']

/** Of what a person says of a wrong verdict. */
export const WORDS_LIMIT = 1000

/** What came of saying that a verdict was wrong. */
export const wrongView = z.object({
  /** Where it was written down. */
  file: z.string(),
  inputs: z.int().nonnegative(),
  health: z.string(),
  cause: z.string(),
  /** Told again from what was kept, it leads to the same verdict. */
  reproduced: z.boolean(),
  kept: z.int().positive(),
  most: z.int().positive(),
})
export type WrongView = z.infer<typeof wrongView>

export const recordingView = z.object({
  recording: z.boolean(),
  /** Of the one that runs, or else of the last one since the daemon started. */
  last: z
    .object({
      file: z.string(),
      startedWallAt: z.number(),
      untilWallAt: z.number().optional(),
      inputs: z.int().nonnegative(),
      bytes: z.int().nonnegative(),
      maxBytes: z.int().positive(),
      /** Why it ended. */
      ended: z.string().optional(),
    })
    .optional(),
})
export type RecordingView = z.infer<typeof recordingView>
