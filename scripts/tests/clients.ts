/** The real clients that tests drive are installed before the tests, so that no test waits for it, and once. */
import { installClaudeCode } from '../../tests/e2e/runtimes/install-claude-code.ts'

/** What tests are told of them, by environment variable. */
export function installClients(): Record<string, string> {
  const claudeCode = installClaudeCode()
  if ('program' in claudeCode) return { CLOISTER_CLAUDE_CODE: claudeCode.program }
  console.log(`${claudeCode.missing}; tests with it are skipped`)
  return { CLOISTER_CLAUDE_CODE_MISSING: claudeCode.missing }
}
