/** `pan record` and `pan replay`: a night written down, and told again without a daemon. */
import { Command } from 'commander'
import type { RecordingView } from '../../contract/recording.ts'
import { instantOf } from '../instant.ts'
import { print, printJson } from '../output.ts'
import { JSON_OPTION, type Pan } from '../pan.ts'
import { clockTime, count } from '../words.ts'

interface Options {
  json?: true
  for?: string
  session?: string
  out?: string
  force?: true
}

const FOR_OPTION = ['--for <time>', 'end it by itself after so long: 90s, 30m, 8h, 2d'] as const

export function recordCommand(pan: Pan): Command {
  const record = new Command('record')
    .description('write down what the daemon is told, so that `pan replay` can tell it again')
    .option(...FOR_OPTION)
    .option('--session <transcript>', 'make a recording of a past session of Claude Code, or of a folder of them')
    .option('--out <path>', 'with --session: where it goes; left out, the recordings of the home')
    .option('--force', 'with --session: write over a recording that is there')
    .option(...JSON_OPTION)
    .addHelpText('after', recordHelp)
    .action((options: Options, command: Command) => {
      if (options.session !== undefined) return recordSession(pan, options, command)
      if (options.out !== undefined || options.force) command.error('error: --out and --force go with --session.')
      return options.for === undefined ? show(pan, options) : start(pan, options, command)
    })
  record
    .command('start')
    .description('begin; it goes on in the daemon until it is stopped, its time is over, or it is full')
    .option(...FOR_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', `${startExamples}\n${exits}`)
    .action((_: Options, command: Command) => start(pan, command.optsWithGlobals(), command))
  record
    .command('stop')
    .description('end it, and say where it lies')
    .option(...JSON_OPTION)
    .addHelpText('after', `${stopExamples}\n${exits}`)
    .action((_: Options, command: Command) => {
      const options: Options = command.optsWithGlobals()
      return pan.ask({ ...asking(options), attempt: 'end the recording' }, async (client) =>
        tell(options, await client.call('POST /api/recording/stop')),
      )
    })
  return record
}

export function replayCommand(start: Pan['start']): Command {
  return new Command('replay')
    .description('tell a recorded night again, offline, and check that every decision is the recorded one')
    .argument('<recording>', 'a file that `pan record` made, a transcript of Claude Code, or a folder of them')
    .option('--explain', 'what was judged when, why, and what was done about it, as a story')
    .option('--all', 'every event, not only verdicts, acts, interventions and doubts')
    .option(...JSON_OPTION)
    .addHelpText('after', replayHelp)
    .action(async (file: string, { json, all, explain }: { json?: true; all?: true; explain?: true }) => {
      const flags = [...(json ? ['--json'] : []), ...(all ? ['--all'] : []), ...(explain ? ['--explain'] : [])]
      await start('replay', [...flags, '--', file])
    })
}

/** Needs no daemon: a program of its own reads the transcript. */
async function recordSession(pan: Pan, { session = '', out, force, json, ...rest }: Options, command: Command) {
  if (rest.for !== undefined) command.error('error: --for is for a recording of the daemon, not for a past session.')
  const flags = [
    ...(json ? ['--json'] : []),
    ...(force ? ['--force'] : []),
    ...(out === undefined ? [] : [`--out=${out}`]),
  ]
  await pan.start('record-session', [...flags, '--', session])
}

function start(pan: Pan, options: Options, command: Command): Promise<void> {
  const seconds = options.for === undefined ? undefined : secondsOf(options.for)
  if (options.for !== undefined && (seconds === undefined || seconds < 1)) {
    command.error(`error: --for ${options.for} is no time: use 90s, 30m, 8h or 2d.`)
  }
  const body = seconds === undefined ? {} : { seconds }
  return pan.ask({ ...asking(options), attempt: 'begin a recording' }, async (client) =>
    tell(options, await client.call('POST /api/recording/start', { body })),
  )
}

function show(pan: Pan, options: Options): Promise<void> {
  return pan.ask(asking(options), async (client) => tell(options, await client.call('GET /api/recording')))
}

function asking({ json }: Options): { json?: true } {
  return json ? { json } : {}
}

function secondsOf(text: string): number | undefined {
  const at = /^\d+[smhd]$/.test(text) ? instantOf(text, 0) : undefined
  return at === undefined ? undefined : at / 1000
}

function tell({ json }: Options, view: RecordingView): void {
  if (json) return printJson(view)
  print(...recordingLines(view))
}

export function recordingLines({ recording, last }: RecordingView): string[] {
  if (last === undefined) return ['Nothing is being recorded. Begin with `pan record start`.']
  const { file, startedWallAt, untilWallAt, inputs, bytes, maxBytes, ended } = last
  const size = `${count(inputs, 'input')}, ${megabytes(bytes)} of at most ${megabytes(maxBytes)}`
  if (recording) {
    const until = untilWallAt === undefined ? 'until `pan record stop`' : `until ${clockTime(untilWallAt)}`
    return [`Recording since ${clockTime(startedWallAt)}, ${until}: ${size}.`, `It lies in ${file}`]
  }
  return [
    `Not recording. The last one ended because ${ended ?? 'it was stopped'}: ${size}.`,
    `Tell it again with: pan replay ${file}`,
  ]
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}

const exits = `
Exit codes:
  0  done
  1  one runs already, or none does
  3  no daemon runs`

const startExamples = `
Examples:
  pan record start
  pan record start --for 8h`

const stopExamples = `
Examples:
  pan record stop
  pan replay "$(pan record stop --json | jq -r .last.file)"`

const recordHelp = `
Without start or stop it shows whether one runs; with --for it begins one. The file lies in the home under recordings,
readable by you alone, with the state at the beginning and every input after it. Secrets are taken out of its texts.
It ends by itself at 64 MB, and when the daemon goes down; why it ended is said.

With --session it needs no daemon: a transcript of Claude Code (any version since 1.0.90) becomes a recording, judged by
your settings. What its hooks and processes would have told is inferred from its records, and marked so. Lines of up to
64 MB are read, one at a time; what cannot be read is counted and said.

Examples:
  pan record --for 8h        this night
  pan record start           until it is stopped
  pan record                 does one run, and how large is it
  pan record stop
  pan record --session ~/.claude/projects/-home-me-shop/4f0c….jsonl --out night.jsonl
  pan record --session ~/.claude/projects/-home-me-shop --out nights --json
${exits}
  With --session: 0 every transcript was recorded, 1 one could not be read or its recording is there already.`

const replayHelp = `
Needs no daemon and touches nothing. The recorded inputs go through the same judgement; each verdict change, act,
intervention and doubt is told with its time, by this machine's clock. In the end it is checked against what was decided
then. A transcript of Claude Code is judged as if Cloister had watched it: what it would have done when, while in truth
nothing was done. Of a folder there is one row for each file.

Examples:
  pan replay ~/.panopticon/recordings/2026-01-20T22-00-00.000Z.jsonl
  pan replay --explain ~/.claude/projects/-home-me-shop/4f0c….jsonl
  pan replay ~/.claude/projects
  pan replay night.jsonl --json | jq '.events[] | select(.type == "act.decided") | .sentence'

Exit codes:
  0  every decision is the recorded one; of transcripts: they were judged
  1  one is different, or a recording is damaged or cut off, or nothing could be read
  2  wrong usage`
