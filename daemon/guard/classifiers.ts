/**
 * The classifiers of the three engines, each loaded when a statement of its dialect first comes: a
 * grammar is megabytes.
 */

import type { Engine } from '../../shared/engine.ts';
import type { classifyMysql } from './mysql/classify.ts';
import type { ClassifyPostgres } from './postgres/classify.ts';
import type { Parse } from './postgres/parser.ts';
import type { SqliteClassification } from './sqlite/classify.ts';
import type { Classification } from './types.ts';

interface Classifiers {
  /** Statements must wait for the grammar once; the functions they get are synchronous and pure. */
  postgres(): Promise<ClassifyPostgres>;
  /** The grammar that `postgres` classifies by, for those who must read a statement too. */
  postgresParse(): Promise<Parse>;
  mysql(): Promise<typeof classifyMysql>;
  sqlite(): Promise<(sql: string) => SqliteClassification>;
}

export function lazyClassifiers(): Classifiers {
  const postgresParse = once(async () => (await import('./postgres/parser.ts')).loadParser());
  return {
    postgres: once(async () => (await import('./postgres/classify.ts')).postgresClassifier(await postgresParse())),
    postgresParse,
    mysql: once(async () => (await import('./mysql/classify.ts')).classifyMysql),
    sqlite: once(async () => (await import('./sqlite/classify.ts')).classifySqlite),
  };
}

/** By its text alone. */
export async function classifyText(classifiers: Classifiers, engine: Engine, sql: string): Promise<Classification> {
  const classify = await classifiers[engine]();
  return classify(sql);
}

/** A load that failed is tried again: it must not be the end of every statement to come. */
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
