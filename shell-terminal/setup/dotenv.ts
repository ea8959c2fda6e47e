/**
 * A `.env` file. Node and dotenv end an unquoted value at any #, Docker Compose at one behind a
 * blank only: nobody knows which program the file is for.
 */

import { parseEnv } from 'node:util';
import type { Variables } from './expanded.ts';

/** A value in doubt counts as unknown; a URL is taken whole, and its # is refused. */
export function dotenv(text: string): Variables {
  const doubtful = text.split('\n').flatMap(line => {
    const at = line.indexOf('=');
    const name = line
      .slice(0, Math.max(at, 0))
      .trim()
      .replace(/^export\s/, '')
      .trim();
    const value = line.slice(at + 1).trim();
    const isInDoubt = /^[^\s"'`#](?:[^#]*[^\s#])?#/.test(value);
    if (!isInDoubt || !/^[\w.]+$/.test(name)) return [];
    return [[name, /^\S+:\/\//.test(value) ? (value.split(/\s/)[0] ?? '') : `\${${name}}`]];
  });
  return { ...(parseEnv(text) as Variables), ...Object.fromEntries(doubtful) };
}
