/** `pan dashboard` against a real door, and what `pan` does inside an agent. */
import { readdirSync } from 'node:fs'
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

test('inside an agent nothing is done but reporting, whatever is asked', async () => {
  const { home, token } = await servedPort('spawn agent-1')
  const { tokenOf } = runTokens(token, homeId(home))
  const env = { CLOISTER_RUN: 'h1.run-1', CLOISTER_TOKEN: tokenOf({ agent: 'agent-1', generation: 1, run: 'run-1' }) }
  const before = readdirSync(home)
  const told = [
    ['dashboard'],
    ['status'],
    ['agents', 'kill', 'agent-1'],
    ['cloister', 'emergency-stop', '--yes'],
    ['config', 'set', 'thresholds.stuck', '45'],
    ['restore', 'agent-2'],
  ]
  for (const args of told) {
    const words = args.slice(0, ['agents', 'cloister', 'config'].includes(args[0] ?? '') ? 2 : 1).join(' ')
    expect(await runPan(args, { home, env })).toEqual({
      code: 1,
      out: '',
      err:
        `Could not run \`pan ${words}\`: this is an agent’s own process (CLOISTER_RUN is set), which may only report ` +
        'on itself. Run it in a terminal of your own.\n',
    })
  }
  expect(readdirSync(home)).toEqual(before)
  const { code, err } = await runPan(['status', '--json'], { home, env })
  expect([code, JSON.parse(err)]).toMatchObject([1, { code: 'forbidden' }])
  expect((await runPan(['config', 'set', '--help'], { home, env })).code).toBe(0)
})
