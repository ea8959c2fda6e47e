/**
 * Which changes of a connection are privilege increases (spec §11). Compares the connection now and
 * as it would be, and names each value before and after. The connection's place is always among the
 * facts: a name alone says too little.
 */

import { connectionsOf } from '../../../shared/engine.ts';
import { unmaskings } from '../../guard/masks.ts';
import { sightWords, wholeSight, widenings } from '../../guard/sight.ts';
import { type Connection, externalClientsLevels } from '../connection.ts';
import { levelNow, untilMilliseconds } from '../effective-access.ts';
import { defaultSettings } from '../settings/settings.ts';
import { levelFact, levelRank, policyRank, policyWords } from './client-use.ts';
import { credentialParts, type GivenSecrets, noSecrets } from './credentials-increase.ts';
import { fact, type IncreaseFact, instantWords, type PrivilegeIncrease, quoted } from './increase-words.ts';
import { lookAlikePart, marksPart } from './look-alike.ts';
import { placeFacts, placeParts } from './place-increase.ts';
import { type SamePlacePorts, samePlacePart } from './same-place.ts';

/**
 * @param former null for a new connection.
 * @param writeRowsByDefault the setting `writes.maxRows`, for a connection without its own limit.
 * @param samePlace the other connections; without it none is compared.
 * @returns null if it is no privilege increase.
 */
export function connectionIncrease(
  former: Connection | null,
  next: Connection,
  nowMilliseconds: number,
  given: GivenSecrets = noSecrets,
  writeRowsByDefault: number = defaultSettings['writes.maxRows'],
  samePlace: SamePlacePorts | null = null,
): PrivilegeIncrease | null {
  // The name that the person knows.
  const name = quoted((former ?? next).name);
  const parts = [
    levelPart(former, next, nowMilliseconds, name),
    policyPart(former, next, name),
    samePlace && samePlacePart(former, next, nowMilliseconds, samePlace),
    ...credentialParts(former, next, given, name),
    databasesPart(former, next, name),
    former && sightPart(former, next, name),
    former && masksPart(former, next, name),
    writeRowsPart(former, next, name, writeRowsByDefault),
    lookAlikePart(former, next, inUse(samePlace)),
    ...(former === null ? [] : [...placeParts(former, next, name), renamePart(former, next)]),
    former && marksPart(former, next, name),
  ].filter(part => part !== null);
  return inOne(parts, former, next, given);
}

function inUse(samePlace: SamePlacePorts | null): readonly Connection[] {
  return (samePlace?.others ?? []).flatMap(({ connection, isRemoved }) => (isRemoved ? [] : [connection]));
}

/** With the connection's whole place among the facts. @returns null if there are no parts. */
export function inOne(
  parts: readonly PrivilegeIncrease[],
  former: Connection | null,
  next: Connection,
  given: GivenSecrets,
): PrivilegeIncrease | null {
  if (parts.length === 0) return null;
  const isNamed = (facts: readonly IncreaseFact[], { label }: IncreaseFact) => facts.some(has => has.label === label);
  const told = [fact('Connection', (former ?? next).name), ...parts.flatMap(({ facts }) => facts)];
  const context = placeFacts(former, next, given.password).filter(each => !isNamed(told, each));
  return { phrase: parts.map(({ phrase }) => phrase).join(', and '), facts: [...told, ...context] };
}

type Part = PrivilegeIncrease | null;

function levelPart(former: Connection | null, next: Connection, now: number, name: string): Part {
  if (!opensLevel(former, next, now)) return null;
  const may = levelWords[next.externalClients.level];
  const until = next.externalClients.writeUntil;
  const before = former === null ? null : levelFact(former, now);
  return {
    phrase: `lets clients ${may} ${name}${until === null ? '' : ` until ${instantWords(until)}`}`,
    facts: [fact('Clients may', levelFact(next, now), before)],
  };
}

const levelWords = { blocked: 'not use', readOnly: 'read', readWrite: 'write to' } as const;

/** A new connection starts from the default level, which is no privilege increase. */
function opensLevel(former: Connection | null, next: Connection, now: number): boolean {
  const rankBefore = former === null ? externalClientsLevels.indexOf('readOnly') : levelRank(former, now);
  const rank = levelRank(next, now);
  if (rank !== rankBefore) return rank > rankBefore;
  return former !== null && levelNow(next, now) === 'readWrite' && until(next) > until(former);
}

function until({ externalClients: { writeUntil } }: Connection): number {
  return untilMilliseconds(writeUntil);
}

function policyPart(former: Connection | null, next: Connection, name: string): Part {
  const before = former?.aiPolicy ?? 'always';
  if (policyRank(next.aiPolicy) <= policyRank(before)) return null;
  const [from, to] = [policyWords[before], policyWords[next.aiPolicy]];
  return { phrase: `sets the AI policy of ${name} from ${from} to ${to}`, facts: [fact('AI policy', to, from)] };
}

function databasesPart(former: Connection | null, next: Connection, name: string): Part {
  if (next.databases !== 'all' || formerDatabases(former, next) !== 'own') return null;
  const [from, to] = ['only its own', 'every one on its server'];
  return { phrase: `opens all databases of ${name} to an argument`, facts: [fact('Databases', to, former && from)] };
}

/** A new connection begins with the patterns that it is saved with. */
function sightPart(former: Connection, next: Connection, name: string): Part {
  const [before, after] = [former.sight ?? wholeSight, next.sight ?? wholeSight];
  const wider = widenings(before, after);
  if (wider.length === 0) return null;
  return {
    phrase: `lets clients see more tables of ${name}: it ${wider.join(', it ')}`,
    facts: [fact('Tables in sight', sightWords(after), sightWords(before))],
  };
}

function masksPart({ masks: before = [] }: Connection, { masks: after = [] }: Connection, name: string): Part {
  const unmasked = unmaskings(before, after);
  if (unmasked.length === 0) return null;
  return {
    phrase: `lets clients read more columns of ${name}: it ${unmasked.join(', it ')}`,
    facts: [fact('Masked columns', after.join(', ') || 'none', before.join(', '))],
  };
}

function writeRowsPart(former: Connection | null, next: Connection, name: string, byDefault: number): Part {
  const [from, to] = [former?.writeRowLimit ?? byDefault, next.writeRowLimit ?? byDefault];
  // A limit of its own would outlive a setting that is high for now.
  const isOwn = former?.writeRowLimit == null && next.writeRowLimit !== null;
  if (to <= from && !(isOwn && to > defaultSettings['writes.maxRows'])) return null;
  const than = to > from ? `instead of ${from}` : 'whatever the setting for all becomes';
  return {
    phrase: `lets clients change ${to} rows of a table of ${name} in an hour, unasked, ${than}`,
    facts: [fact('Rows changed unasked', `${to} of a table in an hour`, `${from}`)],
  };
}

/** A new connection's default (spec §6). */
function formerDatabases(former: Connection | null, next: Connection): Connection['databases'] {
  return former?.databases ?? connectionsOf[next.engine].databases;
}

/**
 * The person answers questions by the name that they know: under another name an approval for
 * staging could be one for production.
 */
function renamePart(former: Connection, next: Connection): Part {
  if (former.name === next.name) return null;
  return { phrase: `renames ${quoted(former.name)} to ${quoted(next.name)}`, facts: [fact('New name', next.name)] };
}
