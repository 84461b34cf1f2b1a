/** Where the programs and files that come with the daemon lie: in sources beside their makers, in a build under dist. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export function understudyProgram(): readonly [string, string] {
  return [process.execPath, place('../adapters/understudy/program/main.ts', '../understudy/main.js')]
}

export function understudyScripts(): string {
  return place('../adapters/understudy/scripts/', '../understudy/scripts/')
}

/** The page as it was built, also when the daemon runs from its sources. */
export function dashboardFolder(): string {
  return place('../../dist/dashboard', '../dashboard')
}

/** Of this package, from the package.json beside src and dist. */
export function ownVersion(): string {
  return (JSON.parse(readFileSync(place('../../package.json', '../../package.json'), 'utf8')) as { version: string })
    .version
}

function place(inSources: string, inBuild: string): string {
  const here = import.meta.url
  return fileURLToPath(new URL(here.endsWith('.ts') ? inSources : inBuild, here))
}
