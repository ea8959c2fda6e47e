/** Runs knex on Node's own SQLite: knex's SQLite dialect with another driver beneath. */

import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import Dialect from 'knex/lib/dialects/sqlite3/index.js';
import { errorCode } from '../../disk-fault.ts';
import { openSqliteFile } from '../../sqlite/open-file.ts';
import { queryOn } from '../../sqlite/query.ts';

interface Asked {
  readonly sql: string;
  readonly bindings?: readonly SQLInputValue[];
  response?: unknown;
  context?: { readonly lastID: number; readonly changes: number };
}

export class SqliteClient extends Dialect {
  /** The package that the dialect would load isn't needed. */
  override _driver(): object {
    return {};
  }

  override async acquireRawConnection(): Promise<DatabaseSync> {
    return openSqliteFile(this.connectionSettings.filename, { access: 'write' });
  }

  override async destroyRawConnection(connection: DatabaseSync): Promise<void> {
    connection.close();
  }

  override async _query(connection: DatabaseSync, asked: Asked): Promise<Asked> {
    const { sql } = asked;
    const bindings = asked.bindings ?? [];
    try {
      const statement = connection.prepare(sql);
      if (statement.columns().length > 0) asked.response = queryOn(connection, sql).all(...bindings);
      else {
        const { changes, lastInsertRowid } = statement.run(...bindings);
        asked.context = { lastID: Number(lastInsertRowid), changes: Number(changes) };
      }
      return asked;
    } catch (error) {
      throw Object.assign(error as Error, { code: errorCode(error) });
    }
  }
}
