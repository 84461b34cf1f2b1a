/** Takes the lock of a home and keeps it until it is killed, or says why not. `node lock-holder.ts <home>` */
import { acquireLock } from '../../src/adapters/sqlite/lock.ts'

try {
  acquireLock(process.argv[2] ?? '', 0)
  console.log('held')
  process.stdin.resume()
} catch (error) {
  console.log(String(error))
}
