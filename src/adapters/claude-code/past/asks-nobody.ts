/** Whether the client runs every call without asking a person; unknown modes are taken to ask. */
const NEVER_ASKING: readonly string[] = ['bypassPermissions', 'dontAsk', 'auto']

export function asksNobody(mode: string | undefined): boolean {
  return mode !== undefined && NEVER_ASKING.includes(mode)
}
