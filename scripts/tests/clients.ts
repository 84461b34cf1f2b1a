/**
 * The real clients that tests drive are installed before the tests, so that no test waits for it, and once. A program of
 * its own, since it can be stopped: its last line is what tests are told of them, by environment variable.
 */
import { installClaudeCode } from '../../tests/e2e/runtimes/install-claude-code.ts'

const claudeCode = installClaudeCode()
if ('missing' in claudeCode) console.log(`${claudeCode.missing}; tests with it are skipped`)
const told =
  'program' in claudeCode
    ? { CLOISTER_CLAUDE_CODE: claudeCode.program }
    : { CLOISTER_CLAUDE_CODE_MISSING: claudeCode.missing }
console.log(JSON.stringify(told))
