/** A home with a daemon and one connection, and how a client starts its bridge. */

import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { RealHome } from '../../bridge/real-home.ts';
import { root } from '../../torture/root.ts';
import { until } from '../../waiting/until.ts';
import type { Entry, Place } from './place.ts';

export interface Ours {
  readonly home: RealHome;
  readonly entry: Entry;
}

export const connection = 'shop';

/** @param level of the connection; the bridge itself may write. */
export async function startOurs(place: Place, level: 'read-only' | 'read-write'): Promise<Ours> {
  const home = new RealHome();
  // Its exports go to this home's Downloads, not to the account's.
  spawn(join(root, 'build/bin/sallyportd'), {
    env: { ...home.environment, HOME: home.folder },
    stdio: 'ignore',
  }).unref();
  await until(() => home.handshake() !== null, 'the daemon is up', 20);
  const { engine, host, port, user, password, database } = place;
  const url = `${engine}://${user}@${host}:${port}/${database}?sslmode=disable`;
  const add = ['connections', 'add', url, '--name', connection, '--external-clients', level, '--password-stdin'];
  execFileSync(join(root, 'build/bin/sallyport'), add, { env: home.environment, input: password, stdio: 'pipe' });
  const entry = { command: join(root, 'build/bin/sallyport-mcp'), args: [], env: { SALLYPORT_HOME: home.home } };
  return { home, entry };
}
