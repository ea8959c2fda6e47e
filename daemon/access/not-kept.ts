/**
 * What was taken away counts in this run, but could not be stored: the next start would give it
 * back. The cause says why.
 */

export class NotKept extends Error {
  constructor(cause: unknown) {
    super('what was taken away counts, but could not be stored', { cause });
    this.name = 'NotKept';
  }
}
