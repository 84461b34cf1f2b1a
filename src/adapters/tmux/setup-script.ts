/**
 * How a server of ours is set up, as tmux commands that may be run any number of times. The keeper is a session
 * without a process: a control client needs one to be attached to, and it is nobody's agent.
 */
export const KEEPER = 'cloister-keeper'
export const DIED = 'cloister-died'

/** Prints `ours <pid>`, or `foreign` and does nothing when somebody else's server has the socket. */
export function setupScript(homeId: string): string {
  return `
if-shell -F '#{||:#{==:#{@cloister_home},${homeId}},#{==:#{S:1},}}' {
  set-option -s @cloister_home ${homeId}
  set-option -s exit-empty off
  set-option -s message-limit 0
  set-option -g remain-on-exit on
  set-option -g destroy-unattached off
  set-option -g history-limit 10000
  set-option -g default-size 200x50
  set-option -g update-environment ''
  set-option -g automatic-rename off
  set-hook -g pane-died 'wait-for -S ${DIED}'
  if-shell -F '#{S:#{?#{==:#{session_name},${KEEPER}},1,}}' {} { new-session -d -s ${KEEPER} -- sleep 0 }
  display-message -p 'ours #{pid}'
} {
  display-message -p foreign
}
`
}
