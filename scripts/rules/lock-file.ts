/** The lock file names packages, versions and checksums, and no registry: everybody installs from their own. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Problem, SourceTree } from './source-tree.ts'

export function lockFile(tree: SourceTree): Problem[] {
  const file = join(tree.root, 'package-lock.json')
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, index) =>
      /"resolved":\s*"[a-z+]+:/.test(text)
        ? [
            {
              path: 'package-lock.json',
              line: index + 1,
              rule: 'lock-file',
              message:
                'names a registry. Run `npm install --package-lock-only --omit-lockfile-registry-resolved` and keep the result.',
            },
          ]
        : [],
    )
}
