/** The house rules that neither the compiler nor the linter can say. `node scripts/rules.ts [folder]` */
import { join, resolve } from 'node:path'
import { childProcesses } from './rules/child-processes.ts'
import { gateComments } from './rules/gate-comments.ts'
import { lockFile } from './rules/lock-file.ts'
import { barrels, endings, names } from './rules/names.ts'
import { roomImports } from './rules/room-imports.ts'
import { screenText } from './rules/screen-text.ts'
import { readSourceTree } from './rules/source-tree.ts'
import { testHonesty } from './rules/test-honesty.ts'

const root = resolve(process.argv[2] ?? join(import.meta.dirname, '..'))
const tree = readSourceTree(root)
const rules = [roomImports, childProcesses, screenText, gateComments, testHonesty, names, endings, barrels, lockFile]
const problems = rules.flatMap((rule) => rule(tree))

for (const { path, line, rule, message } of problems) console.log(`${path}:${line} [${rule}] ${message}`)
console.log(`${problems.length} problems in ${tree.sources.length} files`)
process.exitCode = problems.length > 0 ? 1 : 0
