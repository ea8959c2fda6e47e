/**
 * The privilege increase in a yes to a client (spec §11, §12), with everything that its card shows,
 * and each statement in full, as it will run.
 */

import type { Connection } from '../../access/connection.ts';
import type { ConnectionRegister } from '../../access/connection-register.ts';
import {
  fact,
  type IncreaseFact,
  type PrivilegeIncrease,
  quoted,
} from '../../access/privilege-increases/increase-words.ts';
import { whereItIs } from '../../access/privilege-increases/place-increase.ts';
import type { Question } from '../../access/questions/approvals.ts';
import type { AccessRequest } from '../../access/requests/access-requests.ts';
import { bridgeTokenName } from '../../access/tokens/token.ts';
import type { Taken } from '../../engines/count/taken.ts';
import { sumWords } from '../../engines/count/taken-words.ts';
import { requestedStatement } from '../desk/views.ts';
import type { CommandPorts } from '../ports.ts';
import { effectPhrase, statementFacts } from './statement-facts.ts';

export function questionIncrease(
  id: string,
  { approvals, connections }: Pick<CommandPorts, 'approvals' | 'connections'>,
): PrivilegeIncrease {
  const question = approvals.pending().find(open => open.id === id);
  // The command will refuse it. If the question opens meanwhile, the increase is another one.
  if (question === undefined) return { phrase: `approves the question ${quoted(id)}, which is not open`, facts: [] };
  const { client, connection, statement } = question;
  return {
    phrase: `approves for you: lets ${quoted(client)} ${deedOf(question)} ${quoted(connection.name)}${effectPhrase(statement?.takes?.lines ?? [])}`,
    facts: questionFacts(question, connections.find(connection.id)),
  };
}

function deedOf({ kind, statement }: Question): string {
  if (kind === 'first_use') return 'use';
  if (kind === 'stop_server_session') return 'end a session of the server of';
  return `run a ${statement?.class ?? 'destructive'} statement on`;
}

function questionFacts(
  { client, tokenName, isBox, connection, statement }: Question,
  known: Connection | null,
): IncreaseFact[] {
  const token = tokenName === bridgeTokenName ? '(none: it asks through the stdio bridge)' : tokenName;
  return [
    fact('Connection', connection.name),
    ...(known === null ? [] : whereItIs(known)),
    fact('Client calls itself', client),
    isBox ? fact('Box', token) : fact('Token', token),
    ...(statement === null ? [] : statementFacts(statement)),
  ];
}

/** @param how `run`, or how often each may run. Null for host keys alone. */
export function requestsIncrease(
  found: readonly AccessRequest<Taken>[],
  how: 'run' | number,
  connections: Pick<ConnectionRegister, 'find'>,
): PrivilegeIncrease | null {
  // It gives clients nothing that the person lacks, and any program that runs as them may write
  // known_hosts.
  if (found.every(({ hostKey }) => hostKey !== undefined)) return null;
  const phrase = how === 'run' ? runPhrase(found) : allowPhrase(found, how);
  return {
    phrase: `${phrase}${effectOf(found)}`,
    facts: found.flatMap((request, at) => requestFacts(request, at, found.length, connections)),
  };
}

/** What the person saw counted, in the last sentence above the prompt. */
function effectOf(found: readonly AccessRequest<Taken>[]): string {
  return effectPhrase(found.flatMap(({ shown }) => (shown === null ? [] : sumWords(shown.figures).lines)));
}

function runPhrase(found: readonly AccessRequest[]): string {
  const [first] = found as readonly [AccessRequest];
  const where = isOnOne(found) ? ` on ${quoted(first.connection.name)}` : '';
  if (found.length === 1 && first.statement?.steps !== undefined)
    return `runs the plan of ${first.statement.steps.length} statements${where}, now and as you`;
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

function requestFacts(
  request: AccessRequest,
  at: number,
  count: number,
  connections: Pick<ConnectionRegister, 'find'>,
): IncreaseFact[] {
  const { client, program, principal, connection, connectionId, means } = request;
  const statement = requestedStatement(request);
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
