/**
 * What sqlparser (sqlparser-rs, MySQL dialect) makes of a text that our own rules call a read. It knows less syntax than the
 * servers, so a text it can't read is put to it once more, rewritten by `plainForm`.
 */

import { init, parse } from '@guanmingchiu/sqlparser-ts';
import { plainForm } from './plain-form.ts';
import { withoutRepeats } from './repeats.ts';
import { at, type Token } from './tokens.ts';

/** - `query`: one query and nothing else; - `other`: something else or several statements; - `unreadable`. */
type Opinion = 'query' | 'other' | 'unreadable';

/** @param queryAt offset where the query begins (behind EXPLAIN and its options). */
export type SecondOpinion = (sql: string, tokens: readonly Token[], queryAt: number) => Opinion;

/**
 * The parser recurses over chains of operators: a thousand overflow its stack (600 do not), after which its WebAssembly
 * instance fails for every later text and nothing would pass for a read again. So a text this long reaches it in plain form only, which has next to no chains.
 */
const maxTokens = 600;
/** What may be left in plain form, by how deep it nests in the parser: operators between subqueries, and set operations. */
const maxWeight = 1000;
const weights: ReadonlyMap<string, number> = new Map([
  ...'+ - * / % = < > <= >= <> != <=> || && | & ^ << >> -> ->> ~ ! AND OR XOR NOT LIKE IS IN BETWEEN ANY SOME'
    .split(' ')
    .map(key => [key, 4] as const),
  ...['UNION', 'EXCEPT', 'INTERSECT'].map(key => [key, 1] as const),
]);

export async function loadSecondOpinion(onBroken: () => void = () => {}): Promise<SecondOpinion> {
  await init();
  return secondOpinionOf(sql => {
    try {
      return parse(sql, 'mysql');
    } catch (error) {
      // What it says of a text begins so; anything else is WebAssembly's own complaint.
      if (!String(error).includes('sql parser error')) onBroken();
      throw error;
    }
  });
}

/** @param parse gives a list of statements, and throws on what it can't read. */
export function secondOpinionOf(parse: (sql: string) => unknown): SecondOpinion {
  return (sql, tokens, queryAt) => {
    const query = tokens.filter(token => token.start >= queryAt && token.kind !== 'hint');
    if (at(query, 0).key !== 'TABLE' && query.length <= maxTokens) {
      const opinion = opinionOn(sql.slice(queryAt), parse);
      if (opinion !== 'unreadable') return opinion;
    }
    const plain = withoutRepeats(plainForm(query));
    return weight(plain) <= maxWeight ? opinionOn(plain.map(token => token.text).join(' '), parse) : 'unreadable';
  };
}

function weight(tokens: readonly { readonly key: string }[]): number {
  return tokens.reduce((sum, token) => sum + (weights.get(token.key) ?? 0), 0);
}

function opinionOn(sql: string, parse: (sql: string) => unknown): Opinion {
  let statements: unknown;
  try {
    statements = parse(sql);
  } catch {
    return 'unreadable';
  }
  if (!Array.isArray(statements) || statements.length !== 1) return 'other';
  const [only]: unknown[] = statements;
  return typeof only === 'object' && only !== null && Object.keys(only).join() === 'Query' ? 'query' : 'other';
}
