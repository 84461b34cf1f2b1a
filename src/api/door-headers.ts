/** The headers that every answer on a port carries, and the one content security policy. */

/**
 * Nothing inline: no script, no <style> element. Style attributes that scripts set through the CSSOM, and constructed
 * style sheets, are not what `style-src` forbids. `hosts` are the names that the page may be reached by.
 */
function contentSecurityPolicy(hosts: Iterable<string>): string {
  const sockets = [...hosts].map((host) => `ws://${host}`)
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // «'self'» covers ws: only in newer browsers.
    `connect-src 'self' ${sockets.join(' ')}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "manifest-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

export function securityHeaders(hosts: Iterable<string>): readonly (readonly [string, string])[] {
  return [
    ['content-security-policy', contentSecurityPolicy(hosts)],
    ['x-content-type-options', 'nosniff'],
    ['referrer-policy', 'no-referrer'],
    ['cross-origin-opener-policy', 'same-origin'],
    ['cross-origin-resource-policy', 'same-origin'],
    ['x-frame-options', 'DENY'],
  ]
}
