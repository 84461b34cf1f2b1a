/** The program behind `pan dashboard --open`: gives a link to the desktop's own opener. Exit codes: 0 given, 1 not. */
import { run } from '../../adapters/process/run.ts'

const OPENER = process.platform === 'darwin' ? 'open' : 'xdg-open'

process.exitCode = await main(process.argv.slice(2))

async function main([link = '']: string[]): Promise<number> {
  if (!/^http:\/\/(127\.0\.0\.1|\[::1\]):\d{1,5}\/#login=[A-Za-z0-9_-]{1,64}$/.test(link)) {
    process.stderr.write('Could not open the link: it is not one of the dashboard.\n')
    return 1
  }
  try {
    const { code } = await run([OPENER, link])
    if (code === 0) return 0
    return failed(`${OPENER} ended with code ${code}`)
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error))
  }
}

function failed(why: string): number {
  process.stderr.write(`Could not open a browser: ${why}. Open the link yourself.\n`)
  return 1
}
