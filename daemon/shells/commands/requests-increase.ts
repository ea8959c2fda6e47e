/**
 * The privilege increase in an answer to access requests (spec §11, §12), with each request in
 * full, as it will run.
 */

import type { ConnectionRegister } from '../../access/connection-register.ts';
import {
  fact,
  type IncreaseFact,
  type PrivilegeIncrease,
  quoted,
} from '../../access/privilege-increases/increase-words.ts';
import { whereItIs } from '../../access/privilege-increases/place-increase.ts';
import type { AccessRequest } from '../../access/requests/access-requests.ts';
import type { Taken } from '../../engines/count/taken.ts';
import type { CommandContext } from '../command.ts';
import { type AccessRequestDecision, answerProblem, requestsNamed, statementView } from './requests-answer.ts';
import { effectPhrase, statementFacts } from './statement-facts.ts';

export function requestsIncrease(asked: AccessRequestDecision, { ports }: CommandContext): PrivilegeIncrease | null {
  if (asked.answer === 'no') return null;
  const found = requestsNamed(asked.ids, ports);
  // The command will refuse it.
  if (found === null || answerProblem(asked.answer, found) !== null) return null;
  // It gives clients nothing that the person lacks, and any program that runs as them may write
  // known_hosts.
  if (found.every(({ hostKey }) => hostKey !== undefined)) return null;
  const phrase = asked.answer === 'once' ? allowPhrase(found, asked.times ?? 1) : runPhrase(found);
  return {
    phrase: `${phrase}${effectOf(found)}`,
    facts: found.flatMap((request, at) => factsOf(request, at, found.length, ports.connections)),
  };
}

/** What the person saw counted, in the last sentence above the prompt. */
function effectOf(found: readonly AccessRequest<Taken>[]): string {
  return effectPhrase(found.flatMap(({ shown }) => shown?.words.lines ?? []));
}

function runPhrase(found: readonly AccessRequest[]): string {
  const [first] = found as readonly [AccessRequest];
  const where = isOnOne(found) ? ` on ${quoted(first.connection.name)}` : '';
  return found.length === 1
    ? `runs the statement${where}, now and as you`
    : `runs the ${found.length} statements${where}, now, as you, in this order`;
}

function allowPhrase(found: readonly AccessRequest[], times: number): string {
  const [first] = found as readonly [AccessRequest];
  const who = found.every(({ client }) => client === first.client) ? quoted(first.client) : 'these clients';
  const where = isOnOne(found) ? ` on ${quoted(first.connection.name)}` : '';
  if (found.length === 1 && first.statement === null) return `lets ${who} use ${quoted(first.connection.name)}`;
  if (found.some(({ statement }) => statement === null)) return `allows the ${found.length} requests of ${who}${where}`;
  const often = times === 1 ? 'once' : `${times} times`;
  return found.length === 1
    ? `lets ${who} run the statement${where}, ${often}`
    : `lets ${who} run the ${found.length} statements${where}, ${often} each`;
}

function isOnOne(found: readonly AccessRequest[]): boolean {
  return new Set(found.map(({ connectionId }) => connectionId)).size === 1;
}

function factsOf(
  request: AccessRequest,
  at: number,
  count: number,
  connections: Pick<ConnectionRegister, 'find'>,
): IncreaseFact[] {
  const { client, program, principal, connection, connectionId, means } = request;
  const statement = statementView(request);
  const known = connections.find(connectionId);
  const marks = [...(connection.colour === null ? [] : [connection.colour]), ...connection.tags];
  const token = principal.isBridge ? '(none: it asks through the stdio bridge)' : principal.tokenName;
  return [
    ...(count > 1 ? [fact('Request', `${at + 1} of ${count}`)] : []),
    fact('Connection', connection.name),
    ...(known === null ? [] : whereItIs(known)),
    ...(marks.length === 0 ? [] : [fact('Tags', marks.join(', '))]),
    fact('Client calls itself', client),
    ...(program === null ? [] : [fact('Started by', program)]),
    principal.isBox ? fact('Box', token) : fact('Token', token),
    ...(means === null ? [] : [fact('If approved', means)]),
    ...(statement === null ? [] : statementFacts(statement)),
  ];
}
