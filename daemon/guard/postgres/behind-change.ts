/**
 * What runs behind a data change on PostgreSQL: triggers (deferred ones, too), rules, defaults, and
 * functions that any of these call. The rules for statements classify it for what a rollback would
 * leave behind. Asks nothing itself: it returns what must be asked next.
 */

import { english } from '../reason.ts';
import type { QualifiedName } from '../types.ts';
import { classifyAll, setsOwnPath } from './catalog.ts';
import type { PostgresCatalog } from './catalog-facts.ts';
import { outlives } from './functions.ts';
import type { Parse } from './parser.ts';
import { type CatalogQuestion, nothingAsked, questionOf } from './question.ts';
import { classifyExpression, classifyHook } from './stored-code.ts';

/** What hangs on the tables whose rows change. */
export interface Hooks {
  /** The functions of triggers. */
  readonly functions: readonly QualifiedName[];
  /** The definitions of rules, and of triggers with a condition, as the catalog prints them. */
  readonly definitions: readonly string[];
  /** The expressions of defaults, generated columns, checks, indexes and policies. */
  readonly expressions: readonly string[];
  /** True if a column's type is a domain, which may have checks of its own. */
  readonly hasDomains: boolean;
  /** True if an added row may get a number from a sequence. */
  readonly usesNumbers: boolean;
  /** The tables that were looked at. */
  readonly tables: readonly QualifiedName[];
}

export interface BehindRequest {
  readonly hooks: Hooks;
  /** In the first round, what the statement itself names. */
  readonly named: { readonly changed: readonly QualifiedName[]; readonly called: readonly QualifiedName[] };
  /** What the last question brought; null in the first round. */
  readonly catalog: PostgresCatalog | null;
  readonly asked: readonly string[];
}

interface Behind {
  /** A clause on what may stay behind; null if nothing was found. */
  readonly lasting: string | null;
  /** True if a number of a sequence is used up. Defaults of columns aren't looked at. */
  readonly usesNumbers: boolean;
  /** What is left to ask; null if nothing is. */
  readonly question: CatalogQuestion | null;
  readonly asked: readonly string[];
}

/** Functions in C of well-known extensions. They change their own row, or refuse it. */
const harmless = new Set(
  'moddatetime insert_username autoinc insert_blocker continuous_agg_invalidation_trigger'.split(' '),
);

const ofTable = 'an expression of a table';

export function behindChange(parse: Parse, { hooks, named, catalog, asked }: BehindRequest): Behind {
  const known = catalog === null ? null : { ...catalog, functions: catalog.functions.filter(isClassified) };
  const classified = [
    ...(known === null ? [] : classifyAll(known, false, setsOwnPath(known), parse)),
    ...hooks.expressions.map(text => ({ what: ofTable, code: classifyExpression(text, parse) })),
    ...hooks.definitions.map(text => ({ what: 'a rule or trigger', code: classifyHook(text, parse) })),
  ];
  const keys = new Set(asked);
  const sought = (name: QualifiedName, argumentCount: number | null) => {
    return { ...name, path: null, argumentCount, builtIn: false, constants: [] };
  };
  const first: CatalogQuestion = {
    ...nothingAsked,
    relations: named.changed.map(name => ({ ...name, path: null, role: 'changed', stored: false })),
    functions: [...hooks.functions.map(name => sought(name, 0)), ...named.called.map(name => sought(name, null))],
  };
  const question = questionOf([first, ...classified.flatMap(({ code }) => code.questions)], keys);
  const usesNumbers = classified.some(({ what, code }) => what !== ofTable && code.called.includes('nextval'));
  return { lasting: lastingIn(classified), usesNumbers, question, asked: [...keys] };
}

function isClassified({ name, ofExtension }: PostgresCatalog['functions'][number]): boolean {
  return !(ofExtension && harmless.has(name));
}

function lastingIn(classified: ReturnType<typeof classifyAll>): string | null {
  for (const { what, code } of classified) {
    const unsafe = code.findings.find(({ class: found, isUnseen }) => found === 'forbidden' || isUnseen === true);
    if (unsafe !== undefined) return `behind ${what}: ${english(unsafe.reason).replace(/\.$/, '')}`;
    const name = code.called.find(outlives);
    if (name !== undefined) return `behind ${what}: what ${name} does outlives a rollback`;
  }
  return null;
}
