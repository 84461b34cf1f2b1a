/** What every runtime promises, whatever program it starts. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, readFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sighting } from '../../src/contract/evidence.ts'
import type { AgentRecord } from '../../src/contract/records.ts'
import { fingerprint } from '../../src/core/fingerprint.ts'
import type { Handle, RawReport } from '../../src/core/ports.ts'
import type { Runtime } from '../../src/core/runtime-port.ts'

export interface RuntimePlace {
  runtime: Runtime
  /** Another one of the same kind, which has read nothing yet. */
  fresh: () => Runtime
  agent: AgentRecord
  home: string
  homeId: string
  /** Hook reports of this runtime, in an order in which they may come. */
  reports: readonly { kind: string; body: string }[]
  /** Hook reports that say «idle», «a prompt was heard», «a person is asked». */
  samples: { idle: Sample; prompt: Sample & { text: string }; permission: Sample }
  remove(): void
}

interface Sample {
  kind: string
  body: string
}

export function runtimeSuite(name: string, makePlace: () => RuntimePlace): void {
  describe(`runtime: ${name}`, () => {
    let place: RuntimePlace

    beforeEach(() => {
      place = makePlace()
    })
    afterEach(() => place.remove())

    const handleOf = (): Handle => ({ agent: place.agent.id, generation: 3, run: 'run-7' })
    let count = 0
    const raw = ({ kind, body }: Sample): RawReport => {
      count += 1
      return {
        id: `h.run-7.3.${kind}.${count}-1-2`,
        run: 'run-7',
        generation: 3,
        kind,
        body,
        wallAt: 1_800_000_000_000,
      }
    }
    /** As the daemon completes and stores it; read by a runtime that never read another report. */
    const stored = (report: RawReport) => {
      const said = place.fresh().read(report)
      return said === undefined ? undefined : sighting.parse({ ...said, agent: place.agent.id, generation: 3 })
    }

    test('can be started here', async () => {
      expect(await place.runtime.check(place.agent)).toEqual([])
    })

    test('says what is missing, in sentences', async () => {
      const problems = await place.runtime.check({ ...place.agent, workspace: '/nowhere/at/all' })
      expect(problems).toHaveLength(1)
      expect(problems[0]).toMatch(/^[A-Z].*\/nowhere\/at\/all.*\.$/)
    })

    test('what it says it can do, it can do', async () => {
      const { runtime } = place
      const can = {
        resume: runtime.resume !== undefined,
        usage: runtime.usage !== undefined,
        clear: runtime.clearText !== undefined,
        softStop: runtime.softStop !== undefined,
      }
      expect(runtime.capabilities).toMatchObject(can)
      const launch = await runtime.resume?.(place.agent, handleOf(), { session: 'session-1', prompt: '-- go on' })
      const fresh = await runtime.launch(place.agent, handleOf(), '-- go on')
      // Every flag is passed again, and the prompt is still the last argument.
      const flags = launch?.argv.filter((word) => word !== '--resume' && word !== 'session-1')
      expect({ argv: flags, cwd: launch?.cwd, env: launch?.env }).toEqual(fresh)
      expect(launch?.argv.slice(launch.argv.indexOf('--resume'), -2)).toEqual(['--resume', 'session-1'])
    })

    test('a launch is a program that can be started as it is, in the workspace, tagged', async () => {
      const { argv, cwd, env } = await place.runtime.launch(place.agent, handleOf(), 'go on')
      const [program = '', ...args] = argv
      expect(isAbsolute(program)).toBe(true)
      accessSync(program, constants.X_OK)
      expect(cwd).toBe(place.agent.workspace)
      expect(env).toMatchObject({
        CLOISTER_RUN: `${place.homeId}.run-7`,
        CLOISTER_GENERATION: '3',
        CLOISTER_SPOOL: place.home,
        PANOPTICON_AGENT_ID: place.agent.id,
      })
      const ended = spawnSync(program, args, { cwd, env, input: '', timeout: 30_000 })
      expect({ status: ended.status, stderr: ended.stderr.toString() }).toEqual({ status: 0, stderr: '' })
    })

    test('a launch takes nothing of the environment that is not allowed', async () => {
      const { env } = await place.runtime.launch(place.agent, handleOf(), undefined)
      expect(Object.keys(env)).not.toContain('SECRET_OF_THE_USER')
    })

    test.each(['go on', '--dangerous', '-p', '/clear', '!rm x', 'two\nlines; $(id) `id` "q" \'q\''])(
      'the prompt «%s» is one last argument behind «--»',
      async (prompt) => {
        const { argv } = await place.runtime.launch(place.agent, handleOf(), prompt)
        expect(argv.slice(-2)).toEqual(['--', place.runtime.phrase(prompt)])
      },
    )

    test('without a prompt there is no argument for it', async () => {
      const { argv } = await place.runtime.launch(place.agent, handleOf(), undefined)
      expect(argv).not.toContain('--')
    })

    test.each([
      ['plain', 'plain'],
      ['a\r\nb\r', 'a\nb'],
      ['a\tb', 'a    b'],
      ['tail\\', 'tail'],
      ['tail\\ \\\n', 'tail'],
      ['in\\side', 'in\\side'],
      ['!ls', ' !ls'],
      ['/clear', '> /clear'],
      [' /already', '> /already'],
      ['exit', '> exit'],
      [':wq!', '> :wq!'],
      ['exit now', 'exit now'],
      ['a / b !', 'a / b !'],
      ['', ''],
      ['\\', ''],
    ])('types %j as %j', (text, typed) => {
      expect(place.runtime.phrase(text)).toBe(typed)
      expect(place.runtime.phrase(typed)).toBe(typed)
    })

    test('idle, heard and asked are what they must be', () => {
      const { idle, prompt, permission } = place.samples
      const heard = { heard: fingerprint(prompt.text), facts: [{ fact: 'prompt_heard' }] }
      expect(stored(raw(prompt))).toMatchObject(heard)
      const report = raw(permission)
      const ask = { id: report.id.split('.').at(-1) }
      expect(stored(report)?.facts).toMatchObject([{ fact: 'wait_opened', doing: { kind: 'permission', ask } }])
      expect(stored(raw(idle))?.facts).toEqual([{ fact: 'turn_ended', rest: { kind: 'idle' } }])
    })

    test('a question can be answered by what was kept of it', () => {
      const [fact] = stored(raw(place.samples.permission))?.facts ?? []
      const doing = fact?.fact === 'wait_opened' ? fact.doing : undefined
      const request = doing?.kind === 'permission' ? (doing.ask?.request ?? '') : ''
      const [yes, no] = ['yes', 'no'].map((answer) => place.runtime.answer(request, answer))
      expect(yes).not.toBe(no)
      for (const line of [yes, no, place.runtime.answer('garbage', 'yes')]) {
        expect(line).not.toMatch(/\n/)
        expect(JSON.parse(line ?? '')).toBeTypeOf('object')
      }
    })

    test('a report says the same whatever was read before it: nothing is remembered', () => {
      const reports = place.reports.map(raw)
      const alone = reports.map((report) => place.fresh().read(report))
      expect(reports.map((report) => place.runtime.read(report))).toEqual(alone)
      expect(reports.toReversed().map((report) => place.runtime.read(report))).toEqual(alone.toReversed())
    })

    test('every report it knows becomes a sighting that can be stored, and reads the same again', () => {
      for (const each of place.reports) {
        const report = raw(each)
        const said = stored(report)
        expect({ kind: each.kind, witness: said?.witness, stamp: said?.stamp }).toEqual({
          kind: each.kind,
          witness: 'hook',
          stamp: report.id,
        })
        expect(stored(report)).toEqual(said)
      }
    })

    test.each(['', 'x', '{', '[]', 'null', '3', '"text"', '\u0000', '{"a":', '{}'.repeat(2)])(
      'garbage %j is nothing',
      (body) => {
        for (const { kind } of place.reports) expect(place.runtime.read(raw({ kind, body }))).toBe(undefined)
      },
    )

    test('whatever a body holds, reading neither throws nor gives what cannot be stored', () => {
      const kinds = [...new Set(place.reports.map(({ kind }) => kind)), '__proto__', 'constructor']
      const keys = [...new Set(place.reports.flatMap(({ body }) => Object.keys(JSON.parse(body) as object)))]
      const hostile = fc.dictionary(
        fc.constantFrom(...keys),
        fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary', minLength: 300 })),
      )
      fc.assert(
        fc.property(fc.constantFrom(...kinds), hostile, (kind, body) => {
          stored(raw({ kind, body: JSON.stringify(body) }))
        }),
        { numRuns: 500 },
      )
    })

    test('known reports with one field spoilt are stored or left out, never thrown', () => {
      const spoils = [null, 0, -1, 'x'.repeat(5000), [], {}, [null], { a: { b: [] } }, '\u001b[2J\ud800', true]
      for (const { kind, body } of place.reports) {
        const fields = JSON.parse(body) as Record<string, unknown>
        for (const key of Object.keys(fields)) {
          for (const spoil of spoils) stored(raw({ kind, body: JSON.stringify({ ...fields, [key]: spoil }) }))
        }
      }
    })
  })
}

export interface HookFixture {
  kind: string
  body: object
}

/** The payloads that stand in the adapter's folder. */
export function readFixtures(file: URL): { kind: string; body: string }[] {
  const fixtures = JSON.parse(readFileSync(file, 'utf8')) as Record<string, HookFixture>
  return Object.values(fixtures).map(({ kind, body }) => ({
    kind,
    body: JSON.stringify({ session_id: 'session-1', transcript_path: '/t', cwd: '/w', hook_event_name: kind, ...body }),
  }))
}
