/** Compares requests without keeping them: they may be long, and hold a password. */

import { createHmac, randomBytes } from 'node:crypto';

/** @returns a digest under a key of its own, from which nothing can be guessed. */
export function keyedDigest(): (value: unknown) => string {
  const key = randomBytes(32);
  return value => createHmac('sha256', key).update(JSON.stringify(value)).digest('base64');
}
