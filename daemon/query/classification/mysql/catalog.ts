/** Raises a class by what a server's catalog says of the user-defined routines a statement calls. Asks no server itself. */

import type { Classification, QualifiedName } from '../classification.ts';
import { isPasswordTable } from './reach.ts';
import { readings } from './reading.ts';
import { tokenize } from './tokenizer.ts';

/** One row of `information_schema.ROUTINES`, or of `mysql.func` for a loadable function. */
export interface RoutineFact extends QualifiedName {
  /** The schema the routine stands in; null for a loadable function, which has none. */
  readonly schema: string | null;
  /** SQL_DATA_ACCESS: `CONTAINS SQL`, `NO SQL`, `READS SQL DATA`, `MODIFIES SQL DATA`. */
  readonly dataAccess: string;
  /** ROUTINE_DEFINITION, null where the account may not see it. The server does not hold a routine to its `dataAccess`. */
  readonly definition: string | null;
  /** A function from a shared library (CREATE FUNCTION … SONAME). */
  readonly isLoadable: boolean;
}

/** Words by which a body changes something, whatever the routine declares. */
const writingWords =
  /^(INSERT|UPDATE|DELETE|REPLACE|TRUNCATE|CREATE|ALTER|DROP|CALL|EXECUTE|COMMIT|LOAD|GRANT|REVOKE|NEXTVAL|SETVAL|GET_LOCK|RELEASE_LOCK|RELEASE_ALL_LOCKS)$/;

/** @param facts of the routines in `calls`, for an unqualified call those of the connection's own schema. */
export function withCatalog(classification: Classification, facts: readonly RoutineFact[]): Classification {
  if (classification.class !== 'read') return classification;
  const byName = new Map<string, RoutineFact[]>();
  for (const fact of facts) {
    const name = fact.name.toLowerCase();
    byName.set(name, [...(byName.get(name) ?? []), fact]);
  }
  for (const call of classification.calls) {
    for (const fact of byName.get(call.name.toLowerCase()) ?? []) {
      const reason = isInSchema(call, fact) ? reasonToRaise(fact) : null;
      if (reason !== null) return { ...classification, class: 'write', reason };
    }
  }
  return classification;
}

/**
 * @param currentSchema the database in which unqualified names are looked up: in `mysql` itself, `user` is the password
 *   catalog, which the text alone does not show.
 */
export function withCurrentSchema(classification: Classification, currentSchema: string | null): Classification {
  if (currentSchema?.toLowerCase() !== 'mysql' || classification.class === 'forbidden') return classification;
  const found = classification.tables.find(({ schema, name }) => schema === null && isPasswordTable(name));
  if (found === undefined) return classification;
  return {
    ...classification,
    class: 'forbidden',
    reason: 'In the mysql schema this table holds passwords or their hashes.',
  };
}

function isInSchema(call: QualifiedName, fact: RoutineFact): boolean {
  return call.schema === null || fact.schema === null || call.schema.toLowerCase() === fact.schema.toLowerCase();
}

function reasonToRaise(fact: RoutineFact): string | null {
  if (fact.isLoadable) return `${fact.name}() is code from a library, which nothing but its author knows.`;
  if (fact.dataAccess.toUpperCase() === 'MODIFIES SQL DATA') return `${fact.name}() is declared MODIFIES SQL DATA.`;
  return fact.definition !== null && bodyWrites(fact.definition) ? `The body of ${fact.name}() writes.` : null;
}

function bodyWrites(definition: string): boolean {
  const cut = (readings(definition) ?? []).map(way => tokenize(definition, way)).find(found => found.kind === 'tokens');
  if (cut?.kind !== 'tokens') return true;
  return cut.tokens.some((token, index) => {
    const isCall = cut.tokens[index + 1]?.key === '(' && ['INSERT', 'REPLACE', 'TRUNCATE'].includes(token.key);
    return token.kind === 'word' && writingWords.test(token.key) && !isCall;
  });
}
