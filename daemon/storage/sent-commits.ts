/**
 * COMMITs that were sent, in the file `unfinished`: a kill then leaves what is needed to ask the
 * server how they ended.
 */

import type { SentCommit } from '../statement/unknown-outcomes.ts';
import { type SealOf, sealed, unsealed } from './sealed-text.ts';
import type { Unfinished } from './unfinished.ts';

const what = 'commit';

export function sentCommitsIn({ commitBegun, leftCommits }: Unfinished, sealOf: SealOf) {
  return {
    keep: (commit: SentCommit) => commitBegun(sealed(sealOf, what, commit)),
    left: leftCommits.flatMap(({ text, settled }) => {
      // Under our seal it has the shape that was sealed.
      const commit = unsealed(sealOf, what, text) as SentCommit | undefined;
      if (commit !== undefined) return [{ ...commit, settled }];
      settled();
      return [];
    }),
  };
}
