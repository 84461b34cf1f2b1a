/** How a browser gets a token of its own and gives it back. The one-time code is asked for with the owner's token. */
import * as z from 'zod'
import { doneView, invitationView, loginView, revokedView } from '../contract/login-views.ts'
import { ok, refused } from './answer.ts'
import { post } from './route.ts'

export const doorRoutes = [
  post('/api/login', {
    summary: 'Gives a browser a token of its own for a one-time code. The only POST that asks for no token.',
    callers: ['stranger', 'owner'],
    body: z.strictObject({ code: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'is not a code') }),
    answer: loginView,
    refusals: ['unauthorized', 'too_many'],
    handler: ({ body }, { logins }) => {
      const login = logins.redeem(body.code)
      if (login === 'wrong') return refused(SPENT)
      return login === 'too_many' ? refused(TOO_MANY) : ok(login)
    },
  }),
  post('/api/logout', {
    summary: 'Ends the login of the browser that asks.',
    answer: doneView,
    refusals: ['conflict'],
    handler: ({ caller }, { logins }) => {
      if (caller.kind !== 'owner' || caller.login === undefined) return refused(NO_LOGIN)
      logins.end(caller.login)
      return ok({ done: true })
    },
  }),
  post('/api/login-code', {
    summary: 'A link with a one-time code, for a browser to sign in with. Not for a browser to ask for.',
    answer: invitationView,
    refusals: ['forbidden', 'busy'],
    handler: ({ caller }, { logins }) => {
      if (caller.kind !== 'owner' || caller.via !== 'cli') return refused(NOT_HERE)
      const invitation = logins.invite()
      return invitation === undefined ? refused(NO_PAGE) : ok(invitation)
    },
  }),
  post('/api/logins/revoke', {
    summary: 'Signs every browser out.',
    answer: revokedView,
    handler: (_, { logins }) => ok({ revoked: logins.endAll() }),
  }),
] as const

const SPENT = {
  code: 'unauthorized',
  sentence: 'The link was used before, or is older than a minute',
  hint: 'Run `pan dashboard` for a new one.',
} as const

const TOO_MANY = {
  code: 'too_many',
  sentence: 'There were too many tries to sign in',
  hint: 'Wait a few seconds, then run `pan dashboard` for a new link.',
} as const

const NO_LOGIN = {
  code: 'conflict',
  sentence: 'The token of the home folder is no login, so that there is nothing to end',
  hint: '`pan dashboard --sign-out` signs every browser out.',
} as const

const NOT_HERE = {
  code: 'forbidden',
  sentence: 'A browser cannot ask for a link to sign in with',
  hint: 'Run `pan dashboard` in a terminal.',
} as const

const NO_PAGE = {
  code: 'busy',
  sentence: 'The daemon listens on no port, so that there is no dashboard',
  hint: 'The reason is in logs/daemon.log of the home folder; correct it, then `pan down && pan up`.',
} as const
