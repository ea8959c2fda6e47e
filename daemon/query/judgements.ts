/**
 * Everything that is read out of a client's SQL text, as questions and answers of plain data (what `structuredClone` takes), so
 * that they can be answered in another thread. Each answer depends on its arguments alone.
 */

import type { Classification } from './classification/classification.ts';
import { lazyClassifiers } from './classification/classifiers.ts';
import { type RoutineFact, withCatalog } from './classification/mysql/catalog.ts';
import type { Reading } from './classification/mysql/reading.ts';
import * as mysql from './preview/mysql-reading.ts';
import * as postgres from './preview/postgres-reading.ts';
import * as sqlite from './preview/sqlite-reading.ts';

export type Judgements = ReturnType<typeof loadJudgements>;

/** @param onBroken told when a parser failed in a way that may spoil its later answers. */
export function loadJudgements(onBroken: () => void = () => {}) {
  const classifiers = lazyClassifiers(onBroken);
  return {
    sqliteClass: async (sql: string) => (await classifiers.sqlite())(sql),
    postgresClass: async (sql: string) => (await classifiers.postgres())(sql),
    mysqlClass: async (sql: string) => (await classifiers.mysql())(sql),
    mysqlClassByCatalog: async (byText: Classification, facts: readonly RoutineFact[]) => withCatalog(byText, facts),

    sqliteReading: async (sql: string) => sqlite.readSqlite(sql),
    sqliteWithReturning: async (sql: string, reading: sqlite.SqliteReading, list: string) =>
      sqlite.withReturning(sql, reading, list),
    postgresReading: async (sql: string) => postgres.readPostgres(await classifiers.postgresParse(), sql),
    postgresWithReturning: async (sql: string, reading: postgres.PostgresReading, list: string) =>
      postgres.withReturning(await classifiers.postgresParse(), sql, reading, list),
    mysqlReading: async (sql: string, server: Reading) => mysql.readMysql(sql, server),
    mysqlWithReturning: async (sql: string, own: boolean, list: string, server: Reading) =>
      mysql.withReturning(sql, own, list, server),
  };
}
