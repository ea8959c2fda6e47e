/** Whether a client's file leads to a saved database without Sallyport: another server's URL or file (spec §16 doctor). Shows no password. */

import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type ClientFileEnvironment, clientFiles } from '../../shared/client-files.ts';
import { parseConnectionUrl } from '../../shared/connection-url.ts';
import type { ConnectionView, EndpointView } from '../../shared/control-commands.ts';
import { advice, type Check } from './check.ts';

const maxFileBytes = 16 * 1024 * 1024;
const usualPorts = { postgres: 5432, mysql: 3306, sqlite: null } as const;

export function checkPast(
  userHome: string,
  environment: ClientFileEnvironment,
  connections: readonly ConnectionView[],
): Check[] {
  return clientFiles(userHome, environment).flatMap(({ title, path }) => {
    const text = textOf(path);
    const places = new Set(urlsIn(text).flatMap(url => placeOf(url, { cwd: dirname(path), home: userHome })));
    return connections
      .filter(({ filePath, ...endpoint }) =>
        filePath === null ? places.has(placeKey({ filePath, ...endpoint })) : text.includes(JSON.stringify(filePath)),
      )
      .map(({ name }) =>
        advice(title, `${path} has another server that reaches the database of ${name}, past Sallyport. ${remedy}`),
      );
  });
}

const remedy = 'Take it out of that file, or what Sallyport refuses is done there.';

function urlsIn(text: string): string[] {
  return [...text.matchAll(/\b(?:postgres|postgresql|mysql|mariadb):\/\/[^\s"'\\]+/g)].map(([url]) => url);
}

function placeOf(url: string, base: { readonly cwd: string; readonly home: string }): string[] {
  const read = parseConnectionUrl(url, base);
  return read.kind === 'refused' ? [] : [placeKey(read.endpoint)];
}

/** Whoever signs in there. */
function placeKey({ engine, host, port, socketPath, database }: EndpointView): string {
  const isHere = host === 'localhost' || host === '127.0.0.1' || host === '::1';
  return JSON.stringify([engine, isHere ? 'here' : host, port ?? usualPorts[engine], socketPath, database]);
}

function textOf(path: string): string {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= maxFileBytes ? readFileSync(path, 'utf8') : '';
  } catch {
    return '';
  }
}
