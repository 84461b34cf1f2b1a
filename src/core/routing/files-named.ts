/** How many files a text is about: the different paths that it names. */

const READ_AT_MOST = 20_000
/** A path has an ending, and a folder or a backtick before it: «e.g.» and «1.5» are none, nor is what stands in a link. */
const PATH =
  /(?:^|[\s`'"(,])((?:[\w@.-]{1,80}\/){1,12}[\w@.-]{1,80}\.[A-Za-z]\w{0,9}|`[\w@-][\w@.-]{0,80}\.[A-Za-z]\w{0,9}(?=`))/gm

/** Undefined when it names none: then nothing is known. */
export function countFilesNamedIn(text: string): number | undefined {
  const paths = new Set<string>()
  for (const [, path = ''] of text.slice(0, READ_AT_MOST).matchAll(PATH)) paths.add(path.replace(/^[`.]*\/?/, ''))
  return paths.size === 0 ? undefined : paths.size
}
