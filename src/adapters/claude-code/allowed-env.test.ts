import { expect, test } from 'vitest'
import { parseConfig } from '../../contract/config/parse.ts'
import { allowedEnv } from './allowed-env.ts'

const DEFAULT = parseConfig({}).config?.runtimes['claude-code'].environment ?? []

const GIVEN: Record<string, string> = {
  PATH: '/bin',
  HOME: '/root',
  LC_TIME: 'C',
  HTTPS_PROXY: 'http://proxy',
  no_proxy: '127.0.0.1',
  ANTHROPIC_API_KEY: 'key',
  ANTHROPIC_VERTEX_PROJECT_ID: 'project',
  CLAUDE_CODE_USE_BEDROCK: '1',
  CLAUDE_CODE_USE_VERTEX: '1',
  AWS_PROFILE: 'work',
  AWS_BEARER_TOKEN_BEDROCK: 'token',
  CLOUD_ML_REGION: 'us-east5',
  GOOGLE_APPLICATION_CREDENTIALS: '/key.json',
  GITHUB_TOKEN: 'secret',
  CLAUDE_CODE_SESSION_ID: 'of the client that the daemon was started in',
  CLAUDECODE: '1',
  XAWS_PROFILE: 'x',
}

test.each<[string, readonly string[], readonly string[]]>([
  ['by default: logins, clouds and proxies', DEFAULT, Object.keys(GIVEN).slice(0, 13)],
  [
    'an own list replaces it',
    ['GITHUB_TOKEN', 'AWS_*'],
    ['PATH', 'HOME', 'LC_TIME', 'AWS_PROFILE', 'AWS_BEARER_TOKEN_BEDROCK', 'GITHUB_TOKEN'],
  ],
  ['an empty one leaves what every program needs', [], ['PATH', 'HOME', 'LC_TIME']],
])('%s', (_, list, names) => {
  expect(allowedEnv({ ...GIVEN, TZ: undefined }, list)).toEqual(
    Object.fromEntries(names.map((name) => [name, GIVEN[name]])),
  )
})
