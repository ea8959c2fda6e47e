/**
 * The classifiers of the three engines. Each is loaded when a statement of its dialect first
 * arrives, because a grammar is megabytes.
 */

import type { Engine } from '../../shared/engine.ts';
import type { classifyMysql } from './mysql/classify-mysql.ts';
import type { ClassifyPostgres } from './postgres/classify-postgres.ts';
import type { Parse } from './postgres/parser.ts';
import type { SqliteClassification } from './sqlite/classify-sqlite.ts';
import type { Classification } from './types.ts';

interface Classifiers {
  /** The grammar is loaded once, asynchronously. The returned function is synchronous and pure. */
  postgres(): Promise<ClassifyPostgres>;
  /** The grammar that `postgres` classifies by, for callers that also parse statements. */
  postgresParse(): Promise<Parse>;
  mysql(): Promise<typeof classifyMysql>;
  sqlite(): Promise<(sql: string) => SqliteClassification>;
}

export function lazyClassifiers(): Classifiers {
  const postgresParse = once(async () => (await import('./postgres/parser.ts')).loadParser());
  return {
    postgres: once(async () =>
      (await import('./postgres/classify-postgres.ts')).postgresClassifier(await postgresParse()),
    ),
    postgresParse,
    mysql: once(async () => (await import('./mysql/classify-mysql.ts')).classifyMysql),
    sqlite: once(async () => (await import('./sqlite/classify-sqlite.ts')).classifySqlite),
  };
}

/** Classifies by the text alone, without a catalog. */
export async function classifyText(classifiers: Classifiers, engine: Engine, sql: string): Promise<Classification> {
  const classify = await classifiers[engine]();
  return classify(sql);
}

/** Tries a failed load again, so one failure doesn't break every later statement. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null;
  return () => {
    loading ??= load().catch(error => {
      loading = null;
      throw error;
    });
    return loading;
  };
}
