/** The folder of a connection, looked up at each call. */

import { statSync } from 'node:fs';
import type { Endpoint } from '../../../daemon/access/connection.ts';
import type { Answer } from '../../../daemon/engines/engine.ts';
import { type Link, linkTo } from './link.ts';

export function dial({ filePath }: Endpoint): Answer<Link> {
  const isThere = filePath !== null && statSync(filePath, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isThere) return { kind: 'not_connected', message: 'The folder of the tables is not there.' };
  return { kind: 'done', value: linkTo(filePath) };
}
