/** One thing that the doctor looked at: what was found, and how to mend it. */
import type { DoctorView } from '../../contract/doctor-view.ts'

export type Check = DoctorView['checks'][number]

export interface Patient {
  home: string
  env: Readonly<Record<string, string | undefined>>
}

export type Examine = (patient: Patient) => Check | Promise<Check>

export function well(what: string, found: string): Check {
  return { what, result: 'ok', found }
}

export function warn(what: string, found: string, fix: string): Check {
  return { what, result: 'warn', found, fix }
}

export function fail(what: string, found: string, fix: string): Check {
  return { what, result: 'fail', found, fix }
}
