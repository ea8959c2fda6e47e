/** A home with a daemon and one connection, and how a client starts its bridge. */

import { join } from 'node:path';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { root } from '../../torture/root.ts';
import { until } from '../../waiting/until.ts';
import type { Access, Entry, Place } from './place.ts';

export interface Ours {
  readonly home: RealHome;
  readonly entry: Entry;
}

export const connection = 'shop';

/** @param access of the connection. Where clients only read, whatever gives them more is asked of a person. */
export async function startOurs(place: Place, access: Access): Promise<Ours> {
  const home = realHome(0, access === 'reads' ? 'owner' : 'nobody');
  // Its exports go to this home's Downloads, not to the account's.
  home.spawnDaemon();
  await until(async () => (await home.run(['status'])).code === 0, 'the daemon is up', 20);
  const { engine, host, port, user, password, database } = place;
  const url = `${engine}://${user}@${host}:${port}/${database}`;
  const level = access === 'reads' ? 'read-only' : 'read-write';
  const options = ['--name', connection, '--external-clients', level, '--tls', 'disable', '--password-stdin'];
  const added = await home.run(['connections', 'add', url, ...options], { stdin: password });
  if (added.code !== 0) throw new Error(added.stderr);
  const env = { HOME: home.folder, SALLYPORT_HOME: home.home };
  return { home, entry: { command: join(root, 'build/bin/sallyport-mcp'), args: [], env } };
}
