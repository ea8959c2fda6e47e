/**
 * Asks in a definition's own transaction what it did (spec §7), and remembers by oid and name which
 * relations it made. Whether it only added is judged by the guard's rules.
 */

import type { CheckOf } from '../../../guard/postgres/defined/columns.ts';
import type {
  DefinedAfter,
  DefinedBefore,
  RelationFact,
  StillAlike,
  TakenName,
} from '../../../guard/postgres/defined/facts.ts';
import { onlyAdds } from '../../../guard/postgres/defined/only-adds.ts';
import type { Reason } from '../../../guard/reason.ts';
import { untold } from '../../../guard/tried-reason.ts';
import type { QualifiedName } from '../../../guard/types.ts';
import { writtenName } from '../../../guard/written-name.ts';
import type { Made } from '../../made.ts';
import {
  definedBefore,
  definedInAll,
  definedPlainly,
  findNamed,
  needsAll,
  stillAlike,
} from '../count/definition-sql.ts';
import { takenNames } from '../count/new-names.ts';
import { roundTripWithTexts } from '../count/row-count.ts';
import { keepPath, keepStep, restorePath } from '../count/row-count-sql.ts';
import { lacksWhatIsAsked, type ServerError } from '../failure.ts';
import type { RoundTripEnd, Session } from '../session.ts';
import type { Statement } from '../wire/round-trip.ts';

type Lost = { readonly kind: 'lost'; readonly end: Exclude<RoundTripEnd, { readonly kind: 'ready' }> };
/** A question failed: it waited too long for a lock, or its time was up. */
type Fails = { readonly kind: 'fails'; readonly error: ServerError };
type Asked = { readonly kind: 'told'; readonly text: string } | { readonly kind: 'untold' } | Fails | Lost;

const savepoint = 'SAVEPOINT sallyport_definition';

/** Looks at the catalogs before a definition. `untold` means that the server doesn't say. */
export async function lookBefore(
  session: Session,
  named: readonly QualifiedName[],
): Promise<{ readonly kind: 'told'; readonly before: DefinedBefore } | { readonly kind: 'untold' } | Fails | Lost> {
  const names = named.map(({ schema, name }) => (schema === null ? quoted(name) : `${quoted(schema)}.${quoted(name)}`));
  const asked = await ask(session, ours(definedBefore), [ours(findNamed, [JSON.stringify(names)])]);
  return asked.kind === 'told' ? { kind: 'told', before: JSON.parse(asked.text) } : asked;
}

/** What a definition did. */
export interface Defined {
  readonly kind: 'defined';
  /** What it did besides adding; empty if it only added. */
  readonly reasons: readonly Reason[];
  /** The relations that it made, to be remembered once it is committed. */
  readonly made: readonly RelationFact[];
}

type Known = Pick<Made, 'has' | 'hasNamed'>;

/** @param known tells relations that this daemon made. */
export async function lookAfter(
  session: Session,
  before: DefinedBefore,
  known: Known,
): Promise<Defined | Fails | Lost> {
  const { counts, held, groups, since = null } = before;
  if (since !== null) {
    const end = await session.roundTrip([ours(keepStep, [`${since}`])]);
    if (end.kind !== 'ready') return { kind: 'lost', end };
  }
  const alike = await askWhetherAlike(session, groups);
  if (alike.kind === 'lost' || alike.kind === 'fails') return alike;
  const asked =
    alike.kind === 'told' ? await askAfter(session, JSON.stringify({ counts, held, covered: alike.covered })) : alike;
  if (asked.kind === 'lost' || asked.kind === 'fails') return asked;
  if (asked.kind === 'untold') return { kind: 'defined', reasons: [untold], made: [] };
  const { after } = asked;
  const { reasons, checks } = onlyAdds(before, after, isKnownIn(before, known));
  const were = new Set(held);
  const made = after.relations.filter(({ oid, isOurs, isTemporary }) => isOurs && !isTemporary && !were.has(oid));
  if (reasons.length > 0 || checks.length === 0) return { kind: 'defined', reasons, made };
  const checked = await ask(session, { sql: askChecks(checks), parameters: [] });
  if (checked.kind === 'lost') return checked;
  const holds = checked.kind === 'told' ? (JSON.parse(checked.text) as readonly (boolean | null)[]) : [];
  return { kind: 'defined', reasons: checks.filter((_, at) => holds[at] !== true).map(({ reason }) => reason), made };
}

/** A group's first part speaks for all: it counts as made by us only if every part was. */
function isKnownIn({ rows, groups }: DefinedBefore, known: Known): (relation: RelationFact) => boolean {
  const units = new Map(rows.map(({ relation, unit }) => [relation, unit]));
  const isMade = (oid: number): boolean => known.hasNamed(`${oid}`);
  return relation =>
    known.has(`${relation.oid}`, writtenName(relation)) &&
    (groups.find(([first]) => first === units.get(relation.oid))?.every(isMade) ?? true);
}

/**
 * Asks whether new values fit conditions. Both are the catalog's own texts: they call immutable
 * built-in functions with constants, so it is safe to run them.
 */
function askChecks(checks: readonly CheckOf[]): string {
  const each = checks.map(({ condition, columns }) => {
    const values = columns.map(
      ({ name, type, value }) => `CAST(${value === null ? 'NULL' : `(${value})`} AS ${type}) AS ${quoted(name)}`,
    );
    return `(SELECT COALESCE((${condition}), true) FROM (SELECT ${values.join(', ')}) AS t)`;
  });
  return `SELECT CAST(json_build_array(${each.join(', ')}) AS text)`;
}

const ours = (sql: string, parameters: Statement['parameters'] = []): Statement => ({ sql, parameters, isKept: true });
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Asks in one round trip, unless something happened that seldom does. */
async function askAfter(
  session: Session,
  before: string,
): Promise<{ readonly kind: 'told'; readonly after: DefinedAfter } | Exclude<Asked, { kind: 'told' }>> {
  let asked = await ask(session, ours(definedPlainly, [before]));
  if (asked.kind !== 'told') return asked;
  let found = JSON.parse(asked.text);
  if (needsAll(found.counts)) {
    asked = await ask(session, ours(definedInAll, [before]));
    if (asked.kind !== 'told') return asked;
    found = JSON.parse(asked.text);
  }
  const twice: readonly TakenName[] = found.namesThereTwice;
  if (twice.length === 0) return { kind: 'told', after: { ...found, taken: [] } };
  const names = await ask(session, ours(takenNames, [JSON.stringify(twice)]));
  return names.kind === 'told' ? { kind: 'told', after: { ...found, taken: JSON.parse(names.text) } } : names;
}

/** `untold` if parts of a tree that were alike became different. */
async function askWhetherAlike(
  session: Session,
  groups: DefinedBefore['groups'],
): Promise<{ readonly kind: 'told'; readonly covered: StillAlike['covered'] } | Exclude<Asked, { kind: 'told' }>> {
  if (groups.length === 0) return { kind: 'told', covered: [] };
  const asked = await ask(session, ours(stillAlike, [JSON.stringify(groups)]));
  if (asked.kind !== 'told') return asked;
  const { areAlike, covered }: StillAlike = JSON.parse(asked.text);
  return areAlike ? { kind: 'told', covered } : { kind: 'untold' };
}

/**
 * Asks a question. If it fails, the transaction is as it was: the person may say yes all the same.
 * @param inTheirPath runs before, under the session's own search path.
 */
async function ask(session: Session, question: Statement, inTheirPath: readonly Statement[] = []): Promise<Asked> {
  const before = [ours(savepoint), ...inTheirPath, ours(keepPath)];
  const { end, texts } = await roundTripWithTexts(
    session,
    [...before, question, ours(restorePath), ours(`RELEASE ${savepoint}`)],
    before.length,
  );
  if (end.kind !== 'ready') return { kind: 'lost', end };
  const [text] = texts;
  if (end.error === null) return text === undefined ? { kind: 'untold' } : { kind: 'told', text };
  const back = await session.roundTrip([ours(`ROLLBACK TO ${savepoint}`)]);
  if (back.kind !== 'ready') return { kind: 'lost', end: back };
  return lacksWhatIsAsked(end.error) ? { kind: 'untold' } : { kind: 'fails', error: end.error };
}

/** Remembers what a definition made. Call it once that is committed. */
export function remember(known: Made, { made }: Defined): void {
  for (const relation of made) known.add(`${relation.oid}`, writtenName(relation));
}
