import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { GitDescription } from '../core/git-port.ts'
import { closingLine, documentPath } from '../core/handoffs/orders.ts'
import { seeDocument, type DocumentPorts } from './handoff-document.ts'
import { isInWorkspace, readWorkspaceFile } from './workspace-file.ts'

const nonce = 'd4w8q1'
const path = documentPath(0, nonce)

let workspace: string
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'cloister-document-'))
  mkdirSync(join(workspace, '.bmad/handoffs'), { recursive: true })
  mkdirSync(join(workspace, 'src'))
})
afterEach(() => rmSync(workspace, { recursive: true }))

const DESCRIBED: GitDescription = {
  branch: 'main',
  head: { hash: 'abc1234def', subject: 's', committedWallAt: 0 },
  dirty: [],
  dirtyTotal: 0,
  upstream: undefined,
}
const ports: DocumentPorts = {
  files: readWorkspaceFile,
  exists: isInWorkspace,
  git: { describe: async () => DESCRIBED },
}

const text = (more = '') => `# Handoff Document

**Branch**: main
**Last Commit**: abc1234
**Uncommitted Files**: 0

## Current Work

**Current Task**: The endpoint

## Completed Since Last Handoff

- [x] \`src/token.ts\`${more}

## Next Steps

1. Write it

## Critical State

- None

## Blockers / Issues

- None

## Notes

- None

${closingLine(nonce)}
`

function write(content: string): void {
  writeFileSync(join(workspace, path), content)
}
const see = (given: Partial<DocumentPorts> = {}) => seeDocument({ workspace, path, nonce }, { ...ports, ...given })

test('not there yet, half, whole, and the same once more', async () => {
  expect(await see()).toEqual({ why: `there is no ${path}` })
  writeFileSync(join(workspace, 'src/token.ts'), '')
  write(text().slice(0, 200))
  const half = await see()
  expect(half).toMatchObject({ isWhole: false, isUsable: false })
  write(text())
  const whole = await see()
  expect(whole).toEqual({
    isWhole: true,
    isUsable: true,
    findings: [],
    nextStep: 'Write it',
    text: text(),
    stamp: expect.stringMatching(/^[\w-]{22}$/),
  })
  expect(await see()).toEqual(whole)
  expect('stamp' in half && 'stamp' in whole && half.stamp !== whole.stamp).toBe(true)
})

test('it names a file that is not there, and git says otherwise', async () => {
  write(text(', `src/none.ts`').replace('abc1234', 'fff4321'))
  expect(await see()).toMatchObject({
    findings: [
      { kind: 'missing_file', what: 'src/token.ts is not there' },
      { kind: 'missing_file', what: 'src/none.ts is not there' },
      { kind: 'git_mismatch', what: 'it says last commit fff4321, and git says abc1234def' },
    ],
  })
})

test('a repository that cannot be asked contradicts nobody', async () => {
  writeFileSync(join(workspace, 'src/token.ts'), '')
  write(text().replace('main', 'other'))
  expect(await see({ git: { describe: async () => Promise.reject(new Error('EIO')) } })).toMatchObject({ findings: [] })
  expect(await see({ git: { describe: async () => undefined } })).toMatchObject({ findings: [] })
})

test('one that is far too long is not whole', async () => {
  write(`${'x'.repeat(200_000)}\n${text()}`)
  expect(await see()).toMatchObject({ isWhole: false })
})
