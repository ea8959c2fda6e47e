/**
 * A `.env` file. Node and dotenv end an unquoted value at any #, Docker Compose at one behind a
 * blank only: nobody knows which program the file is for.
 */

import { parseEnv } from 'node:util';
import type { Variables } from './expanded.ts';

const inDoubt = /^\s*(?:export\s+)?([\w.]+)\s*=[^\S\n]*([^\s"'`#][^\s"'`#]*#\S*)/gm;

/** A password in doubt counts as unknown; any other value is taken whole, and its # is refused. */
export function dotenv(text: string): Variables {
  const doubtful = [...text.matchAll(inDoubt)].map(([, name = '', value = '']) => [
    name,
    /PASS(?:WORD)?$|PWD$/i.test(name) ? `\${${name}}` : value,
  ]);
  return { ...(parseEnv(text) as Variables), ...Object.fromEntries(doubtful) };
}
