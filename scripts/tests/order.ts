/** The order of the test files: those that take long first, so that none of them runs alone at the end. */
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What ./test said of itself, the longest first. */
const LONG = [
  'tests/e2e/daemon/crashes.test.ts',
  'tests/properties/safety.test.ts',
  'tests/e2e/claude-code/',
  'tests/journal/killed.test.ts',
  'tests/e2e/daemon/',
  'tests/e2e/browser/',
  'tests/e2e/judgement/',
  'tests/e2e/git/',
  'tests/properties/',
  'tests/corpus/',
  'tests/cli/commands.test.ts',
  'tests/journal/cut.test.ts',
  'tests/recording/',
  'tests/launcher/',
  'tests/contract/runtime',
  'tests/loop/',
  'tests/api/attacks.test.ts',
  'tests/api/unkind-clients.test.ts',
  'tests/api/route-contract.test.ts',
  'tests/cli/doctor.test.ts',
  'tests/cli/setup.test.ts',
  'tests/config/fuzz.test.ts',
  'tests/e2e/',
]

export function isLong(path: string): boolean {
  return LONG.some((start) => path.startsWith(start))
}

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}

function rank({ moduleId, project }: TestSpecification): number {
  const path = relative(project.config.root, moduleId)
  const place = LONG.findIndex((start) => path.startsWith(start))
  return place === -1 ? LONG.length : place
}
