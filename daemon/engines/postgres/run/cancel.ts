/**
 * Stops what a session runs, by CancelRequest on its own socket with the same TLS rules.
 * `pg_cancel_backend` wouldn't do: poolers hide process ids but hand out keys, and it needs a
 * further connection.
 */

import type { Endpoint } from '../../../access/connection.ts';
import { withSocket } from '../dial.ts';
import type { BackendKey, Session } from '../session.ts';
import { limits } from '../wire/bounds.ts';

/** The number in place of a version (PostgreSQL manual, 55.7, CancelRequest). */
const cancelCode = 80_877_102;

/**
 * Resolves when the server has taken the request, or after two seconds. Never rejects: nobody could
 * act on it.
 */
export async function cancel(session: Session): Promise<void> {
  const { endpoint, key } = session;
  if (key === null || session.ended) return;
  await sendCancel(endpoint, session.socket.remoteAddress ?? null, key);
}

async function sendCancel(endpoint: Endpoint, address: string | null, key: BackendKey): Promise<void> {
  const request = Buffer.alloc(16);
  for (const [place, number] of [request.length, cancelCode, key.processID, key.secretKey].entries())
    request.writeInt32BE(number, place * 4);
  try {
    await withSocket(
      endpoint,
      address,
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
    // The caller destroys the session next; that ends the statement as soon as the server looks.
  }
}

/** Stops the statement in the server, then ends the session, so a late cancel can hit nothing. */
export async function cancelAndDestroy(session: Session): Promise<void> {
  session.abandon();
  await cancel(session);
  session.destroy();
}
