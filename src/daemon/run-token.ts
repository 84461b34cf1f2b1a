/**
 * The token of one run: it says whose it is, and a keyed hash that only this home can make proves it. Nothing is
 * stored; whether the run is still the current one is for the asker to see. What was proven once is remembered by its
 * digest, since agents report often.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { agentId, runId } from '../contract/ids.ts'
import type { Handle, Launch } from '../core/ports.ts'
import { digestOf } from './token.ts'

export interface RunTokens {
  tokenOf: (handle: Handle) => string
  /** Undefined for a token that this home did not make. */
  handleOf: (token: string, digest?: Buffer) => Handle | undefined
}

const MOST_PROVEN = 1_000

const SHAPE = /^run\.([^.]{1,64})\.(0|[1-9]\d{0,8})\.([^.]{1,64})\.([0-9a-f]{64})$/

export function runTokens(secret: string, homeId: string): RunTokens {
  // A key of its own: what is signed with it can never be mistaken for anything else.
  const key = createHmac('sha256', secret).update('cloister run tokens').digest()
  const proven = new Map<string, Handle>()
  const proofOf = ({ agent, generation, run }: Handle) =>
    createHmac('sha256', key).update(`${homeId}.${run}.${agent}.${generation}`).digest()
  return {
    tokenOf: (handle) => `run.${handle.agent}.${handle.generation}.${handle.run}.${proofOf(handle).toString('hex')}`,
    handleOf: (token, digest = digestOf(token)) => {
      const name = digest.toString('base64url')
      const known = proven.get(name) ?? prove(token)
      if (known === undefined) return undefined
      if (proven.size >= MOST_PROVEN) proven.clear()
      proven.set(name, known)
      return known
    },
  }

  function prove(token: string): Handle | undefined {
    const [, agent = '', generation = '', run = '', proof = ''] = SHAPE.exec(token) ?? []
    if (!agentId.safeParse(agent).success || !runId.safeParse(run).success) return undefined
    const handle = { agent, generation: Number(generation), run }
    return timingSafeEqual(proofOf(handle), Buffer.from(proof, 'hex')) ? handle : undefined
  }
}

export function withToken(launch: Launch, token: string | undefined): Launch {
  return token === undefined ? launch : { ...launch, env: { ...launch.env, CLOISTER_TOKEN: token } }
}
