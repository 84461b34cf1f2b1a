/** `pan dashboard` against a real door, and what `pan` does inside an agent. */
import { expect, test } from 'vitest'
import { homeId } from '../../src/daemon/home-id.ts'
import { runTokens } from '../../src/daemon/run-token.ts'
import { servedPort } from '../api/served-port.ts'
import { runPan } from './run-pan.ts'

test('it prints a link that works once, and signs browsers out', async () => {
  const { home, host, ask } = await servedPort()
  const { code, out, err } = await runPan(['dashboard'], { home })
  expect([code, err]).toEqual([0, ''])
  const [link = '', note] = out.split('\n')
  expect(link).toMatch(new RegExp(`^http://${host}/#login=[A-Za-z0-9_-]{22}$`))
  expect(note).toBe('It works once, within 60 seconds.')
  const headers = [`Host: ${host}`, `Origin: http://${host}`, 'Content-Type: application/json']
  const body = JSON.stringify({ code: link.split('#login=')[1] })
  expect((await ask('POST /api/login', headers, body)).status).toBe(200)
  expect((await ask('POST /api/login', headers, body)).status).toBe(401)
  expect((await runPan(['dashboard', '--sign-out'], { home })).out).toBe('One browser was signed out.\n')
})

test('inside an agent it has the token of the run and no other', async () => {
  const { home, token } = await servedPort('spawn agent-1')
  const { tokenOf } = runTokens(token, homeId(home))
  const env = { CLOISTER_RUN: 'h1.run-1', CLOISTER_TOKEN: tokenOf({ agent: 'agent-1', generation: 1, run: 'run-1' }) }
  for (const args of [['dashboard'], ['agents', 'kill', 'agent-1'], ['status']]) {
    const { code, out } = await runPan(args, { home, env })
    expect([args, code, out]).toEqual([args, 1, ''])
  }
  const { err } = await runPan(['dashboard'], { home, env: { CLOISTER_RUN: 'h1.run-1' } })
  expect(err).toContain('this is an agent’s own process, and it has no token to ask with.')
})
