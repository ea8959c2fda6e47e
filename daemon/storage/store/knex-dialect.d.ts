/** The part of knex's SQLite dialect that we use; knex has no types for it. */
declare module 'knex/lib/dialects/sqlite3/index.js' {
  import { Knex } from 'knex';

  export default class Dialect extends Knex.Client {
    readonly connectionSettings: { readonly filename: string };
    _driver(): object;
    acquireRawConnection(): Promise<unknown>;
    destroyRawConnection(connection: unknown): Promise<void>;
    _query(connection: unknown, asked: unknown): Promise<unknown>;
  }
}
