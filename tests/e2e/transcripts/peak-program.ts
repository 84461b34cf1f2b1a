/** Reads one transcript and prints its totals and the most memory that it took: `node peak-program.ts <file>`. */
import { bestScanner } from '../../../src/adapters/claude-code/transcripts/best-scanner.ts'
import { TranscriptSet } from '../../../src/adapters/claude-code/transcripts/transcript-set.ts'

const set = new TranscriptSet(bestScanner())
const before = process.resourceUsage().maxRSS
for (const number of set.catalogue.enter(process.argv.slice(2))) set.follow(number)
const kilobytes = process.resourceUsage().maxRSS - before
console.log(JSON.stringify({ models: set.totals(), kilobytes }))
