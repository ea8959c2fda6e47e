/** Databases that TablePlus knows. Its passwords stay with it, in the keychain. */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { connectionsOf } from '../../shared/engine.ts';
import { isObject, parsedJson } from '../../shared/json.ts';
import type { PathBase } from '../../shared/url-parts.ts';
import { notSupported } from '../../shared/url-schemes.ts';
import { type FoundDatabases, mergeFound, nothingFound, unusable } from './candidate.ts';
import { connectionOfParts, engineMeant } from './parts.ts';

/** A property list; the system's own `plutil` reads it. */
export function inTablePlus(base: PathBase, platform: NodeJS.Platform = process.platform): FoundDatabases {
  if (platform !== 'darwin') return nothingFound;
  const path = join(base.home, 'Library/Application Support/com.tinyapp.TablePlus/Data/Connections.plist');
  const read = spawnSync('/usr/bin/plutil', ['-convert', 'json', '-o', '-', path], { encoding: 'utf8' });
  return read.status === 0 ? ofTablePlus(parsedJson(read.stdout), base) : nothingFound;
}

/** @param listed a list of dictionaries, one per connection. */
export function ofTablePlus(listed: unknown, base: PathBase): FoundDatabases {
  return mergeFound(
    (Array.isArray(listed) ? listed.filter(isObject) : []).map((entry): FoundDatabases => {
      const text = (key: string): string | undefined => (typeof entry[key] === 'string' ? entry[key] : undefined);
      const name = text('ConnectionName') ?? 'database';
      const from = `${name} of TablePlus`;
      const engine = engineMeant(text('Driver') ?? '');
      if (engine === null) return unusable(from, notSupported(text('Driver') ?? 'It'));
      if (entry.isOverSSH === true || entry.isOverSSH === 1)
        return unusable(from, 'It goes through an SSH tunnel; add it with `sallyport connections add URL --ssh HOST`.');
      const database = text(connectionsOf[engine].isFile ? 'DatabasePath' : 'DatabaseName');
      const place = { host: text('DatabaseHost'), port: text('DatabasePort'), user: text('DatabaseUser') };
      const connection = connectionOfParts({ engine, database, ...place }, base);
      return connection.kind === 'refused'
        ? unusable(from, connection.problem)
        : { candidates: [{ name, from: 'TablePlus', connection }], unreadable: [] };
    }),
  );
}
