/**
 * What runs behind a data change on PostgreSQL: triggers, deferred ones too, rules, defaults, and
 * functions that any of these call. Classified by the rules of statements for what a rollback would
 * leave behind. Asks nothing: it names what must be asked next.
 */

import { english } from '../reason.ts';
import type { QualifiedName } from '../types.ts';
import { classifyAll, setsOwnPath } from './catalog.ts';
import type { PostgresCatalog } from './catalog-facts.ts';
import { outlives } from './outlives.ts';
import type { Parse } from './parser.ts';
import { type CatalogQuestion, nothingAsked, questionOf } from './question.ts';
import { classifyExpression, classifyHook } from './stored-code.ts';

/** What hangs on the tables whose rows change. */
export interface Hooks {
  /** Functions of triggers. */
  readonly functions: readonly QualifiedName[];
  /** Of rules, and of triggers with a condition, as the catalog prints them. */
  readonly definitions: readonly string[];
  /** Of defaults, generated columns, checks, indexes and policies. */
  readonly expressions: readonly string[];
  /** Whether a column's type is a domain, which may have checks of its own. */
  readonly hasDomains: boolean;
  /** Whether a row that is added may get a number of a sequence. */
  readonly usesNumbers: boolean;
  /** What was looked at. */
  readonly tables: readonly QualifiedName[];
}

export interface BehindRequest {
  readonly hooks: Hooks;
  /** Of the statement itself, at first. */
  readonly named: { readonly changed: readonly QualifiedName[]; readonly called: readonly QualifiedName[] };
  /** What the last question brought; null at first. */
  readonly catalog: PostgresCatalog | null;
  readonly asked: readonly string[];
}

interface Behind {
  /** A clause: what may stay behind; null where nothing was found. */
  readonly lasting: string | null;
  /** Whether a number of a sequence is used up; what a column has by default is not looked at. */
  readonly usesNumbers: boolean;
  /** What is left to ask; null where nothing is. */
  readonly question: CatalogQuestion | null;
  readonly asked: readonly string[];
}

/** In C, of well-known extensions: these change their own row, or refuse it. */
const harmless = new Set(
  'moddatetime insert_username autoinc insert_blocker continuous_agg_invalidation_trigger'.split(' '),
);

const ofTable = 'an expression of a table';

export function behindChange(parse: Parse, { hooks, named, catalog, asked }: BehindRequest): Behind {
  const known = catalog === null ? null : { ...catalog, functions: catalog.functions.filter(isClassified) };
  const classified = [
    ...(known === null ? [] : classifyAll(known, { makesView: false, replacement: null }, setsOwnPath(known), parse)),
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
