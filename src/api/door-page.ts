/** What a person reads who followed a link from another site to the dashboard. Nothing of the request is in it. */
import type { Door } from './door-env.ts'

export function otherSitePage(door: Door): Response {
  const host = door.via === 'tcp' ? ([...door.hosts][0] ?? '') : ''
  const text = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Cloister</title>
<h1>This link came from another site</h1>
<p>Nothing was opened, because a page of another site could have sent you here.</p>
<p>Type the address http://${host}/ yourself, or run <code>pan dashboard</code> for a link to sign in with.</p>
</html>
`
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
  return new Response(text, { status: 403, headers })
}
