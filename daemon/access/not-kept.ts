/**
 * What was taken away counts in this run, but could not be stored: the next start would give it
 * back. The cause says why.
 */

/** What was done in this run alone. */
type Taken = 'revoked' | 'deleted' | 'narrowed' | 'removed' | 'switched off' | 'paused';

export class NotKept extends Error {
  readonly taken: Taken;

  constructor(taken: Taken, cause: unknown) {
    super(`what was ${taken} counts, but could not be stored`, { cause });
    this.name = 'NotKept';
    this.taken = taken;
  }
}
