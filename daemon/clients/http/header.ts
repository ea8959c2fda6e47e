/** One header of a request, as `Headers.get` would give it. */

import type { IncomingMessage } from 'node:http';

export function headerOf({ headers }: Pick<IncomingMessage, 'headers'>, name: string): string | null {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : (value ?? null);
}
