/** The folder of a workspace's transcripts, named as the client that is imitated does it. */

export function projectName(cwd: string): string {
  return cwd.replaceAll(/[^A-Za-z0-9]/g, '-').slice(0, 200)
}
