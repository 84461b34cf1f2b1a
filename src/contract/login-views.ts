/** What signing in answers. */
import * as z from 'zod'

/** The browser keeps the token for its tab only; `expiresAt` is wall-clock milliseconds. */
export const loginView = z.object({ token: z.string(), expiresAt: z.number() })
export type LoginView = z.infer<typeof loginView>

/** The link works once, within this time. */
export const invitationView = z.object({ url: z.string(), expiresInMs: z.number() })
export type InvitationView = z.infer<typeof invitationView>

export const doneView = z.object({ done: z.literal(true) })

export const revokedView = z.object({ revoked: z.int().nonnegative() })
export type RevokedView = z.infer<typeof revokedView>
