/** A user who has been through Claude Code's own dialogs, with a key that is none. */
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const STUB_KEY = `sk-ant-stub-${'0'.repeat(40)}`

/** What is for one test alone stands in his settings. */
export function knowUser(home: string, workspace: string, settings: object = {}): void {
  const state = {
    hasCompletedOnboarding: true,
    projects: { [realpathSync(workspace)]: { hasTrustDialogAccepted: true } },
    customApiKeyResponses: { approved: [STUB_KEY.slice(-20)], rejected: [] },
  }
  const own = {
    env: { CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1' },
    permissions: { allow: ['Bash'] },
    ...settings,
  }
  writeFileSync(join(home, '.claude.json'), JSON.stringify(state))
  mkdirSync(join(home, '.claude'))
  writeFileSync(join(home, '.claude/settings.json'), JSON.stringify(own))
}
