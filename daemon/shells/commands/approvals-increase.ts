/**
 * The privilege increase in approving a client's question (spec §11, §12), with everything that the
 * question's own sheet shows.
 */

import type { Connection } from '../../access/connection.ts';
import {
  fact,
  type IncreaseFact,
  type PrivilegeIncrease,
  quoted,
} from '../../access/privilege-increases/increase-words.ts';
import { whereItIs } from '../../access/privilege-increases/place-increase.ts';
import type { Question } from '../../access/questions/approvals.ts';
import { bridgeTokenName } from '../../access/tokens/token.ts';
import type { CommandContext } from '../command.ts';
import type { ApprovalDecision } from '../messages/approvals.ts';
import { effectPhrase, statementFacts } from './statement-facts.ts';

export function answerIncrease({ id, answer }: ApprovalDecision, { ports }: CommandContext): PrivilegeIncrease | null {
  if (answer === 'no') return null;
  const question = ports.approvals.pending().find(open => open.id === id);
  // The command will refuse it. If the question opens meanwhile, the increase is another one.
  if (question === undefined) return { phrase: `approves the question ${quoted(id)}, which is not open`, facts: [] };
  const { client, connection, statement } = question;
  return {
    phrase: `approves for you: lets ${quoted(client)} ${deedOf(question)} ${quoted(connection.name)}${effectPhrase(statement?.takes?.lines ?? [])}`,
    facts: factsOf(question, ports.connections.find(connection.id)),
  };
}

function deedOf({ kind, statement }: Question): string {
  if (kind === 'first_use') return 'use';
  if (kind === 'stop_server_session') return 'end a session of the server of';
  return `run a ${statement?.class ?? 'destructive'} statement on`;
}

function factsOf(
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
