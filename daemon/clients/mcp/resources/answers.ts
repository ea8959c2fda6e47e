/**
 * The user's answers to what a client was refused or proposed (spec §9): each is a resource while
 * it is remembered, so that a client that listens hears of it. Reading one leaves it to be told
 * when the same is sent again.
 */

import * as z from 'zod';
import type { AccessRequest } from '../../../access/requests/access-requests.ts';
import { accountOf } from '../../../access/tokens/token.ts';
import { beginning } from '../../../engines/shorten.ts';
import { toolError } from '../../../refusal.ts';
import { askedSentences } from '../refusal-words.ts';
import { clockWords, ranAnswer } from '../request-access.ts';
import { refused, success, type Tool, type ToolCall } from '../tool.ts';
import { type ToolPorts, usableConnections } from '../tools/tool-ports.ts';

const input = z.strictObject({ answer: z.string() });

export function answerTool(ports: ToolPorts): Tool<z.infer<typeof input>> {
  return {
    name: 'answer',
    title: 'Answer',
    description: 'What the user answered.',
    scope: 'readOnly',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    input,
    output: z.looseObject({ note: z.string() }),
    async run(call, { answer }) {
      const found = answersTo(ports, call).find(({ id }) => id === answer);
      if (found?.facts.statement == null)
        return refused(toolError('query_failed', 'There is no such answer, or no longer.'));
      const { connection, statement, outcome } = found.facts;
      const asked = { connection: connection.name, statement: beginning(statement.text, longestShown) };
      if (outcome === null) return success({ ...asked, ...outcomes[found.state] });
      return success({ ...asked, ...ranAnswer(outcome, statement).structuredContent });
    },
  };
}

/** It says which one is meant; the client has the rest. */
const longestShown = 500;

const outcomes: Partial<Record<AccessRequest['state'], { readonly state: string; readonly note: string }>> = {
  granted: { state: 'allowed', note: 'The user allowed this: send the same again.' },
  refused: { state: 'refused', note: askedSentences.refused('') },
};

/** The answered requests of this client, on connections that it may use now. */
export function answersTo(
  ports: ToolPorts,
  { principal, client }: Pick<ToolCall, 'principal' | 'client'>,
): readonly AccessRequest[] {
  const usable = new Set(usableConnections(ports, principal).map(({ connection }) => connection.id));
  return ports.accessRequests
    .answered()
    .filter(
      ({ facts }) =>
        facts.statement !== null &&
        facts.client === client &&
        accountOf(facts.principal) === accountOf(principal) &&
        usable.has(facts.connectionId),
    );
}

export function answerTitle({ facts: { connection }, askedAt, state }: AccessRequest): string {
  return `${connection.name}: what was asked at ${clockWords(askedAt)} ${words[state] ?? ''}`;
}

const words: Partial<Record<AccessRequest['state'], string>> = {
  granted: 'is allowed',
  refused: 'was refused',
  ran: 'was run',
};
