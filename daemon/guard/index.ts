/**
 * The guard's face: everything that is read out of a client's SQL text. Questions and answers are plain data (what `structuredClone`
 * takes), so that another thread can answer them. An answer depends on its arguments alone. A parser is loaded when it is first needed.
 *
 * @example
 * const classifiers = lazyClassifiers();
 * (await classify(classifiers, 'mysql', 'DELETE FROM orders')).class; // 'destructive'
 */

import { lazyClassifiers } from './classifiers.ts';
import type { BehindRequest } from './postgres/behind-change.ts';

export { classifyText as classify, lazyClassifiers } from './classifiers.ts';

/** By name: loads what an answer needs, and gives the pure function that answers. */
export type Questions = ReturnType<typeof lazyQuestions>;
export type Question<Name extends keyof Questions> = Awaited<ReturnType<Questions[Name]>>;

export function lazyQuestions() {
  const classifiers = lazyClassifiers();
  return {
    sqliteClass: () => classifiers.sqlite(),
    postgresClass: async () => {
      const classify = await classifiers.postgres();
      // WebAssembly is compiled when it first runs: that belongs to the loading too.
      classify('SELECT a FROM b');
      return (sql: string) => classify(sql);
    },
    postgresFollow: async () => (await classifiers.postgres()).withCatalog,
    mysqlClass: () => classifiers.mysql(),
    mysqlFollow: async () => (await import('./mysql/catalog.ts')).onCatalog,

    sqliteDataChange: async () => (await import('./sqlite/data-change.ts')).readSqlite,
    postgresDataChange: async () => {
      const [{ readDataChange }, parse] = await Promise.all([
        import('./postgres/data-change.ts'),
        classifiers.postgresParse(),
      ]);
      return (sql: string) => readDataChange(parse, sql);
    },
    mysqlTaking: async () => (await import('./mysql/taking.ts')).readTaking,
    sqliteTaking: async () => (await import('./sqlite/taking.ts')).readTaking,
    postgresTaking: async () => {
      const [{ readTaking }, parse] = await Promise.all([import('./postgres/taking.ts'), classifiers.postgresParse()]);
      return (sql: string) => readTaking(parse, sql);
    },
    postgresBehind: async () => {
      const [{ behindChange }, parse] = await Promise.all([
        import('./postgres/behind-change.ts'),
        classifiers.postgresParse(),
      ]);
      return (request: BehindRequest) => behindChange(request, parse);
    },
    mysqlDataChange: async () => (await import('./mysql/data-change.ts')).readDataChange,
  };
}
