/**
 * Stops what a session runs. By CancelRequest on a socket of its own, under the same TLS rules, and not by
 * `pg_cancel_backend`: poolers hand out keys but hide process ids, and it works where no further connection is allowed.
 */

import { withSocket } from './dial.ts';
import { limits } from './limits.ts';
import type { Link } from './link.ts';

/** The number that stands where a version would (PostgreSQL manual, 55.7, CancelRequest). */
const cancelCode = 80_877_102;

/** Resolves when the server has taken the request, or after two seconds; never rejects: there is nobody to tell. */
export async function cancel(link: Link): Promise<void> {
  const { endpoint, key } = link;
  if (key === null || link.ended) return;
  const request = Buffer.alloc(16);
  for (const [place, number] of [request.length, cancelCode, key.processID, key.secretKey].entries())
    request.writeInt32BE(number, place * 4);
  try {
    await withSocket(
      endpoint,
      link.socket.remoteAddress ?? null,
      AbortSignal.timeout(limits.cancelMilliseconds),
      ({ socket }) =>
        new Promise<void>((resolve, reject) => {
          socket.once('error', reject);
          socket.once('close', () => resolve());
          socket.resume();
          socket.write(request);
        }),
    );
  } catch {
    // The caller destroys the link next, which ends the statement as soon as the server next looks.
  }
}

/** The statement is stopped in the server, then the session is ended: what a late cancel might hit is gone. */
export async function cancelAndDestroy(link: Link): Promise<void> {
  link.abandon();
  await cancel(link);
  link.destroy();
}
