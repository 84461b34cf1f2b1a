/**
 * Whatever others write, reading it neither throws nor gives what cannot be used. Parsers with tables of their own have
 * such a test beside them (registry, status line, hook bodies, transcripts, versions, the user's settings); the rest
 * are here.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerRequest, parseAsk, requestOf } from '../../src/adapters/claude-code/ask.ts'
import { checkStart } from '../../src/adapters/claude-code/check-start.ts'
import { clientSettings } from '../../src/adapters/claude-code/client-settings.ts'
import { readDraft } from '../../src/adapters/claude-code/read-draft.ts'
import { statusLineEntry } from '../../src/adapters/claude-code/status-line-entry.ts'
import { IndexFile } from '../../src/adapters/claude-code/transcripts/index-file.ts'
import { recordsIn } from '../../src/adapters/claude-code/transcripts/records-in.ts'
import { readMessage } from '../../src/adapters/git/snapshot-message.ts'
import { parseStat } from '../../src/adapters/process/proc-stat.ts'
import { findTag } from '../../src/adapters/process/run-tag.ts'
import { parseName } from '../../src/adapters/spool/layout.ts'
import { ControlLines } from '../../src/adapters/tmux/control-lines.ts'
import { readPanes } from '../../src/adapters/tmux/pane-lines.ts'
import { readDraft as readUnderstudyDraft } from '../../src/adapters/understudy/read-draft.ts'
import { question } from '../../src/contract/evidence.ts'
import { agentId, runId } from '../../src/contract/ids.ts'

const text = fc.string({ unit: 'binary', maxLength: 400 })
const bytes = fc.uint8Array({ maxLength: 400 })

describe('screens', () => {
  const style = fc.constantFrom('\u001B[2m', '\u001B[7m', '\u001B[0m', '\u001B[38;2;1;2;3m', '\u001B[', '\u001B')
  const piece = fc.oneof(text, style, fc.constantFrom('─'.repeat(40), '❯ ', '! ', '\n', '───', '> '))
  const screen = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))

  test('a draft is text, or there is none', () => {
    fc.assert(
      fc.property(screen, (shown) => {
        for (const read of [readDraft, readUnderstudyDraft]) expect(read(shown)).not.toBe('')
      }),
    )
  })

  test('a whole box with plain text gives that text back', () => {
    const plain = fc.stringMatching(/^[a-z][a-z ]{0,40}[a-z]$/)
    fc.assert(
      fc.property(screen, plain, (above, draft) => {
        const box = ['─'.repeat(40), `❯ ${draft}`, '─'.repeat(40), '  ? for shortcuts'].join('\n')
        expect(readDraft(`${above}\u001B[0m\n${box}`)).toBe(draft)
      }),
    )
  })
})

describe('what an agent asks', () => {
  const option = fc.oneof(fc.jsonValue(), fc.record({ label: text, description: fc.oneof(text, fc.jsonValue()) }))
  const asked = fc.oneof(
    fc.jsonValue(),
    fc.record({ question: fc.oneof(text, fc.jsonValue()), options: fc.array(option), multiSelect: fc.jsonValue() }),
  )
  const body = fc.record({
    tool_name: fc.oneof(fc.constantFrom('AskUserQuestion', 'Bash', 'ExitPlanMode'), fc.jsonValue()),
    tool_input: fc.oneof(fc.jsonValue(), fc.record({ questions: fc.array(asked, { maxLength: 12 }) })),
  })

  test('is shown in a form that can be stored, and any answer to it is one line of JSON', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          body.map((each) => JSON.stringify(each)),
          text,
        ),
        text,
        (request, answer) => {
          const ask = parseAsk(request)
          const kept = ask === undefined ? request : (requestOf(ask) ?? '')
          if (ask !== undefined) expect(question.array().max(10).safeParse(ask.questions).error).toBeUndefined()
          const line = answerRequest(kept, answer)
          expect(line).not.toContain('\n')
          expect(JSON.parse(line)).toBeTypeOf('object')
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe("the client's own files", () => {
  let root: string
  let workspace: string
  beforeAll(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'cloister-foreign-')))
    workspace = join(root, 'work')
    for (const folder of ['.claude', 'work/.claude', 'bin']) mkdirSync(join(root, folder), { recursive: true })
    writeFileSync(join(root, 'bin/claude'), '', { mode: 0o755 })
  })
  afterAll(() => rmSync(root, { recursive: true }))

  const keys = ['hasCompletedOnboarding', 'projects', 'customApiKeyResponses', 'env', 'apiKeyHelper', 'statusLine']
  const file = fc.oneof(
    text,
    fc.dictionary(fc.constantFrom(...keys), fc.jsonValue()).map((value) => JSON.stringify(value)),
    fc.json(),
  )

  test('what keeps it from being started is told in sentences, whatever stands in its state and settings', async () => {
    const agent = { id: 'agent-1', workspace }
    const situation = { program: 'claude', permissionMode: 'bypassPermissions', uid: 0 }
    const env = { HOME: root, PATH: join(root, 'bin') }
    await fc.assert(
      fc.asyncProperty(file, file, file, async (state, settings, credentials) => {
        writeFileSync(join(root, '.claude.json'), state)
        writeFileSync(join(root, '.claude/settings.json'), settings)
        writeFileSync(join(workspace, '.claude/settings.json'), settings)
        writeFileSync(join(root, '.claude/.credentials.json'), credentials)
        for (const sentence of await checkStart(agent, { ...situation, env })) expect(sentence).toMatch(/^[A-Z].*\.$/s)
        const read = await clientSettings(join(root, '.claude'), workspace)
        expect([typeof read.env, typeof read.userEnv, typeof read.hasKeyHelper]).toEqual([
          'object',
          'object',
          'boolean',
        ])
        const place = { program: '/bin/line', config: join(root, '.claude'), workspace }
        expect(await statusLineEntry(place)).toMatchObject({ type: 'command', command: expect.any(String) })
      }),
      { numRuns: 60 },
    )
  })

  test('an index that is not ours is read anew', () => {
    const index = join(root, 'index')
    const magic = fc.uint8Array({ minLength: 16, maxLength: 200 }).map((rest) => [0x74, 0x64, 0x78, 0x34, ...rest])
    fc.assert(
      fc.property(fc.oneof(bytes, magic), (content) => {
        writeFileSync(index, Buffer.from(content))
        const file = new IndexFile(index)
        expect(file.kept.catalogue.paths).toEqual([])
        file.close()
      }),
      { numRuns: 60 },
    )
  })
})

test('records of a line are values, in their order, whatever stands between them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), { maxLength: 4 }),
      text,
      (records, rest) => {
        expect(recordsIn(rest)).toBeInstanceOf(Array)
        expect(recordsIn(records.map((record) => JSON.stringify(record)).join(''))).toEqual(
          records.map((record) => JSON.parse(JSON.stringify(record)) as object),
        )
      },
    ),
  )
})

test('the name of a spool file gives ids that can be stored, or nothing', () => {
  const part = fc.oneof(text, fc.constantFrom('h', 'run-1', '3', 'Stop', '1-2-3', '-1', '', '999999999999'))
  const name = fc.oneof(
    text,
    fc.array(part, { maxLength: 7 }).map((parts) => parts.join('.')),
  )
  fc.assert(
    fc.property(name, (given) => {
      const parsed = parseName(given)
      if (parsed === undefined) return
      expect(runId.safeParse(parsed.run).success).toBe(true)
      expect(Number.isSafeInteger(parsed.generation)).toBe(true)
    }),
  )
})

test('panes of tmux have ids that can be stored; what is not ours is passed over', () => {
  const field = fc.oneof(
    text,
    fc.constantFrom('home', 'agent-1', 'run-1', '1', '%3', '0', '1700000000', '', '9'.repeat(30)),
  )
  const line = fc.array(field, { minLength: 10, maxLength: 13 }).map((fields) => fields.join('|'))
  fc.assert(
    fc.property(fc.oneof(text, line), (stdout) => {
      for (const { agent, run, ageMs } of readPanes(stdout, 'home', 1_800_000_000_000)) {
        expect([agentId.safeParse(agent).success, runId.safeParse(run).success, ageMs >= 0]).toEqual([true, true, true])
      }
    }),
  )
})

test('a control client is read the same however its bytes are cut', () => {
  const heads = [
    '%begin 1 2 0\n',
    '%end 1 2 0\n',
    '%error 1 2 0\n',
    '%output %1 a\\134\\01\n',
    '%extended-output %1 0 : x\n',
  ]
  const piece = fc.oneof(
    bytes.map((each) => Buffer.from(each)),
    fc.constantFrom(...heads).map((each) => Buffer.from(each)),
  )
  const read = (chunks: readonly Buffer[]): string[] => {
    const told: string[] = []
    const lines = new ControlLines({
      block: (content, failed) => told.push(`block ${failed} ${content.toString('latin1')}`),
      output: (pane, shown) => told.push(`output ${pane} ${shown.toString('latin1')}`),
      notice: (line) => told.push(`notice ${line}`),
    })
    for (const chunk of chunks) lines.feed(chunk)
    return told
  }
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.nat(), (pieces, cut) => {
      const whole = Buffer.concat(pieces)
      const at = whole.length === 0 ? 0 : cut % whole.length
      expect(read([whole.subarray(0, at), whole.subarray(at)])).toEqual(read([whole]))
    }),
  )
})

test('the kernel and git are read without trust, too', () => {
  fc.assert(
    fc.property(text, bytes, (words, environ) => {
      parseStat(words)
      parseStat(`12 (${words}) S 1 ${words}`)
      const tag = findTag(Buffer.from(environ))
      if (tag !== undefined) expect([tag.homeId, tag.run]).not.toContain('')
      expect(readMessage(words)).toBeUndefined()
      expect(readMessage(`x\nCloister-Salvage: ${words}`)).toBeUndefined()
    }),
  )
})
