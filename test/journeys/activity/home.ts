/**
 * A home with the built daemon, one writable database, and its log: as a client, as its owner, as a
 * program that edits the file.
 */

import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ActivityRowView, ActivityVerificationView } from '../../../shared/control-commands.ts';
import { type Answer, modern, send } from '../../clients/http/wire.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { SqliteFile } from '../../sqlite-file.ts';

export interface ActivityHome extends RealHome {
  readonly shop: string;
  readonly store: string;
  mint(name: string, ...options: string[]): Promise<{ readonly id: string; readonly token: string }>;
  call(token: string, tool: string, args: Record<string, unknown>): Promise<Answer>;
  query(token: string, sql: string): Promise<Answer>;
  rows(...options: string[]): Promise<ActivityRowView[]>;
  /** The printed result, with any exit code; both must agree. */
  verify(): Promise<ActivityVerificationView>;
  /** The store's own database; the daemon may be running or stopped. */
  edit(change: (database: SqliteFile) => void): void;
  copyStore(to: string): void;
  putStore(from: string): void;
}

export async function activityHome(): Promise<ActivityHome> {
  const home = realHome();
  const shop = join(home.folder, 'shop.db');
  const store = join(home.home, 'sallyport.db');
  const files = ['', '-wal', '-shm'];
  const quickly = async (...words: string[]): Promise<void> => {
    const ran = await home.here(words);
    if (ran.code !== 0) throw new Error(`${words.join(' ')}: ${ran.code} ${ran.stderr}`);
  };
  const database = new SqliteFile(shop);
  database.exec(`create table orders (id integer primary key, note text);
    insert into orders values (1, 'one'), (2, 'two'), (3, 'three');`);
  database.close();
  await quickly('start');
  await quickly('connections', 'add', `sqlite://${shop}`, '--name', 'Shop', '--external-clients', 'read-write');

  const call: ActivityHome['call'] = async (token, tool, args) => {
    const { port } = await home.json<{ port: number }>(['status']);
    return send(`http://127.0.0.1:${port}/mcp`, modern(token, 'tools/call', { name: tool, arguments: args }));
  };
  return {
    ...home,
    shop,
    store,
    mint: (name, ...options) => home.json(['tokens', 'mint', '--name', name, ...options]),
    call,
    query: (token, sql) => call(token, 'execute_query', { connection: 'Shop', sql }),
    rows: (...options) => home.json(['activity', ...options]),
    async verify() {
      const ran = await home.here(['activity', 'verify', '--json']);
      const verification: ActivityVerificationView = JSON.parse(ran.stdout);
      if (ran.code !== (verification.intact ? 0 : 1)) throw new Error(`exit code ${ran.code}: ${ran.stdout}`);
      return verification;
    },
    edit(change) {
      const opened = new SqliteFile(store, { timeout: 5_000 });
      change(opened);
      opened.close();
    },
    copyStore(to) {
      for (const suffix of files) rmSync(`${to}${suffix}`, { force: true });
      copyFileSync(store, to);
    },
    putStore(from) {
      for (const suffix of files) rmSync(`${store}${suffix}`, { force: true });
      copyFileSync(from, store);
    },
  };
}
