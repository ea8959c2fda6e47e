/**
 * Reads a request's body within a cap and a time, counted as it arrives, and parses it as JSON.
 * Others decide what the JSON means.
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
      // The rest is read and dropped: a client that is busy sending would not read the answer.
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
 * Reads and drops what a refused request keeps sending. If the connection ended with the answer,
 * unread bytes would reset it, and the sending client would see a broken pipe instead of the
 * reason.
 */
export async function dropRest(incoming: IncomingMessage): Promise<void> {
  const read = finished(incoming.on('error', () => {}).resume()).catch(() => {});
  await Promise.race([read, sleep(httpLimits.refusedBodyMilliseconds, undefined, { ref: false })]);
}

/**
 * @returns undefined if it isn't JSON. Bytes that aren't UTF-8 are refused: repairing them would
 *   change the text.
 */
export function jsonIn(bytes: Buffer): unknown {
  return isUtf8(bytes) ? parsedJson(bytes.toString('utf8')) : undefined;
}
