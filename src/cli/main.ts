#!/usr/bin/env node
/** The `pan` command: hands its arguments to the program and turns the answer into an exit code. */
import { run } from './program.ts'

process.exitCode = await run(process.argv.slice(2), import.meta.url)
