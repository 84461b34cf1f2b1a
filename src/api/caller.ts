/** Who asks, as the door found out by the token. */
import type { AgentId } from '../contract/ids.ts'

export type Caller =
  /** `login` names the browser's login, so that it can be ended. */
  | { kind: 'owner'; via: 'cli' | 'dashboard'; login?: string }
  /** An agent's own process: it can report on its own agent and generation and do nothing else. */
  | { kind: 'run'; run: string; agent: AgentId; generation: number }
  /** No token, or one that opens nothing. */
  | { kind: 'stranger' }
