import { rmSync, symlinkSync, utimesSync, writeFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { installs, makeClone } from './clone.ts'

const firstRun = 'Installing packages (first run, about a minute)…'
const building = 'Building…'
const again = { code: 7, stdout: 'v24.21.0 with 0: \n', stderr: [] }

test('the first start installs and builds, every later one only runs the CLI', async () => {
  const clone = makeClone()
  expect(await clone.start(['config', 'a b', ''])).toEqual({
    code: 7,
    stdout: 'v24.21.0 with 3: config a b \n',
    stderr: [firstRun, building],
  })
  expect(clone.calls()).toEqual(['node -v', 'npm install', 'node -v', 'node -v', 'build'])
  expect(await clone.start()).toEqual(again)
  expect(clone.calls()).toEqual([])
})

test('it works through a symlink and from any folder', async () => {
  const clone = makeClone()
  await clone.start()
  const links = join(clone.folder, 'links')
  mkdirSync(links)
  symlinkSync('../pan', join(links, 'first'))
  symlinkSync(join(links, 'first'), join(links, 'second'))
  expect(await clone.start([], { command: join(links, 'second'), cwd: '/' })).toEqual(again)
  expect(await clone.start([], { command: './pan', cwd: clone.folder })).toEqual(again)
})

test('a changed lock file is installed, a touched one is not', async () => {
  const clone = makeClone()
  await clone.start()
  clone.calls()
  const lockFile = join(clone.folder, 'package-lock.json')
  makeNewer(lockFile)
  expect(await clone.start()).toEqual({ ...again, stderr: [building] })
  expect(clone.calls()).toEqual(['build'])
  writeFileSync(lockFile, '2\n')
  makeNewer(lockFile)
  expect(await clone.start()).toEqual({
    ...again,
    stderr: ['Installing packages (package-lock.json changed)…', building],
  })
  expect(clone.calls()).toEqual(['node -v', 'npm install', 'node -v', 'node -v', 'build'])
})

test('a changed or removed source is built, a changed test is not', async () => {
  const clone = makeClone()
  const [source, unitTest] = [join(clone.folder, 'src/cli/main.ts'), join(clone.folder, 'src/cli/main.test.ts')]
  writeFileSync(unitTest, '')
  await clone.start()
  clone.calls()
  makeNewer(unitTest)
  expect(await clone.start()).toEqual(again)
  makeNewer(source)
  expect(await clone.start()).toEqual({ ...again, stderr: [building] })
  makeOlder(source)
  makeNewer(join(clone.folder, 'src/cli'))
  expect(await clone.start()).toEqual({ ...again, stderr: [building] })
  makeOlder(join(clone.folder, 'src/cli'))
  makeNewer(join(clone.folder, 'dashboard/src/main.tsx'))
  expect(await clone.start()).toEqual({ ...again, stderr: [building] })
})

test("the system's Node is used when it is new enough, and judged anew when it is replaced", async () => {
  const clone = makeClone()
  clone.setNode('v24.15.0')
  expect(await clone.start()).toMatchObject({ stdout: 'v24.15.0 with 0: \n' })
  clone.setNode('v24.14.99')
  expect(await clone.start()).toEqual(again)
  clone.setNode('v26.0.0')
  expect(await clone.start()).toMatchObject({ stdout: 'v26.0.0 with 0: \n' })
  clone.setNode(undefined)
  expect(await clone.start()).toEqual(again)
})

test('of two started at once one installs and builds, and both run', async () => {
  const clone = makeClone()
  clone.setNpm(`sleep 0.5; ${installs}`)
  const ended = await Promise.all([clone.start(['1']), clone.start(['2']), clone.start(['3'])])
  expect(ended.map(({ code, stdout }) => ({ code, stdout }))).toEqual(
    [1, 2, 3].map((n) => ({ code: 7, stdout: `v24.21.0 with 1: ${n}\n` })),
  )
  expect(clone.calls().filter((call) => call !== 'node -v')).toEqual(['npm install', 'build'])
  expect(readdirSync(join(clone.folder, '.tsbuild'))).toEqual([])
})

test('the lock of a process that died is taken over', async () => {
  const clone = makeClone()
  mkdirSync(join(clone.folder, '.tsbuild'))
  // Above the largest pid that Linux gives out.
  symlinkSync('4194305', join(clone.folder, '.tsbuild/setup-lock'))
  expect(await clone.start()).toEqual({ ...again, stderr: [firstRun, building] })
})

test('it waits for a living holder of the lock and says for whom', async () => {
  const clone = makeClone()
  mkdirSync(join(clone.folder, '.tsbuild'))
  const lock = join(clone.folder, '.tsbuild/setup-lock')
  symlinkSync(String(process.pid), lock)
  const ended = clone.start()
  setTimeout(() => rmSync(lock), 300)
  expect(await ended).toEqual({
    ...again,
    stderr: [
      `Waiting for process ${process.pid}, which installs or builds (if it does not, remove ${lock})…`,
      firstRun,
      building,
    ],
  })
})

test.each<[string, (clone: ReturnType<typeof makeClone>) => void, string[]]>([
  [
    'no node',
    (clone) => clone.setNode(undefined),
    [
      'Could not install packages: node was not found on PATH. Install Node 20 or newer with npm, then start this again.',
    ],
  ],
  [
    'no npm',
    (clone) => clone.setNpm(undefined),
    [
      'Could not install packages: npm was not found on PATH. Install npm (it comes with Node 20 or newer), then start this again.',
    ],
  ],
  [
    'an old node',
    (clone) => clone.setNode('v18.20.0'),
    ['Could not install packages: Node v18.20.0 is too old. Install Node 20 or newer, then start this again.'],
  ],
  [
    'no network',
    (clone) => clone.setNpm('echo "npm error code ENOTFOUND" >&2; mkdir -p node_modules; exit 9'),
    [
      firstRun,
      'npm error code ENOTFOUND',
      'Could not install packages: npm failed with exit code 9; its own message is above.',
      "Without a network connection, connect (or set npm's proxy or registry) and start this again; it begins anew.",
    ],
  ],
  [
    'a machine without the bundled Node',
    (clone) => clone.setNpm('mkdir -p node_modules'),
    [
      firstRun,
      'Could not find Node 24.15 or newer: PATH has v20.20.2, and the bundled one (Linux x64 only) does not run. Install Node 24, then start this again.',
    ],
  ],
  [
    'a broken source',
    (clone) => writeFileSync(join(clone.folder, 'src/cli/main.ts'), 'broken\n'),
    [
      firstRun,
      building,
      'syntax error',
      'Could not build: the message is above. Correct the source (or restore it with git), then start this again.',
    ],
  ],
])('%s is explained, and the next start works once it is mended', async (_case, harm, stderr) => {
  const clone = makeClone()
  harm(clone)
  expect(await clone.start()).toEqual({ code: 1, stdout: '', stderr })
  clone.setNode('v24.15.0')
  clone.setNpm(installs)
  writeFileSync(join(clone.folder, 'src/cli/main.ts'), 'mended\n')
  expect(await clone.start()).toMatchObject({ code: 7, stdout: 'v24.15.0 with 0: \n' })
})

function makeNewer(path: string): void {
  const soon = Date.now() / 1000 + 10
  utimesSync(path, soon, soon)
}

function makeOlder(path: string): void {
  utimesSync(path, 1, 1)
}
