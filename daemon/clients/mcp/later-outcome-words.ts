/** Words for a client what became of an earlier write of its own (spec §7). */

import type { LaterOutcome } from '../../statement/unknown-outcomes.ts';

const fates: Readonly<Record<LaterOutcome['fate'], string>> = {
  done: 'was done',
  not_done: 'was not done, and nothing of it stays',
  open: 'has not ended yet: look again later',
};

/** One sentence. */
export function laterOutcomeSentence({ sentAt, tool, fate }: LaterOutcome): string {
  const at = new Date(sentAt).toISOString().replace(/\.\d+/, '');
  return `How your ${tool} of ${at} ended was not known then; the server says now that it ${fates[fate]}.`;
}
