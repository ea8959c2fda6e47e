/**
 * Takes the home's lock or tells who has it (spec §2). Waits up to 3 s for the holder to answer.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { ControlLink, silence } from '../../shared/control-link.ts';
import { readHandshake } from '../../shared/handshake.ts';
import type { Locations } from '../../shared/locations.ts';
import { newNonce } from '../../shared/proofs.ts';
import { type HeldLock, takeLock } from './lock.ts';

type LockAttempt =
  | { readonly kind: 'taken'; readonly held: HeldLock }
  | { readonly kind: 'held_by_other'; readonly isLive: boolean; readonly sentence: string };

const waitMilliseconds = 3_000;
const pauseMilliseconds = 100;

export async function acquireLock(locations: Locations): Promise<LockAttempt> {
  const deadline = performance.now() + waitMilliseconds;
  for (;;) {
    const held = takeLock(locations.lock);
    if (held !== null) return { kind: 'taken', held };
    const left = deadline - performance.now();
    if (left > 0 && (await answersIdentify(locations.controlSocket, left))) {
      const sentence = `Sallyport already runs for ${locations.home}${holderOf(locations)}.`;
      return { kind: 'held_by_other', isLive: true, sentence };
    }
    if (performance.now() >= deadline) {
      const sentence = `Another process holds ${locations.lock}${holderOf(locations)} but doesn't answer: it is starting or stopping. Wait a moment, then try again; if it hangs, \`sallyport stop\` ends it.`;
      return { kind: 'held_by_other', isLive: false, sentence };
    }
    await sleep(pauseMilliseconds);
  }
}

/** Tells whether it answers; what it answers is not trusted. */
async function answersIdentify(socketPath: string, milliseconds: number): Promise<boolean> {
  const link = await ControlLink.open(socketPath);
  const answer = (await link?.identify(newNonce(), milliseconds)) ?? null;
  link?.close();
  return answer !== null && answer !== silence;
}

function holderOf(locations: Locations): string {
  const read = readHandshake(locations.handshake);
  return read.kind === 'read' ? ` (process ${read.handshake.pid})` : '';
}
