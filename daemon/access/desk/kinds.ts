/** The limits on what waits for the person, by kind (spec §6, §11, §12). */

import type { AskKind } from './ask.ts';
import type { QuietLimits } from './quiet.ts';
import type { PlaceLimits } from './room.ts';

export interface KindLimits extends PlaceLimits {
  /** Without an answer it ends after this long. */
  readonly lifetimeSeconds: number;
  /** Answered ones kept until their end, for those who ask again; the oldest are dropped. */
  readonly remembered?: number;
  readonly quiet?: QuietLimits;
  /** Its quiet is that kind's: a no to one of them is a no to both. */
  readonly quietOf?: AskKind;
}

/**
 * All that waits stands in one line of the control socket (1 MiB): two kinds of these, and room for
 * what opening adds. A statement of 100,000 bytes fits, if it has few characters that are escaped.
 */
const bytes = { bytesEach: 131_072, bytesInAll: 393_216 } as const;

export const askLimits = {
  question: {
    lifetimeSeconds: 300,
    // More would let a client bury the question that matters.
    perAsker: 3,
    // Each bridge process names itself, so one that keeps renaming itself would have no limit: room
    // for eight bridges, of which it leaves the other processes their part.
    perGroup: 24,
    ...bytes,
    // Time for the person to do something else.
    quiet: { secondsAfter: { no: 60 }, longestSeconds: 60, endsByYes: false },
  },
  request: {
    // From its first occurrence.
    lifetimeSeconds: 900,
    remembered: 200,
    // One client must not fill the list: counted per token, or per tree of processes that started
    // the bridges, whatever they call themselves.
    perGroup: 5,
    // Nobody reads a longer list.
    inAll: 20,
    ...bytes,
    bytesPerGroup: bytes.bytesEach,
    crowdGivesWay: true,
  },
  increase: {
    lifetimeSeconds: 300,
    // More would bury the request that the person has made.
    inAll: 3,
    // Otherwise a program would ask until somebody clicks the other button; and a window that keeps
    // appearing and vanishing is endless asking, too.
    quiet: { secondsAfter: { no: 60, timeout: 60, cancelled: 5 }, longestSeconds: 3_600, endsByYes: true },
  },
  // One sheet, and three that wait behind it.
  pairing: { lifetimeSeconds: 300, inAll: 4 },
  // A no is one wherever it is said.
  form: { lifetimeSeconds: 300, perAsker: 3, quietOf: 'question' },
} satisfies Readonly<Record<AskKind, KindLimits>>;
