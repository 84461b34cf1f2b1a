/** Something that the caller of ./test has to correct; said in one sentence, exit code 2. */
export class WrongUsage extends Error {}
