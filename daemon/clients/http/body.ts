/**
 * Reads a request's body up to a cap and within a time, counted while it arrives, and reads it as
 * JSON. What the JSON means is others' matter.
 */

import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parsedJson } from '../../../shared/json.ts';
import { httpLimits } from './http-limits.ts';

type Body =
  | { readonly kind: 'complete'; readonly bytes: Buffer }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'too_slow' }
  /** The client left. */
  | { readonly kind: 'incomplete' };

export function readBody(incoming: IncomingMessage, capBytes: number, seconds: number): Promise<Body> {
  return new Promise(resolve => {
    const chunks: Buffer[] = [];
    let length = 0;
    const late = setTimeout(() => finish({ kind: 'too_slow' }), seconds * 1000);
    const finish = (body: Body): void => {
      clearTimeout(late);
      incoming.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      // The rest is read and dropped: a client that is busy sending would not hear the answer.
      incoming.on('error', () => {}).resume();
      resolve(body);
    };
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length <= capBytes) return void chunks.push(chunk);
      incoming.off('data', onData).off('end', onEnd).off('close', onClose);
      void dropRest(incoming).then(() => finish({ kind: 'too_large' }));
    };
    const onEnd = (): void => {
      const [first] = chunks;
      finish({ kind: 'complete', bytes: chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks) });
    };
    const onClose = (): void => finish({ kind: 'incomplete' });
    incoming.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

/**
 * Reads and drops what a refused request goes on sending. Where the connection ends with the
 * answer, closing a socket with unread bytes resets it, and a client that is busy sending would
 * hear of a broken pipe instead of what was wrong.
 */
export async function dropRest(incoming: IncomingMessage): Promise<void> {
  const read = finished(incoming.on('error', () => {}).resume()).catch(() => {});
  await Promise.race([read, sleep(httpLimits.refusedBodyMilliseconds, undefined, { ref: false })]);
}

/**
 * @returns undefined for what is not JSON; bytes that are not UTF-8 are refused, for repairing them
 * would change the text.
 */
export function jsonIn(bytes: Buffer): unknown {
  return isUtf8(bytes) ? parsedJson(bytes.toString('utf8')) : undefined;
}
