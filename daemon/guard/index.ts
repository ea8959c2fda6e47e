/**
 * The guard's entry point: everything that is read out of a client's SQL text. Questions and
 * answers are plain data (`structuredClone` takes them), so another thread can answer them. An
 * answer depends on its arguments alone. A parser is loaded when it is first needed.
 *
 * @example
 * const classifiers = lazyClassifiers();
 * (await classify(classifiers, 'mysql', 'DELETE FROM orders')).class; // 'destructive'
 */

import { lazyClassifiers } from './classifiers.ts';
import type { Parse } from './postgres/parser.ts';

/**
 * - `lazyClassifiers()` gives the three engines' classifiers.
 * - `classify(classifiers, engine, sql)` gives a `Classification`.
 */
export { classifyText as classify, lazyClassifiers } from './classifiers.ts';

/**
 * By name: a function that loads what an answer needs, and resolves to the pure function that
 * answers.
 */
export type Questions = ReturnType<typeof lazyQuestions>;
/**
 * That pure function: `Question<'sqliteTaking'>` takes a text and gives an `SqliteTaking` or null.
 */
export type Question<Name extends keyof Questions> = Awaited<ReturnType<Questions[Name]>>;

/**
 * The questions that the daemon's classifying threads answer.
 *
 * @example
 * const taking = await lazyQuestions().sqliteTaking();
 * taking('DROP TABLE orders'); // { act: 'dropped', table: 'orders' }
 */
export function lazyQuestions() {
  const classifiers = lazyClassifiers();
  async function withGrammar<Given, Answer>(
    load: () => Promise<(parse: Parse, given: Given) => Answer>,
  ): Promise<(given: Given) => Answer> {
    const [read, parse] = await Promise.all([load(), classifiers.postgresParse()]);
    return given => read(parse, given);
  }
  return {
    /**
     * In: a text, and on MySQL the schema that it is sent to. Out: its classification by the text
     * alone, and what the catalog must tell.
     */
    sqliteClass: () => classifiers.sqlite(),
    postgresClass: async () => {
      const classify = await classifiers.postgres();
      // WebAssembly is compiled when it first runs, so one run belongs to the loading.
      classify('SELECT a FROM b');
      return (sql: string) => classify(sql);
    },
    mysqlClass: () => classifiers.mysql(),

    /**
     * In: that classification, and the catalog's answer. Out: the classification with what is
     * behind the names, and the next question.
     */
    postgresFollow: async () => (await classifiers.postgres()).withCatalog,
    /** In: a text, or code that is stored. Out: every name by which it could reach a table. */
    postgresReach: () => withGrammar(async () => (await import('./postgres/reach.ts')).readReach),
    postgresStoredReach: () => withGrammar(async () => (await import('./postgres/reach.ts')).readStoredReach),
    mysqlFollow: async () => (await import('./mysql/catalog.ts')).raisedByCatalog,

    /**
     * In: a text and its schema; then that, what the classification asks, and the catalog's
     * answers. Out: which names it may reach; then what is out of sight, and the next question.
     */
    mysqlSightText: async () => (await import('./mysql/sight-text.ts')).readSightText,
    mysqlSight: async () => (await import('./mysql/sight.ts')).reachedOutOfSight,
    mysqlMaskText: async () => (await import('./mysql/mask-text.ts')).readText,
    mysqlMasks: async () => (await import('./mysql/masks.ts')).reachedMasked,

    /**
     * In: a text, and on MySQL how the server reads it. Out: the table of its one data change and
     * what the change does; null for any other text.
     */
    sqliteDataChange: async () => (await import('./sqlite/data-change.ts')).readSqlite,
    postgresDataChange: () => withGrammar(async () => (await import('./postgres/data-change.ts')).readDataChange),
    mysqlDataChange: async () => (await import('./mysql/data-change.ts')).readDataChange,

    /**
     * In: the same. Out: what the statement takes as a whole, or the table whose rows it takes;
     * null if it takes nothing.
     */
    sqliteTaking: async () => (await import('./sqlite/taking.ts')).readTaking,
    postgresLasting: () => withGrammar(async () => (await import('./postgres/lasting.ts')).readLasting),
    postgresTaking: () => withGrammar(async () => (await import('./postgres/taking.ts')).readTaking),
    mysqlTaking: async () => (await import('./mysql/taking.ts')).readTaking,

    /** In: a file's text. Out: its statements. */
    sqliteStatements: async () => (await import('./file-statements.ts')).splitSqlite,
    postgresStatements: () => withGrammar(async () => (await import('./file-statements.ts')).splitPostgres),
    mysqlStatements: async () => (await import('./file-statements.ts')).splitMysql,

    /**
     * In: a Parse's or a Query's text. Out: what its statements do to a session, or what judges
     * them.
     */
    postgresClientStatement: () =>
      withGrammar(async () => (await import('./postgres/wire/client-statements.ts')).readClientStatement),
    postgresClientQuery: () =>
      withGrammar(async () => (await import('./postgres/wire/client-statements.ts')).readClientQuery),

    /**
     * In: what hangs on the changed tables, and the catalog's answer. Out: what may outlive a
     * rollback, and the next question.
     */
    postgresBehind: () => withGrammar(async () => (await import('./postgres/behind-change.ts')).behindChange),
  };
}
