/**
 * Takes secrets out of text that others wrote: a command line, a question, an error. Pure, and linear in the length of
 * the text: no pattern looks at a character more than a bounded number of times. It knows the common kinds by their
 * looks; what looks like nothing cannot be known.
 */

export const REDACTED = '«secret»'

/** The kinds stand in the order in which they are looked for; the first of them that fits takes the text. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  // To the end of the text where the end of the key is cut off.
  [
    /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----END )[^])*(?:-----END [A-Z0-9 ]{0,60}-----)?/g,
    REDACTED,
  ],
  // After «://» a part that runs to «@» without a slash between.
  [/(?<=:\/\/)[^\s/:@"'<>]*:[^\s/@"'<>]+(?=@)/g, REDACTED],
  [/\b(Bearer)[ \t]+[A-Za-z0-9._~+/=-]{8,}/gi, `$1 ${REDACTED}`],
  [/(\bAuthorization["']?[ \t]*:[ \t]*(?:Basic|token)[ \t]+)[A-Za-z0-9._~+/=-]{4,}/gi, `$1${REDACTED}`],
  [/\bsk-(?:ant-|proj-|or-|svcacct-)?[A-Za-z0-9_-]{6,}/g, REDACTED],
  [/\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{6,}/g, REDACTED],
  [/\b(?:gh[pousr]_|github_pat_|glpat-|npm_|hf_|xai-|gsk_|dop_v1_|pypi-)[A-Za-z0-9_-]{6,}/g, REDACTED],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{8,}/g, REDACTED],
  [/\bAIza[A-Za-z0-9_-]{10,}/g, REDACTED],
  [/\bxox[a-z]-[A-Za-z0-9-]{6,}/g, REDACTED],
  [/\bxapp-[A-Za-z0-9-]{6,}/g, REDACTED],
  [/\bhttps:\/\/hooks\.slack\.com\/[^\s"'<>]+/g, REDACTED],
  [/(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?/g, REDACTED],
  [
    /((?:passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)["']?[ \t]*(?:=|:|=>)[ \t]*["']?)(?!«secret»)[^\s"',;&)}\]]{4,}/gi,
    `$1${REDACTED}`,
  ],
  [
    /(--?(?:password|passwd|token|secret|api-key|access-key)[ \t]+["']?)(?!«secret»)[^\s"'-][^\s"']{2,}/gi,
    `$1${REDACTED}`,
  ],
]

export function redact(text: string): string {
  let clean = text
  for (const [pattern, instead] of KINDS) clean = clean.replaceAll(pattern, instead)
  return clean
}
