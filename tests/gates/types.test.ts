import { expect, test } from 'vitest'
import { makeProject, rooms, runTool } from './fixture.ts'

const clean = {
  'src/contract/shape.ts': 'export const shape = 1\n',
  'src/core/rule.ts': "import { shape } from '../contract/shape.ts'\nexport const rule = shape + 1\n",
  'src/adapters/disk.ts': "import { sep } from 'node:path'\nexport const disk = sep\n",
  'src/daemon/loop.ts':
    "import { rule } from '../core/rule.ts'\nexport const loop = () => setTimeout(() => {}, rule)\n",
  'src/cli/pan.ts': "import { shape } from '../contract/shape.ts'\nexport const pan = shape\n",
  'src/api/api-types.ts': "import type { shape } from '../contract/shape.ts'\nexport type Api = typeof shape\n",
  'dashboard/src/main.tsx': [
    "import type { Api } from '../../src/api/api-types.ts'",
    "import './styles.css'",
    'export const Main = ({ api }: { api: Api }) => <p title={document.title}>{api}</p>',
  ].join('\n'),
  'dashboard/src/styles.css': '',
}

test('a clean project compiles', () => {
  const folder = makeProject(clean)
  expect(compile(folder)).toEqual({ status: 0, lines: [] })
})

test('the outside world is out of reach in core and contract, and rooms see only what they may', () => {
  const folder = makeProject({
    ...clean,
    'src/contract/clocked.ts': 'export const bad = setTimeout(() => {}, 1)\n',
    'src/core/impure.ts': [
      "import { readFileSync } from 'node:fs'",
      'export const file = readFileSync',
      'export const timer = setTimeout(() => {}, 1)',
      'export const argv = process.argv',
      "export const answer = fetch('http://127.0.0.1')",
      "console.log('seen')",
      'export const time = performance.now()',
      "export const first: string = ['a'][0]",
      'export enum Colour { Red }',
      'export class Pair { constructor(readonly left: number) {} }',
    ].join('\n'),
    'src/cli/peek.ts': "import { rule } from '../core/rule.ts'\nexport const peek = rule\n",
    'dashboard/src/list.tsx': [
      "import { rule } from '../../src/core/rule.ts'",
      'export const home = process.env',
      'export const List = ({ items }: { items: string[] }) => <Row item={items[0]} />',
      'const Row = ({ item }: { item: string }) => <li tabIndex="first">{item}{rule}</li>',
    ].join('\n'),
    'src/core/grab.ts': "import { disk } from '../adapters/disk.ts'\nexport const grab = disk\n",
  })
  const { status, lines } = compile(folder)
  const errors = lines.flatMap((line) => {
    const [, path, at, code] = /^(.+)\((\d+),\d+\): error (TS\d+)/.exec(line) ?? []
    return path === undefined ? [] : [`${path}:${at} ${code}`]
  })
  expect({ status, errors: errors.toSorted() }).toEqual({
    status: 2,
    errors: [
      'dashboard/src/list.tsx:1 TS6059',
      'dashboard/src/list.tsx:1 TS6307',
      'dashboard/src/list.tsx:2 TS2591',
      'dashboard/src/list.tsx:3 TS2322',
      'dashboard/src/list.tsx:4 TS2322',
      'src/adapters/disk.ts:1 TS2591', // compiled as a part of core, where node:path is unknown
      'src/cli/peek.ts:1 TS6059',
      'src/cli/peek.ts:1 TS6307',
      'src/contract/clocked.ts:1 TS2304',
      'src/core/grab.ts:1 TS6059',
      'src/core/grab.ts:1 TS6307',
      'src/core/impure.ts:1 TS2591',
      'src/core/impure.ts:10 TS1294',
      'src/core/impure.ts:3 TS2304',
      'src/core/impure.ts:4 TS2591',
      'src/core/impure.ts:5 TS2304',
      'src/core/impure.ts:6 TS2584',
      'src/core/impure.ts:7 TS2304',
      'src/core/impure.ts:8 TS2322',
      'src/core/impure.ts:9 TS1294',
    ],
  })
})

function compile(folder: string): { status: number | null; lines: string[] } {
  return runTool(folder, 'tsc', ['-b', '--pretty', 'false', ...rooms.map((room) => `src/${room}`), 'dashboard'])
}
