/**
 * Opens `sallyport.db` (spec §1), and makes its tables in a new one. Refuses a store of another
 * version and leaves it untouched.
 */

import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import knex, { type Knex } from 'knex';
import { privateFileProblem, untrustedFile } from '../../../shared/private-files.ts';
import { storeVersion } from '../../../shared/store-record.ts';
import { errorCode } from '../../disk-fault.ts';
import { openSqliteFile } from '../../sqlite/open-file.ts';
import { queryOn } from '../../sqlite/query.ts';
import { prepareForWriting } from '../ledger/connection.ts';
import { type Ledger, openLedger } from '../ledger/ledger.ts';
import { createStore } from './create-store.ts';
import { keepingValue, keptValue } from './kept-values.ts';
import { SqliteClient } from './sqlite-client.ts';

export type SecretBackend = 'keychain' | 'file';

export interface Store {
  /** For reading alone: once the tables are there, SQLite refuses anything else on it. */
  readonly knex: Knex;
  readonly ledger: Ledger;
  /**
   * For seldom writes: runs all of these queries or none. Don't await the queries themselves.
   * @returns how many rows each changed.
   */
  write(...queries: readonly (Knex.QueryBuilder | Knex.Raw)[]): Promise<readonly number[]>;
  /** UUID made with the store. Accounts in the keychain carry it, so two homes never collide. */
  readonly id: string;
  /** Decided once, when the store is made (spec §1 Secrets); null before that. */
  secretBackend(): Promise<SecretBackend | null>;
  recordSecretBackend(backend: SecretBackend): Promise<void>;
  close(): Promise<void>;
}

/** @throws Error with a sentence if the file can't be this version's store. */
export async function openStore(path: string): Promise<Store> {
  try {
    return await openKnown(path);
  } catch (error) {
    if (errorCode(error).startsWith('SQLITE_BUSY')) {
      throw new Error(`Another program holds a lock on ${path}; end it, then start Sallyport again.`);
    }
    if (!isDamage(error)) throw error;
    throw new Error(
      `${path} is damaged, or no database of Sallyport's; restore it from a backup, or move everything in its folder away to begin anew.`,
    );
  }
}

async function openKnown(path: string): Promise<Store> {
  refuseUnsafeFiles(path);
  const version = versionOf(path);
  if (version !== 0 && version !== storeVersion) throw new Error(anotherVersion(path, version));
  // SQLite would use the umask's mode.
  closeSync(openSync(path, 'a', 0o600));
  const database = knex({
    client: SqliteClient,
    connection: { filename: path },
    useNullAsDefault: true,
    pool: { min: 1, max: 1, afterCreate: prepareConnection },
  });
  const ledger = openLedger(path);
  const write: Store['write'] = (...queries) =>
    ledger.ask(
      'writeStatements',
      queries.map(query => query.toSQL().toNative()).map(({ sql, bindings }) => ({ sql, bindings })),
    );
  try {
    if (version === 0) await makeTables(database);
    // Another program's lock shows now, and not at the first write.
    for (const statement of ['begin immediate', 'rollback']) await database.raw(statement);
    const id = await readIdentity(database);
    await database.raw('pragma query_only = on');
    return {
      knex: database,
      ledger,
      write,
      id,
      secretBackend: () => readSecretBackend(database, path),
      async recordSecretBackend(backend) {
        await write(keepingValue(database, 'store', 'secrets', backend));
      },
      async close() {
        // The last connection to close empties the write-ahead log, so it must be able to write.
        await database.destroy();
        await ledger.close();
      },
    };
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

class DamagedStore extends Error {}

function isDamage(error: unknown): boolean {
  return error instanceof DamagedStore || /^SQLITE_(NOTADB|CORRUPT)/.test(errorCode(error));
}

/**
 * A file that others can write proves nothing about its owner's choices; `secrets.json` has the
 * same rule.
 */
function refuseUnsafeFiles(path: string): void {
  for (const file of [path, `${path}-wal`]) {
    const problem = privateFileProblem(file);
    if (problem !== null) throw new Error(untrustedFile("The store can't be trusted", file, problem));
  }
}

function anotherVersion(path: string, version: number): string {
  return `${path} is a store of another version of Sallyport (store version ${version}, this one knows ${storeVersion}); use that Sallyport, or move everything in its folder away to begin anew.`;
}

/**
 * A cleanly closed store is read as bytes: opening it in WAL mode would leave two files beside it,
 * even read-only. A store that was not closed has these files already, and maybe its version in
 * them alone.
 * @returns 0 for a new one.
 */
function versionOf(path: string): number {
  if (!existsSync(path)) return 0;
  const header = headerOf(path);
  // SQLite takes a short foreign file for an empty database and overwrites it.
  if (header === null && statSync(path).size > 0) throw new DamagedStore();
  if (header !== null && !existsSync(`${path}-wal`)) return header.readUInt32BE(userVersionOffset);
  const database = openSqliteFile(path, { access: 'read' });
  try {
    return Number(queryOn(database, 'pragma user_version').value());
  } finally {
    database.close();
  }
}

/** The offset of `user_version` in SQLite's file format (sqlite.org/fileformat2.html, 1.3). */
const userVersionOffset = 60;
const headerBytes = 100;

/** @returns null if the file is no SQLite database, or an empty one. */
function headerOf(path: string): Buffer | null {
  const header = Buffer.alloc(headerBytes);
  const file = openSync(path, 'r');
  try {
    readSync(file, header, 0, headerBytes, 0);
  } finally {
    closeSync(file);
  }
  return header.toString('latin1', 0, 16) === 'SQLite format 3\0' ? header : null;
}

function prepareConnection(
  connection: Parameters<typeof prepareForWriting>[0],
  done: (error: Error | null, connection: unknown) => void,
): void {
  prepareForWriting(connection);
  done(null, connection);
}

/** In one transaction, with the version last: a kill leaves a new store or a whole one. */
async function makeTables(database: Knex): Promise<void> {
  if ((await database('sqlite_schema').first('name')) !== undefined) throw new DamagedStore();
  await database.transaction(async transaction => {
    for (const statement of createStore) await transaction.raw(statement);
    await transaction.raw(`pragma user_version = ${storeVersion}`);
  });
}

async function readIdentity(database: Knex): Promise<string> {
  const known = await keptValue({ knex: database }, 'store', 'id');
  if (known !== null) return known;
  const id = randomUUID();
  await keepingValue(database, 'store', 'id', id);
  return id;
}

async function readSecretBackend(database: Knex, path: string): Promise<SecretBackend | null> {
  const backend = await keptValue({ knex: database }, 'store', 'secrets');
  if (backend === null || backend === 'keychain' || backend === 'file') return backend;
  throw new Error(
    `In ${path} the row secrets of store is ${JSON.stringify(backend)}, a place for secrets that this version does not know; update Sallyport, or restore the file from a backup.`,
  );
}
