#!/usr/bin/env node
/** The `pan` command: hands its arguments to the program and turns the answer into an exit code. */
import { mindListeners } from './listeners.ts'
import { versionBeside } from './version.ts'

mindListeners()
const args = process.argv.slice(2)

if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  // Asked by scripts and prompts all the time: not worth loading the commands for.
  process.stdout.write(`${versionBeside(import.meta.url)}\n`)
} else {
  const { run } = await import('./program.ts')
  process.exitCode = await run(args, import.meta.url)
}
