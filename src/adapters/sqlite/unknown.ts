/** What this Cloister must leave alone, because it would lose what it does not know of it. */
export class Unknown extends Error {
  readonly remedy = 'Nothing was touched. Update this Cloister, or set PANOPTICON_HOME to another folder.'
}
