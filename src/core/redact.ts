/**
 * Takes secrets out of text that others wrote: a command line, a question, an error. Pure, and linear in the length of
 * the text: no pattern looks at a character more than a bounded number of times. It knows the common kinds by their
 * looks; what looks like nothing cannot be known.
 */

export const REDACTED = '«secret»'

export function redact(text: string): string {
  if (!ANY_SIGN.test(text)) return text
  let clean = text
  for (const [pattern, instead] of KINDS) clean = clean.replaceAll(pattern, instead)
  for (const [command, option] of COMMANDS) {
    clean = clean.replaceAll(command, (line) => line.replaceAll(option, `$1${REDACTED}`))
  }
  return clean.replaceAll(ADDRESS, withoutPasswords)
}

/**
 * What every kind below needs at least one of. Names of tools and stamps, of which most reports consist, have none, and
 * need not be searched for each kind.
 */
const ANY_SIGN = /[-_=:.\s]|A(?:KIA|SIA|Iza)/

const READ_AT_MOST = 65_536

/** Cut after the secrets are out, since half a secret is not known as one. */
export function redactTo(text: string, longest: number): string {
  const clean = redact(text.slice(0, READ_AT_MOST))
  // What was read may end within a secret.
  const isHalf = text.length > READ_AT_MOST && clean.length <= longest
  return isHalf ? clean.slice(0, Math.max(0, clean.lastIndexOf(' '))) : clean.slice(0, longest)
}

/** To the end of its line where the quote that opened it (group q, with its backslash) does not come again. */
const QUOTED = String.raw`(?:(?!\k<q>)(?:\\[^\n]|[^\n]))`
const QUOTE = String.raw`(?<q>\\?["'])?`
const WORD = String.raw`(?:${QUOTED}+|[^\s"'|&;<>()][^\s"']*)`
const LONG_WORD = String.raw`(?:${QUOTED}{3,}|[^\s"'|&;<>()][^\s"']{2,})`
const NAMES = String.raw`(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?|(?<!\$)pwd(?!["']?[ \t]*[=:][ \t]*["']?[/~.$]))`

/** The kinds stand in the order in which they are looked for; the first of them that fits takes the text. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  // To the end of the text where the end of the key is cut off.
  [
    /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----END )[^])*(?:-----END [A-Z0-9 ]{0,60}-----)?/g,
    REDACTED,
  ],
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
    new RegExp(
      String.raw`(${NAMES}\\?["']?[ \t]*(?:=>|:=|=|:)[ \t]*${QUOTE})(?!«secret»|[\s,)\]}])(?:${QUOTED}{3,}|[^\s"',;&)}\]]{4,})`,
      'gi',
    ),
    `$1${REDACTED}`,
  ],
  [option(String.raw`(?:passw(?:or)?d|passphrase)`, WORD), `$1${REDACTED}`],
  [option('(?:token|secret|api-key|access-key)', LONG_WORD), `$1${REDACTED}`],
]

/** `--password x`, `--client-secret 'two words'` */
function option(names: string, value: string): RegExp {
  const flag = String.raw`(?<![\w-])--?(?:[a-z0-9]{1,20}-){0,3}${names}[ \t]+`
  return new RegExp(String.raw`(${flag}(?!-)${QUOTE})(?!«secret»)${value}`, 'gi')
}

/** Options that mean a secret only in one program: the program with its line, and the option in it. */
const COMMANDS: readonly (readonly [RegExp, RegExp])[] = [
  ['curl', String.raw`(?:-[A-Za-z]{0,8}[uU]|--(?:proxy-)?user)[ \t=]*${QUOTE}[^\s"':]{0,100}:`],
  [String.raw`(?:mysql|mariadb)(?:dump|admin|sh|-dump|-admin)?`, String.raw`-p${QUOTE}(?!\d+:\d)`],
  ['(?:sshpass|mongo|mongosh)', String.raw`-p[ \t=]*(?!-)${QUOTE}`],
  [
    String.raw`(?:docker|podman|nerdctl|buildah|skopeo|helm|oras|az|oc)[ \t]+(?:[\w./=-]{1,60}[ \t]+){0,3}login`,
    String.raw`-p[ \t=]*(?!-)${QUOTE}`,
  ],
  ['redis-cli', String.raw`-a[ \t=]*(?!-)${QUOTE}`],
].map(([program, flag]) => [
  new RegExp(String.raw`(?<![\w-])${program}(?![\w-])(?:"(?:\\[^]|[^"\\\n])*"|'[^'\n]*'|\\[^]|[^\n;|&\\])*`, 'g'),
  new RegExp(String.raw`(?<=\s)(${flag})(?!«secret»)${WORD}`, 'g'),
])

const ADDRESS = /:\/\/[^\s"'<>]+/g

/** A password may hold «/» and «@» as they are; what looks like a port before a path is none. */
function withoutPasswords(addresses: string): string {
  return addresses
    .split('://')
    .map((address) => {
      const isSigned = /^[^/:@]*:(?!(?:\d{1,5}|\$\{?\w{1,64}\}?)[/?#])[^@]/.test(address)
      const end = isSigned ? address.lastIndexOf('@') : -1
      return end < 0 ? address : REDACTED + address.slice(end)
    })
    .join('://')
}
