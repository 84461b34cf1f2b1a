/** What happens in generated transcripts, and what the judge must or must not say of it. */
import { SHAPES } from './client-shapes.ts'
import { HOUR, MINUTE, SECOND, Transcript } from './transcript.ts'

export interface Plot {
  name: string
  /** The cause that must be said; none where nothing may be called stuck, hung or looping. */
  trouble?: 'hung' | 'looping'
  /** A cause that must be said without anybody being stuck. */
  says?: string
  write: (transcript: Transcript) => void
}

export const PLOTS: readonly Plot[] = [
  { name: 'works', write: (t) => turns(t, 6) },
  {
    name: 'delegates',
    write: (t) => {
      t.prompt('look around')
      t.wait(4 * SECOND)
      t.delegates(t.random.int(6, 14))
      t.delegates(t.random.int(2, 5))
      t.says('found it')
      turns(t, 2)
    },
  },
  {
    name: 'polls and tests for long',
    write: (t) => {
      t.prompt('wait for the build')
      for (let n = 0; n < 12; n += 1)
        t.does('Bash', { command: 'sleep 60; gh run list' }, { takes: 62 * SECOND, says: `step ${n}` })
      const long = { command: 'npm test', timeout: 600_000 }
      for (let n = 0; n < 3; n += 1)
        t.does('Bash', long, { takes: t.random.int(200, 580) * SECOND, says: `${n} passed` })
      t.says('green')
    },
  },
  {
    name: 'is interrupted and left for hours',
    write: (t) => {
      t.prompt('go on')
      t.wait(5 * SECOND)
      const id = t.call('Bash', { command: 'sleep 100' })
      t.wait(9 * SECOND)
      if (t.random.chance(0.5))
        t.result(id, "The user doesn't want to proceed with this tool use. The tool use was rejected", true)
      t.interrupt(true)
      t.wait(t.random.int(2, 9) * HOUR)
      turns(t, 1)
    },
  },
  {
    name: 'is closed in a turn and gone on with',
    write: (t) => {
      t.prompt('begin')
      t.wait(3 * SECOND)
      t.does('Read', { file_path: '/a' })
      t.wait(t.random.int(8, 40) * HOUR)
      turns(t, 2)
    },
  },
  {
    name: 'waits for a permission all night',
    write: (t) => {
      t.mode = 'default'
      t.prompt('deploy')
      t.wait(4 * SECOND)
      t.does('Bash', { command: './deploy' }, { takes: t.random.int(4, 9) * HOUR })
      t.says('deployed')
      t.wait(t.random.int(1, 3) * HOUR)
      t.prompt('thanks')
      t.wait(3 * SECOND)
      t.says('welcome')
    },
  },
  {
    name: 'is limited',
    says: 'rate_limited',
    write: (t) => {
      turns(t, 2)
      t.prompt('more')
      t.wait(5 * SECOND)
      t.fails("You've hit your limit · resets 6am (UTC)", { error: 'rate_limit', status: 429 })
      t.wait(t.random.int(1, 3) * HOUR)
      turns(t, 1)
    },
  },
  {
    name: 'gets no answer',
    trouble: 'hung',
    write: (t) => {
      turns(t, 2)
      t.prompt('and now this')
      t.wait(3 * SECOND)
      t.does('Read', { file_path: '/b' })
      t.wait(t.random.int(50, 120) * MINUTE)
      t.interrupt()
      t.wait(30 * SECOND)
      turns(t, 1)
    },
  },
  {
    name: 'hangs in a tool',
    trouble: 'hung',
    write: (t) => {
      t.prompt('fetch it')
      t.wait(3 * SECOND)
      // Older clients do not write down whether they ask: there it can be known of an answer only.
      const id = t.shape.permissionMode ? t.call('Bash', { command: 'curl http://x' }) : undefined
      t.wait(t.random.int(60, 120) * MINUTE)
      t.interrupt(id !== undefined)
      t.wait(20 * SECOND)
      turns(t, 1)
    },
  },
  {
    name: 'fails again and again',
    trouble: 'looping',
    write: (t) => {
      t.prompt('make it build')
      t.wait(3 * SECOND)
      for (let n = 0; n < 16; n += 1) {
        t.does(
          'Bash',
          { command: 'npm run build' },
          { takes: 8 * SECOND, says: 'Exit code 1\nerror TS2304: Cannot find name x', fails: true },
        )
      }
      t.interrupt()
      t.wait(HOUR)
      turns(t, 1)
    },
  },
]

export interface Written {
  file: string
  plot: Plot
  version: string
}

/** Each plot by each version: a hundred. */
export function writeTranscripts(folder: string, seed: number): Written[] {
  return SHAPES.flatMap((shape, s) =>
    PLOTS.map((plot, p) => {
      const transcript = new Transcript(shape, seed * 1000 + s * PLOTS.length + p)
      plot.write(transcript)
      return { file: transcript.write(folder), plot, version: shape.version }
    }),
  )
}

/** Turns of honest work, with rest between them. */
function turns(t: Transcript, count: number): void {
  for (let n = 0; n < count; n += 1) {
    t.prompt(`do part ${n}`)
    t.wait(t.random.int(2, 30) * SECOND)
    for (let step = t.random.int(2, 8); step > 0; step -= 1) {
      const seed = t.random.int(1, 1_000_000)
      const chance = t.random.next()
      if (chance < 0.3) t.does('Edit', { file_path: `/src/${seed}.ts`, old_string: 'a', new_string: 'b' })
      else if (chance < 0.5) t.does('Grep', { pattern: `w${seed}` }, { says: `${seed} lines` })
      else t.does('Bash', { command: `cat ${seed}` }, { says: `text ${seed}`, takes: t.random.int(1, 90) * SECOND })
    }
    t.says(`part ${n} is done`)
    t.wait(t.random.int(1, 50) * MINUTE)
  }
}
