/** Reports of a real session of Claude Code 2.1.325, in the order in which they came; long texts are cut. */
import { readFileSync } from 'node:fs'

const FILE = new URL('../../src/adapters/claude-code/fixtures/recorded.jsonl', import.meta.url)

export function recordedHooks(): { kind: string; body: string }[] {
  return readFileSync(FILE, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { kind, body } = JSON.parse(line) as { kind: string; body: object }
      return { kind, body: JSON.stringify(body) }
    })
}
