/** The whole of our state machines: a table in which every state answers every input. */

/** Where a state goes on an input, and what is done on the way. */
export interface Row<State extends string, Action extends string> {
  to: State
  do: Action
}

/** Total by type: leaving out a state or an input does not compile. */
export type Table<State extends string, Input extends string, Action extends string> = Readonly<
  Record<State, Readonly<Record<Input, Row<State, Action>>>>
>

export function transition<State extends string, Input extends string, Action extends string>(
  table: Table<State, Input, Action>,
  state: State,
  input: Input,
): Row<State, Action> {
  return table[state][input]
}
