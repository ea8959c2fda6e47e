/** Whether a request says, once, that its body is JSON. */

import type { IncomingMessage } from 'node:http';
import { isJsonContentType } from '@modelcontextprotocol/server';
import { valuesOf } from './host-and-origin.ts';

/** In Node's map a second Content-Type would hide behind the first. */
export function isJsonContent({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  const types = valuesOf(rawHeaders, 'content-type');
  return types.length === 1 && isJsonContentType(types[0] ?? null);
}
