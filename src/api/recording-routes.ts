/** Recording what the daemon is told, so that it can be replayed offline. */
import * as z from 'zod'
import { recordingView, WORDS_LIMIT, wrongView } from '../contract/recording.ts'
import { noAgent, ok, refused } from './answer.ts'
import { get, post } from './route.ts'

const WEEK_S = 7 * 24 * 3600

const startBody = z
  .strictObject({
    /** It ends by itself after so many seconds; left out, when it is stopped or full. */
    seconds: z.int().min(1).max(WEEK_S).optional(),
  })
  .default({})

export const recordingRoutes = [
  get('/api/recording', {
    summary: 'Whether the inputs of the daemon are being recorded, and where the last recording lies.',
    answer: recordingView,
    handler: (_, deps) => ok(deps.recording.view()),
  }),
  post('/api/recording/start', {
    summary: 'Begins to record the inputs of the daemon to a file of the home, for `pan replay`.',
    body: startBody,
    answer: recordingView,
    refusals: ['conflict', 'failed'],
    handler: ({ body }, deps) => {
      const begun = deps.recording.start(body.seconds)
      return 'code' in begun ? refused(begun) : ok(begun)
    },
  }),
  post('/api/recording/stop', {
    summary: 'Ends the recording that runs.',
    answer: recordingView,
    refusals: ['conflict'],
    handler: (_, deps) => {
      const ended = deps.recording.stop()
      return 'code' in ended ? refused(ended) : ok(ended)
    },
  }),
  post('/api/agents/:id/wrong', {
    summary:
      'Says that the verdict on it is wrong: its record and the last inputs that concerned it are kept as a recording.',
    body: z.strictObject({ words: z.string().trim().min(1).max(WORDS_LIMIT) }),
    answer: wrongView,
    refusals: ['not_found', 'conflict', 'failed'],
    handler: ({ param, body }, deps) => {
      const kept = deps.wrong(param, body.words)
      if (kept === undefined) return noAgent(param)
      return 'code' in kept ? refused(kept) : ok(kept)
    },
  }),
] as const
