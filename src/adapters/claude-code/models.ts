/** What `--model` takes by name; the client starts with any other id, and says only in its first turn that there is none. */
export const MODELS = { names: ['default', 'best', 'opus', 'sonnet', 'haiku', 'opusplan'], family: 'claude' }
