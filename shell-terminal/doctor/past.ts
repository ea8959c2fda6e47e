/**
 * Checks whether a client's file leads to a saved database without Sallyport: another server's URL
 * or file (spec §16 doctor). Shows no password.
 */

import { dirname } from 'node:path';
import { type ClientFileEnvironment, clientFiles } from '../../shared/client-files.ts';
import { parseConnectionUrl } from '../../shared/connection-url.ts';
import type { ConnectionView, EndpointView } from '../../shared/control-commands.ts';
import { placeKey } from '../setup/candidate.ts';
import { advice, type Check } from './check.ts';
import { textOf } from './client-text.ts';

export function checkPast(
  userHome: string,
  environment: ClientFileEnvironment,
  connections: readonly ConnectionView[],
): Check[] {
  return clientFiles(userHome, environment).flatMap(({ title, path }) => {
    const text = textOf(path) ?? '';
    const places = new Set(urlsIn(text).flatMap(url => placeOf(url, { cwd: dirname(path), home: userHome })));
    return connections
      .filter(connection =>
        connection.filePath === null
          ? places.has(databaseKey(connection))
          : text.includes(JSON.stringify(connection.filePath)),
      )
      .map(({ name }) =>
        advice(title, `${path} has another server that reaches the database of ${name}, without Sallyport. ${remedy}`),
      );
  });
}

const remedy = 'Remove it from that file, or clients can do there what Sallyport refuses.';

function urlsIn(text: string): string[] {
  return [...text.matchAll(/\b(?:postgres|postgresql|mysql|mariadb):\/\/[^\s"'\\]+/g)].map(([url]) => url);
}

function placeOf(url: string, base: { readonly cwd: string; readonly home: string }): string[] {
  const read = parseConnectionUrl(url, base);
  return read.kind === 'refused' ? [] : [databaseKey(read.endpoint)];
}

/** Ignores the account. */
function databaseKey(endpoint: EndpointView): string {
  return placeKey({ ...endpoint, user: null });
}
