/** Keys of the page for browsers. */
import * as z from 'zod'
import { inEffect, section } from './key.ts'

export const dashboard = section('The page for browsers, on this machine only. Read when the daemon starts.', {
  host: inEffect(
    'Address to listen on. Only loopback: from another machine use a tunnel, such as `ssh -L 3011:127.0.0.1:3011 <machine>`.',
    z.enum(['127.0.0.1', '::1']).default('127.0.0.1'),
  ),
  port: inEffect(
    'Port to listen on; when it is taken, the next free one is used, kept and said. 0 takes any.',
    z.int().min(0).max(65_535).default(3011),
  ),
})
