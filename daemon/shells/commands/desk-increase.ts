/**
 * The privilege increase in a yes to a client (spec §11, §12): what it does, and everything that
 * its card shows, each statement in full, as it will run.
 */

import type { ConnectionRegister } from '../../access/connection-register.ts';
import {
  fact,
  type IncreaseFact,
  linesFact,
  type PrivilegeIncrease,
  quoted,
} from '../../access/privilege-increases/increase-words.ts';
import { whereItIs } from '../../access/privilege-increases/place-increase.ts';
import type { ClientAsk } from '../desk/views.ts';

type Known = Pick<ConnectionRegister, 'find'>;

/**
 * The privilege increase in a yes to these asks.
 * @param how `run` if the person runs them, or how often each request may run.
 * @returns null for host keys alone.
 */
export function asksIncrease(asks: readonly ClientAsk[], how: 'run' | number, known: Known): PrivilegeIncrease | null {
  // A confirmed host key gives clients nothing that the person lacks, and any program that runs as
  // the person may write known_hosts.
  if (asks.every(({ kind }) => kind === 'host_key')) return null;
  const count = asks.length;
  const which = (at: number): IncreaseFact[] => (count > 1 ? [fact('Question', `${at + 1} of ${count}`)] : []);
  return {
    phrase: `${how === 'run' ? runPhrase(asks) : allowPhrase(asks, how)}${effectOf(asks)}`,
    facts: asks.flatMap((ask, at) => [...which(at), ...factsOf(ask, known)]),
  };
}

function deedOf({ kind, statement }: ClientAsk): string {
  if (kind === 'first_use') return 'use';
  return `run a ${statement?.class ?? 'destructive'} statement on`;
}

/**
 * What the person saw counted, for the last sentence above the prompt: the first line, and how many
 * more there are, as `: "empties t (500 rows)" and 2 more`.
 */
function effectOf(asks: readonly ClientAsk[]): string {
  const [first, ...more] = asks.flatMap(({ statement }) => statement?.takes?.lines ?? []);
  if (first === undefined) return '';
  return `: ${quoted(first)}${more.length === 0 ? '' : ` and ${more.length} more`}`;
}

function runPhrase(asks: readonly ClientAsk[]): string {
  const statements = asks.length === 1 ? asks[0]?.statement?.statements : undefined;
  if (statements !== undefined)
    return `runs the plan of ${statements} statement${statements === 1 ? '' : 's'}${whereOf(asks)}, now and as you`;
  return asks.length === 1
    ? `runs the statement${whereOf(asks)}, now and as you`
    : `runs the ${asks.length} statements${whereOf(asks)}, now, as you, in this order`;
}

function allowPhrase(asks: readonly ClientAsk[], times: number): string {
  const [first] = asks as readonly [ClientAsk];
  const who = asks.every(({ client }) => client === first.client) ? quoted(first.client) : 'these clients';
  const where = whereOf(asks);
  // The yes lets a call go on that waits for it.
  const waits = asks.some(ask => ask.waits);
  const approves = waits ? 'approves for you: ' : '';
  if (asks.length === 1 && waits) return `${approves}lets ${who} ${deedOf(first)} ${quoted(first.connection.name)}`;
  if (asks.length === 1 && first.statement === null) return `lets ${who} use ${quoted(first.connection.name)}`;
  if (waits || asks.some(({ statement }) => statement === null))
    return `${approves}says yes to the ${asks.length} questions of ${who}${where}`;
  const often = times === 1 ? 'once' : `${times} times`;
  return asks.length === 1
    ? `lets ${who} run the ${first.statement?.class} statement${where}, ${often}`
    : `lets ${who} run the ${asks.length} statements${where}, ${often} each`;
}

function whereOf(asks: readonly ClientAsk[]): string {
  const [first, ...others] = new Map(asks.map(({ connection }) => [connection.id, connection.name])).values();
  return first === undefined || others.length > 0 ? '' : ` on ${quoted(first)}`;
}

/** Each statement in full, as it will run. */
function factsOf({ connection, facts, statement }: ClientAsk, known: Known): IncreaseFact[] {
  const saved = known.find(connection.id);
  return [
    ...facts,
    ...(saved === null ? [] : whereItIs(saved)),
    ...(statement === null ? [] : statementFacts(statement)),
  ];
}

function statementFacts(statement: NonNullable<ClientAsk['statement']>): IncreaseFact[] {
  const { takes = { lines: [], note: null }, text, parameters } = statement;
  return [
    // Each line is a fact, which breaks between words; a statement may break anywhere.
    ...takes.lines.map(line => fact('Effect', line)),
    ...(takes.steps ?? []).map(line => fact('Effect', line)),
    ...(takes.note === null ? [] : [fact('Not counted', takes.note)]),
    linesFact('Statement', text),
    ...parameters.map((value, at) => linesFact(`Parameter ${at + 1}`, value)),
  ];
}
