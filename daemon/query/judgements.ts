/**
 * Everything that is read out of a client's SQL text, as questions and answers of plain data (what `structuredClone` takes), so
 * that they can be answered in another thread. Each is loaded when first asked, apart from its answering, which is what may take
 * long; an answer depends on the arguments alone.
 */

import { lazyClassifiers } from './classification/classifiers.ts';
import type { BehindRequest } from './preview/postgres-behind.ts';

/** By name: loads what an answer needs, and gives the pure function that answers. */
export type Judgements = ReturnType<typeof lazyJudgements>;
export type Judgement<Name extends keyof Judgements> = Awaited<ReturnType<Judgements[Name]>>;

/** @param onBroken told when a parser failed in a way that may spoil its later answers. */
export function lazyJudgements(onBroken: () => void = () => {}) {
  const classifiers = lazyClassifiers(onBroken);
  return {
    sqliteClass: async () => warmed(await classifiers.sqlite()),
    postgresClass: async () => {
      const classify = await classifiers.postgres();
      return warmed((sql: string) => classify(sql));
    },
    postgresClassByCatalog: async () => (await classifiers.postgres()).withCatalog,
    mysqlClass: async () => {
      const classify = await classifiers.mysql();
      classify('SELECT a FROM b');
      return (sql: string, schema?: string) => classify(sql, schema);
    },
    mysqlClassByCatalog: async () => (await import('./classification/mysql/catalog.ts')).onCatalog,

    sqliteReading: async () => (await import('./preview/sqlite-reading.ts')).readSqlite,
    postgresReading: async () => {
      const [{ readPostgres }, parse] = await Promise.all([
        import('./preview/postgres-reading.ts'),
        classifiers.postgresParse(),
      ]);
      return (sql: string) => readPostgres(parse, sql);
    },
    mysqlTaking: async () => (await import('./taken/mysql-reading.ts')).readTaking,
    sqliteTaking: async () => (await import('./taken/sqlite-reading.ts')).readTaking,
    postgresTaking: async () => {
      const [{ readTaking }, parse] = await Promise.all([
        import('./taken/postgres-reading.ts'),
        classifiers.postgresParse(),
      ]);
      return (sql: string) => readTaking(parse, sql);
    },
    postgresBehind: async () => {
      const [{ behindChange }, parse] = await Promise.all([
        import('./preview/postgres-behind.ts'),
        classifiers.postgresParse(),
      ]);
      return (request: BehindRequest) => behindChange(request, parse);
    },
    mysqlReading: async () => (await import('./preview/mysql-reading.ts')).readMysql,
  };
}

/** WebAssembly is compiled when it first runs: that belongs to the loading too. */
function warmed<Answer>(judge: (sql: string) => Answer): (sql: string) => Answer {
  judge('SELECT a FROM b');
  return judge;
}
