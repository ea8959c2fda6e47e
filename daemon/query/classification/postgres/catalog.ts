/**
 * What a server's catalog can add to a classification: that a function which the statement calls is volatile, and so counts
 * as a write (spec §7). It only ever raises a class. Asks nothing itself.
 */

import type { Classification, QualifiedName } from '../classification.ts';
import type { Call, CatalogQuestion } from './question.ts';
import { volatileReadsOfExtensions } from './volatile-reads.ts';

export interface FunctionFact {
  readonly schema: string;
  readonly name: string;
  /** As `pg_proc.provolatile`; for an aggregate the highest of the functions it is made of. */
  readonly volatility: 'immutable' | 'stable' | 'volatile';
  readonly kind: 'function' | 'procedure' | 'aggregate' | 'window';
  readonly language: string;
  /** The extension it belongs to. */
  readonly extension: string | null;
  readonly leastArguments: number;
  /** Null: any number. */
  readonly mostArguments: number | null;
  /** True where its first argument can be a row. */
  readonly takesRow: boolean;
}

export interface OperatorFact {
  readonly schema: string;
  readonly name: string;
  readonly volatility: FunctionFact['volatility'];
}

/** The answer to a question: every function and operator with one of its names, built-ins too. */
export interface PostgresCatalog {
  readonly functions: readonly FunctionFact[];
  readonly operators: readonly OperatorFact[];
}

/**
 * The parameter of `catalogLookup`, as JSON.
 * @returns null where the statement calls nothing that needs asking; `thorough` also asks for overloads and attributes,
 * which nearly every statement has.
 */
export function namesToLookUp(question: CatalogQuestion | null, thorough: boolean): string | null {
  if (question === null) return null;
  const { calls, operators, overloads, attributes } = question;
  const functions = [...calls, ...(thorough ? overloads : [])].map(call => call.name);
  const names = {
    functions: [...new Set([...functions, ...(thorough ? attributes : [])])],
    operators: [...new Set(operators.map(operator => operator.name))],
  };
  return names.functions.length + names.operators.length === 0 ? null : JSON.stringify(names);
}

/** A bare name may reach any schema: the search path is the session's affair and can change. */
function isReached(fact: { readonly schema: string; readonly name: string }, by: QualifiedName): boolean {
  return fact.name === by.name && (by.schema === null || fact.schema === by.schema);
}

function takes(fact: FunctionFact, count: number): boolean {
  return count >= fact.leastArguments && (fact.mostArguments === null || count <= fact.mostArguments);
}

function isWriter(fact: FunctionFact): boolean {
  const isKnownRead = fact.extension !== null && volatileReadsOfExtensions.has(fact.name);
  return fact.volatility === 'volatile' && !isKnownRead;
}

function writingFunction(question: CatalogQuestion, facts: readonly FunctionFact[]) {
  const { calls, overloads, attributes, hasFunctionAsTable } = question;
  const [called, overloaded, asFields] = [byName(calls), byName(overloads), new Set(attributes)];
  const reaches = (fact: FunctionFact, named: ReadonlyMap<string, readonly Call[]>): boolean =>
    (named.get(fact.name) ?? []).some(call => isReached(fact, call) && takes(fact, call.argumentCount));
  return facts.find(
    fact =>
      isWriter(fact) &&
      (reaches(fact, called) ||
        (fact.schema !== 'pg_catalog' &&
          (reaches(fact, overloaded) ||
            ((fact.takesRow || hasFunctionAsTable) && takes(fact, 1) && asFields.has(fact.name))))),
  );
}

function byName<N extends QualifiedName>(names: readonly N[]): ReadonlyMap<string, readonly N[]> {
  const found = new Map<string, N[]>();
  for (const each of names) {
    const namesakes = found.get(each.name);
    if (namesakes === undefined) found.set(each.name, [each]);
    else namesakes.push(each);
  }
  return found;
}

/** A function or operator that the catalog doesn't hold changes nothing: the server will say that it doesn't exist. */
export function raisedByCatalog<C extends Classification & { readonly question: CatalogQuestion | null }>(
  classification: C,
  catalog: PostgresCatalog,
): C {
  const { question } = classification;
  if (classification.class !== 'read' || question === null) return classification;
  const writer = writingFunction(question, catalog.functions);
  if (writer !== undefined) {
    const reason = `${writer.schema}.${writer.name} is declared volatile, so calling it may write.`;
    return { ...classification, class: 'write', reason };
  }
  const operators = byName(question.operators);
  const operator = catalog.operators.find(
    fact => fact.volatility === 'volatile' && (operators.get(fact.name) ?? []).some(used => isReached(fact, used)),
  );
  if (operator === undefined) return classification;
  const reason = `The operator ${operator.schema}.${operator.name} calls a function declared volatile, so it may write.`;
  return { ...classification, class: 'write', reason };
}
