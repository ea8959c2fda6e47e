/** `confirm_destructive_operation` (spec §9, §12): the one tool through which a destructive statement, or a write whose rows execute_query refused, may run, each time after a yes. */

import * as z from 'zod';
import { type Reached, reach } from '../../access/reach.ts';
import type { Classification } from '../../query/classification/classification.ts';
import { asTheConnectionHasIt, judgeStatement, type RunRequest, runJudged } from '../../query/run.ts';
import { toolError } from '../../refusal.ts';
import { confirm } from '../confirmation.ts';
import {
  answeredAlready,
  askedFor,
  circumstancesOf,
  leftNothing,
  nobodyAnswered,
  qualified,
  withRequest,
} from '../request-access.ts';
import { whileRunning } from '../running-progress.ts';
import { refused, type Tool, type ToolCall } from '../tool.ts';
import { connectionArgument } from './arguments.ts';
import { answerBytes, resultAnswer, resultSetOutput } from './result-answer.ts';
import { askerOf, type ReachedConnection, reachFor, shownConnection, type ToolPorts } from './tool-ports.ts';

const name = 'confirm_destructive_operation';
const input = z.strictObject({ connection: connectionArgument, sql: z.string().min(1).describe('One statement') });

export function confirmDestructiveOperation(ports: ToolPorts): Tool<z.infer<typeof input>> {
  return {
    name,
    title: 'Run a destructive statement',
    description:
      'Runs one destructive statement (DROP, TRUNCATE, unbounded DELETE …), or a write that changes too many rows for execute_query, after the user said yes to it.',
    scope: 'fullAccess',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
    input,
    output: resultSetOutput,
    async run(call, args) {
      const found = await reachFor(ports, call, args.connection);
      if (found.kind === 'refused') return found;
      const asked = found.reached;
      const judged = await judgeStatement(ports, name, requestFor(call, asked, args.sql));
      if (judged.kind === 'refused') return judged;

      const { id, revision } = asked.connection;
      const requested = askedFor(call, name, asked, { text: args.sql, parameters: [], schema: null, database: null });
      const before = ports.accessRequests.askedBefore(requested, circumstancesOf(asked));
      const isGranted = before !== null && ports.accessRequests.take(before.id);
      if (before?.state === 'refused') return refused({ kind: 'asked_already', state: 'refused' });
      const confirmation = isGranted
        ? ({ kind: 'yes' } as const)
        : await confirm(
            ports.confirmation,
            call,
            {
              kind: 'destructive_statement',
              client: call.client,
              connection: shownConnection(asked.connection),
              means: 'This statement runs, once.',
              statement: statementShown(args.sql, judged.classification),
            },
            { tool: name, args, circumstances: [id, revision] },
          );
      if (confirmation.kind === 'refused' && nobodyAnswered(confirmation.refusal)) {
        const { refusal } = confirmation;
        const { classification } = judged;
        return refused(
          answeredAlready(before) ?? withRequest(ports.accessRequests, asked, requested, refusal, classification),
        );
      }
      if (confirmation.kind !== 'yes') return confirmation;
      if (call.signal.aborted) return refused({ kind: 'cancelled' });

      const again = stillReached(ports, call, args.connection, asked);
      if (again.kind === 'refused') return again;
      const request = requestFor(call, again.reached, args.sql);
      const rejudged = await judgeStatement(ports, name, request);
      if (rejudged.kind === 'refused') return rejudged;
      if (isGranted && rejudged.classification.class !== before?.judged?.class) return refused(changedSince);
      const result = await whileRunning(call, () => runJudged(ports, request, rejudged, 'any'));
      if (result.kind === 'refused') {
        if (isGranted && leftNothing(result.refusal)) ports.accessRequests.giveBack(before.id);
        return result;
      }
      const { resultSet } = result;
      return resultAnswer({
        ...{ reached: again.reached, result: resultSet, format: 'rows', from: 0, statement: resultSet },
        maxRows: resultSet.rows.length,
        ...answerBytes(undefined, ports.limits()),
        cursorTo: () => null,
      });
    },
  };
}

/** The yes was to this connection as it was shown: not to another of that name, nor to another database behind it. */
function stillReached(ports: ToolPorts, call: ToolCall, idOrName: string, asked: Reached): ReachedConnection {
  const found = reach(ports.connections, call.principal, idOrName, ports.now());
  if (found.kind === 'refused') return found;
  const { id, revision } = found.reached.connection;
  if (id === asked.connection.id && revision === asked.connection.revision) return found;
  return refused(toolError('denied', 'The connection was changed while the user was asked; call again to ask anew.'));
}

function requestFor(call: ToolCall, reached: Reached, sql: string): RunRequest {
  return {
    reached,
    asker: askerOf(call, name),
    client: call.client,
    sql,
    ...asTheConnectionHasIt,
    signal: call.signal,
  };
}

function statementShown(text: string, { class: statementClass, reason, tables }: Classification) {
  const why = statementClass === 'write' ? `${reason} After a yes it may change any number of them.` : reason;
  return { text, class: statementClass, reason: why, tables: tables.map(qualified) };
}

const changedSince = toolError(
  'denied',
  'The statement is something else now than when the user allowed it. Call again.',
);
