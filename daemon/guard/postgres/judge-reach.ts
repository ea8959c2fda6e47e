/**
 * Whether what a statement reaches may be met (spec §6): the names of each round against what the
 * catalog says of them. A view or function in sight only by its own pattern is looked through; one
 * that a person shows isn't.
 */

import { isHiddenAmong, isShown, type Sight } from '../sight.ts';
import type { QualifiedName } from '../types.ts';
import type { Reach, ReachAnswer, ReachedFunction, ReachedRelation, ReachText, SoughtByReach } from './reach-facts.ts';
import type { ReachQuestion } from './reach-lookup.ts';
import { isSilentCatalog, isSilentFunction, isSilentOfExtension, takesTableNames } from './table-telling.ts';

/** What of the client's own text led to a name. */
export interface Origin {
  readonly kind: 'relation' | 'function' | 'type';
  readonly sought: SoughtByReach;
}

type Named = SoughtByReach & { readonly origin: Origin; readonly path: '*' | null };

/** What holds for all that a statement leads to, once something of it does so. */
export type Effects = Pick<ReachQuestion, 'changes' | 'truncates'>;

/** The names of one round, each with what led to it. */
export interface ReachRound {
  readonly relations: readonly Named[];
  readonly functions: readonly Named[];
  readonly types: readonly Named[];
  readonly rest: Pick<ReachQuestion, 'operators' | 'attributes' | 'asTable'> & Effects;
  /** For what no single name leads to. */
  readonly first: Origin;
}

export type ReachVerdict =
  | { readonly kind: 'hidden'; readonly origin: Origin }
  | { readonly kind: 'unjudged'; readonly what: string }
  /** `texts`: code behind it, with what led there. */
  | { readonly kind: 'met'; readonly texts: readonly BehindText[] };

export interface BehindText {
  readonly text: ReachText;
  readonly origin: Origin;
  /** The function sets its own search path, so a bare name may be in any schema. */
  readonly bendsPath: boolean;
}

const nothing: Origin = { kind: 'relation', sought: { schema: null, name: '', at: null } };

/**
 * @param parts `origin` null for the client's own text.
 * @param seen keys of what was asked; those of this round are added.
 * @param before what earlier rounds do.
 */
export function roundOf(
  parts: readonly { readonly reach: Reach; readonly origin: Origin | null; readonly path: '*' | null }[],
  seen: Set<string>,
  before: Effects,
): ReachRound | null {
  const is = (of: (reach: Reach) => boolean): boolean => parts.some(({ reach }) => of(reach));
  const changes = before.changes || is(reach => reach.changes);
  const truncates = before.truncates || is(reach => reach.truncates);
  // What is changed sets off more than what is read, so it is asked again.
  const named = (kind: Origin['kind'], of: (reach: Reach) => readonly SoughtByReach[]): Named[] =>
    parts.flatMap(({ reach, origin, path }) =>
      of(reach)
        .filter(({ schema, name }) => isNew(seen, [kind, schema, name, path, changes, truncates]))
        .map(sought => ({ ...sought, path, origin: origin ?? { kind, sought } })),
    );
  const words = (kind: string, of: (reach: Reach) => readonly string[]): string[] =>
    [...new Set(parts.flatMap(({ reach }) => of(reach)))].filter(word => isNew(seen, [kind, word]));
  const relations = named('relation', reach => reach.relations);
  const functions = named('function', reach => reach.functions);
  const types = named('type', reach => reach.types);
  const operators = words('operator', reach => reach.operators);
  const attributes = words('attribute', reach => reach.attributes);
  if ([relations, functions, types, operators, attributes].every(({ length }) => length === 0)) return null;
  const [first = nothing] = [...relations, ...functions, ...types].map(({ origin }) => origin);
  const asTable = is(reach => reach.asTable);
  return { relations, functions, types, first, rest: { operators, attributes, changes, truncates, asTable } };
}

function isNew(seen: Set<string>, parts: readonly unknown[]): boolean {
  const key = JSON.stringify(parts);
  return !seen.has(key) && seen.add(key).has(key);
}

/** @param settings `columns`: columns are masked. `policies`: as in `ReachQuestion`. */
export function questionOfRound(
  { relations, functions, types, rest }: ReachRound,
  settings: Pick<ReachQuestion, 'columns' | 'policies'>,
): ReachQuestion {
  const asked = ({ schema, name, path }: Named) => ({ schema, name, path });
  return {
    relations: relations.map(asked),
    types: types.map(asked),
    functions: functions.map(each => ({ ...asked(each), silent: isSettled(each.name) })),
    ...rest,
    ...settings,
  };
}

const isSettled = (name: string): boolean => isSilentFunction(name) || takesTableNames(name);

/** @param looksBehindShown true for a plan, which names what a shown view or function reads. */
export function judgeRound(
  sight: Sight,
  round: ReachRound,
  answer: ReachAnswer,
  looksBehindShown = false,
): ReachVerdict {
  const originOf = ({ from }: { readonly from: readonly number[] }, names: readonly Named[]): Origin =>
    from.map(place => names[place - 1]?.origin).find(origin => origin !== undefined) ?? round.first;
  const texts: BehindText[] = [];
  const hidden: Origin[] = [];
  let unjudged: string | null = answer.printsNames ? 'such a type' : null;
  for (const relation of answer.relations) {
    const origin = originOf(relation, round.relations);
    if (relation.isOwn) {
      if (!isSilentCatalog(relation.schema, relation.name)) unjudged ??= relation.name;
    } else if (isOut(sight, relation)) hidden.push(origin);
    else if (looksBehindShown || !isMeant(sight, relation))
      texts.push(...textsBehind(relation).map(text => ({ text, origin, bendsPath: false })));
  }
  for (const called of answer.functions) {
    const origin = originOf(called, round.functions);
    // Of functions a plan shows the bodies in SQL alone.
    const isLookedInto = looksBehindShown && called.language === 'sql';
    if (isShown(sight, called.schema, called.name) && !called.isOwn && !isLookedInto) continue;
    const text = textOfFunction(called);
    if (text === 'unjudged') unjudged ??= called.name;
    else if (text !== null) texts.push({ text, origin, bendsPath: called.bendsPath });
  }
  const [first] = hidden.sort((one, other) => (one.sought.at ?? 0) - (other.sought.at ?? 0));
  if (first !== undefined) return { kind: 'hidden', origin: first };
  return unjudged === null ? { kind: 'met', texts } : { kind: 'unjudged', what: unjudged };
}

/** @returns the new name that would be hidden; null if there is none. */
export function hiddenCreated(sight: Sight, reach: Reach, { currentSchema }: ReachAnswer): QualifiedName | null {
  return (
    reach.creates.find(({ schema, name }) => isHiddenAmong(sight, [{ schema: schema ?? currentSchema, name }])) ?? null
  );
}

function isOut(sight: Sight, { schema, name, above }: ReachedRelation): boolean {
  return isHiddenAmong(sight, [{ schema, name }, ...above]);
}

function isMeant(sight: Sight, { schema, name, above }: ReachedRelation): boolean {
  return [{ schema, name }, ...above].some(each => isShown(sight, each.schema, each.name));
}

function textsBehind({ view, rules, expressions, policies }: ReachedRelation): ReachText[] {
  return [
    ...(view === null ? [] : [{ kind: 'statements' as const, text: view }]),
    ...rules.map(text => ({ kind: 'statements' as const, text })),
    ...[...expressions, ...policies].map(text => ({ kind: 'expression' as const, text })),
  ];
}

/** Null if nothing of it could reach a table. */
function textOfFunction(called: ReachedFunction): ReachText | 'unjudged' | null {
  const { isOwn, ofExtension, immutable, definition, language, name } = called;
  if (isOwn) return isSettled(name) ? null : 'unjudged';
  if (ofExtension) return immutable || isSilentOfExtension(name) ? null : 'unjudged';
  if (language === 'internal') return immutable ? null : 'unjudged';
  // An aggregate is what its parts do, which are among the answers.
  if (definition === null) return language === 'internal' ? null : 'unjudged';
  return { kind: 'routine', text: definition, language };
}
