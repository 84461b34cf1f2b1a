/** The fastest scanner that this machine can run. */
import { plainScanner, type Scanner } from './scanner.ts'
import { simdScanner } from './simd-scanner.ts'

export function bestScanner(): Scanner {
  return simdScanner() ?? plainScanner()
}
