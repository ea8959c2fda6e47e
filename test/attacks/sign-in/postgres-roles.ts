/** A PostgreSQL of its own, with a role for each way in which a server lets somebody in. */

import { readFileSync, writeFileSync } from 'node:fs';
import { findPostgres, type PostgresServer, startPostgres } from '../../servers/postgres.ts';

export const password = 'Ⅸ-not to-be-read';

const roles = ['scram_role', 'md5_role', 'clear_text_role', 'trusted_role', 'certified_role'];

const found = findPostgres();
export const unavailable = 'unavailable' in found ? found.unavailable : null;

/** Each is asked as it is called, by its socket too for clear text. Others there are trusted. */
export async function startWithRoles(): Promise<PostgresServer> {
  if ('unavailable' in found) throw new Error(found.unavailable);
  const server = await startPostgres(found);
  const file = await server.ask('show hba_file');
  const others = readFileSync(file, 'utf8');
  writeFileSync(file, `local all clear_text_role password\nhost all trusted_role 127.0.0.1/32 trust\n${others}`);
  await server.psql('select pg_reload_conf()');
  for (const role of roles) {
    const encryption = role === 'md5_role' ? 'md5' : 'scram-sha-256';
    await server.psql(`set password_encryption = '${encryption}'; create role ${role} login password '${password}'`);
  }
  return server;
}
