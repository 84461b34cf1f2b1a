/** The settings that hand-offs are decided by: cloister.yaml translated once (config/to-handoff-settings.ts). */

export interface HandoffSettings {
  planningComplete: {
    enabled: boolean
    /** Words in the titles of plan tasks; none: closed tasks are no signal. */
    taskWords: readonly string[]
    planFile: boolean
    exitPlanMode: boolean
    mode: 'any' | 'all'
    from: string
    to: string
  }
  implementationComplete: { enabled: boolean; taskWord: string; specialist: string }
  testsPass: { enabled: boolean; to: string }
  stuck: { enabled: boolean; specialistFirst: boolean; haikuMs: number; sonnetMs: number; opusMs: number }
  testFailure: { enabled: boolean; on: 'any_failure' | '2_consecutive'; from: string; to: string }
  nextTask: { enabled: boolean }
  costDowngrade: { enabled: boolean; thresholdUsd: number }
  reviewApproved: { enabled: boolean; to: string }
  mergeConflict: { enabled: boolean; specialist: string }
  ciFailed: { enabled: boolean; specialist: string }
  securityConcern: { enabled: boolean; to: string }
  requireApproval: readonly ('cross_runtime' | 'escalate_to_opus' | 'downgrade_from_opus')[]
  perIssuePerHour: number
  maxEscalations: number
  /** False: a dearer model is only suggested. */
  autoEscalate: boolean
  /** For the agent to come to rest, and then to save its state. */
  restMs: number
  saveMs: number
  cycle: {
    enabled: boolean
    /** Of the usable window, 0 to 1. */
    threshold: number
    writeMs: number
    retries: number
    verifyMs: number
    warnPerHour: number
  }
  /** Those that take no work. */
  specialistsOff: readonly string[]
}
