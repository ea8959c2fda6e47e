/**
 * Classifies as a call does: this server's catalog answers what the text leaves open, in rounds.
 */

import assert from 'node:assert/strict';
import type { PostgresCatalog } from '../../daemon/guard/postgres/catalog-facts.ts';
import { catalogLookup } from '../../daemon/guard/postgres/catalog-lookup.ts';
import type { ClassifyPostgres } from '../../daemon/guard/postgres/classify-postgres.ts';
import type { PostgresClassification } from '../../daemon/guard/postgres/types.ts';
import type { PostgresServer } from '../servers/postgres.ts';
import { wrongInParts } from './worded.ts';

interface Where {
  readonly database?: string;
  /** Statements that the look-up's session runs first. */
  readonly before?: string;
}

export async function classifiedOnCatalog(
  classify: ClassifyPostgres,
  server: PostgresServer,
  sql: string,
  { database = 'postgres', before = '' }: Where = {},
): Promise<PostgresClassification> {
  let classification = classify(sql);
  while (classification.question !== null) {
    const literal = JSON.stringify(classification.question).replaceAll("'", "''");
    const lookup = catalogLookup.replaceAll('$1', () => `'${literal}'`);
    const answer = await (before === '' ? server.ask(lookup, database) : server.psql(`${before};${lookup}`, database));
    const catalog: PostgresCatalog = JSON.parse(answer);
    classification = classify.withCatalog(classification, catalog);
  }
  // Whoever asks about it can word it.
  assert.deepEqual(wrongInParts(classification), [], sql);
  return classification;
}
