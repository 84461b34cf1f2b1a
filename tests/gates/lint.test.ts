import { expect, test } from 'vitest'
import { makeProject, runTool } from './fixture.ts'

const clean = {
  'src/contract/shape.ts': 'export interface Shape {\n  readonly side: number\n}\n',
  'src/core/rule.ts': [
    "import type { Shape } from '../contract/shape.ts'",
    'export function area(shape: Shape, Date: number): number {',
    '  return shape.side * shape.side * Date * Math.abs(-1)',
    '}',
  ].join('\n'),
  'src/cli/pan.ts': "export async function pan(): Promise<void> {\n  console.log(await Promise.resolve('ready'))\n}\n",
  'vitest.config.ts': 'export default { test: {} }\n',
  'dashboard/vite.config.ts': 'export default { root: "." }\n',
  'dashboard/src/page.tsx': [
    "import { useEffect, useState } from 'react'",
    'export function Page({ title }: { title: string }) {',
    '  const [isOpen, setIsOpen] = useState(false)',
    '  useEffect(() => {',
    '    document.title = title',
    '  }, [title])',
    '  return (',
    '    <button type="button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>',
    '      {title}',
    '    </button>',
    '  )',
    '}',
  ].join('\n'),
  'tests/long.test.ts': `export function long(): void {\n${'  console.log(1)\n'.repeat(400)}}\n`,
}

test('a clean project has no findings', () => {
  const folder = makeProject(clean)
  expect(lint(folder)).toEqual({ status: 0, findings: [] })
})

test('every rule of the linter bites', () => {
  const folder = makeProject({
    ...clean,
    'src/core/clock.ts': [
      'export const now = Date.now()',
      "export const words = new Intl.ListFormat('en')",
      'export const luck = Math.random()',
      'export const again = globalThis.Date.now()',
    ].join('\n'),
    'src/contract/clock.ts': 'export const today = new Date(0)\n',
    'src/daemon/loose.ts': [
      "import { Shape } from '../contract/shape.ts'",
      'export default function loose(shape: Shape): void {',
      '  void shape',
      '  work()',
      '}',
      'async function work(): Promise<void> {',
      '  await Promise.resolve()',
      '}',
      'export function four(a: number, b: number, c: number, d: any): boolean {',
      '  const unused = 1',
      "  console.log('seen')",
      '  return a + b == c + Number(d)',
      '}',
      '[1].forEach(async () => work())',
      'export function name(side: 1 | 2): string | undefined {',
      '  switch (side) {',
      "    case 1: return 'one'",
      '  }',
      '  return undefined',
      '}',
    ].join('\n'),
    'dashboard/src/loose.tsx': [
      "import { useEffect, useState } from 'react'",
      'export default function Loose({ title, html }: { title: string; html: string }) {',
      "  if (title === '') useState(0)",
      '  useEffect(() => {',
      '    document.title = title',
      '  }, [])',
      '  return (',
      '    <section>',
      '      <button>{title}</button>',
      '      <img src="/bell.svg" />',
      '      <a href="https://example.org" target="_blank">out</a>',
      '      <p dangerouslySetInnerHTML={{ __html: html }} />',
      '      <p aria-labeledby="a" role="buton" onClick={() => console.log(html)}>',
      '        {[1].map((each) => <b>{each}</b>)}',
      '      </p>',
      '    </section>',
      '  )',
      '}',
    ].join('\n'),
    'src/daemon/left.ts': "import { right } from './right.ts'\nexport const left = (): unknown => right\n",
    'src/daemon/right.ts': "import { left } from './left.ts'\nexport const right = (): unknown => left\n",
    'src/daemon/long.ts': `export function long(n: number): number {\n${'  n += 1\n'.repeat(300)}  return n\n}\n`,
    'src/daemon/excused.ts': '// oxlint-disable-next-line no-console\nexport const excused = 1\n',
  })
  expect(lint(folder)).toEqual({
    status: 1,
    findings: [
      'dashboard/src/loose.tsx:10 jsx-a11y(alt-text)',
      'dashboard/src/loose.tsx:11 react(jsx-no-target-blank)',
      'dashboard/src/loose.tsx:12 react(no-danger)',
      'dashboard/src/loose.tsx:13 eslint(no-console)',
      'dashboard/src/loose.tsx:13 jsx-a11y(aria-props)',
      'dashboard/src/loose.tsx:13 jsx-a11y(aria-role)',
      'dashboard/src/loose.tsx:13 jsx-a11y(click-events-have-key-events)',
      'dashboard/src/loose.tsx:13 jsx-a11y(no-noninteractive-element-interactions)',
      'dashboard/src/loose.tsx:14 react(jsx-key)',
      'dashboard/src/loose.tsx:2 import(no-default-export)',
      'dashboard/src/loose.tsx:3 react-hooks(rules-of-hooks)',
      'dashboard/src/loose.tsx:5 react-hooks(exhaustive-deps)',
      'dashboard/src/loose.tsx:9 react(button-has-type)',
      'src/contract/clock.ts:1 eslint(no-restricted-globals)',
      'src/core/clock.ts:1 eslint(no-restricted-globals)',
      'src/core/clock.ts:2 eslint(no-restricted-globals)',
      'src/core/clock.ts:3 eslint(no-restricted-properties)',
      'src/core/clock.ts:4 eslint(no-restricted-properties)',
      'src/daemon/excused.ts:1 Unused oxlint-disable directive (no problems were reported).',
      'src/daemon/left.ts:1 import(no-cycle)',
      'src/daemon/long.ts:1 eslint(max-lines-per-function)',
      'src/daemon/long.ts:303 eslint(max-lines)',
      'src/daemon/loose.ts:1 typescript(consistent-type-imports)',
      'src/daemon/loose.ts:10 eslint(no-unused-vars)',
      'src/daemon/loose.ts:11 eslint(no-console)',
      'src/daemon/loose.ts:12 eslint(eqeqeq)',
      'src/daemon/loose.ts:14 typescript(no-misused-promises)',
      'src/daemon/loose.ts:16 typescript(switch-exhaustiveness-check)',
      'src/daemon/loose.ts:2 import(no-default-export)',
      'src/daemon/loose.ts:4 typescript(no-floating-promises)',
      'src/daemon/loose.ts:9 eslint(max-params)',
      'src/daemon/loose.ts:9 typescript(no-explicit-any)',
      'src/daemon/right.ts:1 import(no-cycle)',
    ],
  })
})

/** Findings as `path:line rule`; one that belongs to no rule as its message. */
function lint(folder: string): { status: number | null; findings: string[] } {
  const { status, lines } = runTool(folder, 'oxlint', ['--type-aware', '--deny-warnings', '--format=unix'])
  const findings = lines.flatMap((line) => {
    const [, place, message, rule] = /^(.+:\d+):\d+: (.+) \[Error\/?(.*)\]$/.exec(line) ?? []
    return place === undefined ? [] : [`${place} ${rule || message}`]
  })
  return { status, findings: findings.toSorted() }
}
