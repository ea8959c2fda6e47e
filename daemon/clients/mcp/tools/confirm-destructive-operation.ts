/**
 * `confirm_destructive_operation` (spec §9, §12): the only tool that runs a destructive statement,
 * or a write whose rows execute_query refused, each time after approval.
 */

import * as z from 'zod';
import {
  type ConnectionResolution,
  type ResolvedConnection,
  resolveConnection,
} from '../../../access/resolve-connection.ts';
import { withFound } from '../../../engines/count/count-request.ts';
import type { Taken } from '../../../engines/count/taken.ts';
import type { DatabaseFailure } from '../../../engines/engine.ts';
import { takenForClient } from '../../../engines/told-in-sight.ts';
import { joinReasons, reasonOf, say, worded } from '../../../guard/reason.ts';
import type { Classification } from '../../../guard/types.ts';
import { toolError } from '../../../refusal.ts';
import type { Call } from '../../../statement/call.ts';
import { type Allowed, classifyAndDecide } from '../../../statement/classify-and-decide.ts';
import { countTaken, guardedRun } from '../../../statement/count-taken.ts';
import { refusalOf } from '../../../statement/failure-refusals.ts';
import { type RefusedRun, recordRefusal } from '../../../statement/record.ts';
import type { ResultSet } from '../../../statement/result-set.ts';
import { runClassified } from '../../../statement/run-statement.ts';
import { confirm } from '../confirmation.ts';
import {
  answeredAlready,
  askedFor,
  circumstancesOf,
  nobodyAnswered,
  qualified,
  ranAnswer,
  ranByOwner,
  runAllowed,
  withRequest,
} from '../request-access.ts';
import { whileRunning } from '../running-progress.ts';
import { refused, type Tool, type ToolCall, type ToolOutcome } from '../tool.ts';
import { answerBytes, resultAnswer, resultSetOutput } from './result-answer.ts';
import { connectionArgument } from './shared-arguments.ts';
import { resolveFor, shownConnection, statementOf, type ToolPorts } from './tool-ports.ts';

const name = 'confirm_destructive_operation';
const input = z.strictObject({ connection: connectionArgument, sql: z.string().min(1).describe('One statement') });

export function confirmDestructiveOperation(ports: ToolPorts): Tool<z.infer<typeof input>> {
  return {
    name,
    title: 'Run a destructive statement',
    description:
      "Asks the user in Sallyport, waits, and runs one destructive statement (DROP, TRUNCATE, unbounded DELETE …), or a write that changes too many rows for execute_query, if they approve. Don't ask in chat first.",
    scope: 'fullAccess',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
    input,
    output: resultSetOutput,
    discardAnswer: (state, principal) => ports.confirmation.clientQuestions.discard(state, principal),
    async run(call, args) {
      const found = await resolveFor(ports, call, args.connection);
      if (found.kind === 'refused') return found;
      const asked = found.resolved;
      const statement = statementOf(ports, call, name, { resolved: asked, sql: args.sql });
      const classified = await classifyAndDecide(ports, name, statement);
      if (classified.kind === 'refused') return classified;

      const requested = askedFor(call, name, asked, { text: args.sql, parameters: [], schema: null, database: null });
      const before = ports.accessRequests.askedBefore(requested, circumstancesOf(asked));
      if (before?.state === 'refused')
        return refused({ kind: 'asked_already', state: 'refused', since: before.askedAt });
      const outcome = ranByOwner(ports.accessRequests, before, call.principal);
      if (outcome !== null) return ranAnswer(outcome);
      if (before !== null && ports.accessRequests.take(before.id)) {
        // Nobody could be asked before, and the user has allowed it since.
        const ran = await whileRunning(call, () => runAllowed(ports, statement, before));
        return ran.kind === 'done' ? answerOf(ports, asked, ran.resultSet) : ran;
      }

      // Asks again with the new figures if the run would have taken more than was shown.
      for (let more: Taken | null = null, reply = call.elicitationReply; ; reply = null) {
        const ran = await askedAndRun(ports, call, reply, args, statement, classified, more);
        if (ran.kind === 'more') more = ran.found;
        else if (ran.kind !== 'refused' || !nobodyAnswered(ran.refusal)) return ran;
        else {
          const { classification } = classified;
          return refused(
            answeredAlready(before) ??
              (await withRequest(ports.accessRequests, asked, requested, ran.refusal, classification)),
          );
        }
      }
    },
  };
}

type Ran = ToolOutcome | { readonly kind: 'more'; readonly found: Taken };

/** @param found what an earlier run would have taken. */
async function askedAndRun(
  ports: ToolPorts,
  call: ToolCall,
  elicitationReply: ToolCall['elicitationReply'],
  args: z.infer<typeof input>,
  statement: Call,
  classified: Allowed,
  found: Taken | null,
): Promise<Ran> {
  const { resolved: asked } = statement;
  const { id, revision } = asked.connection;
  const definitions = definitionsOf(classified);
  const confirmation = await confirm(
    ports.confirmation,
    // A copy keeps the present principal: only the question may have it.
    { ...call, elicitationReply },
    {
      kind: 'statement',
      client: call.client,
      connection: shownConnection(asked.connection),
      means: 'This statement runs, once.',
      statement: statementShown(args.sql, classified.classification),
    },
    { tool: name, args, circumstances: [id, revision, definitions] },
    async () => {
      const counted = await whileRunning(call, () => countTaken(ports, statement, classified, 'tried'));
      if (counted.kind !== 'done') return recordFailure(ports, statement, classified.classification, counted);
      const taken = withFound(counted.value, found);
      const told = await takenForClient(statement.database, statement.context, taken);
      return told.kind === 'done'
        ? { kind: 'counted', taken, forClient: told.value }
        : recordFailure(ports, statement, classified.classification, told);
    },
  );
  if (confirmation.kind !== 'yes') return confirmation;
  if (call.signal.aborted) return refused({ kind: 'cancelled' });

  const again = stillResolved(ports, call, args.connection, asked);
  if (again.kind === 'refused') return again;
  const anew = statementOf(ports, call, name, { resolved: again.resolved, sql: args.sql });
  const reclassified = await classifyAndDecide(ports, name, anew);
  if (reclassified.kind === 'refused') return reclassified;
  if (definitionsOf(reclassified) !== definitions) return refused(otherDefinitions);
  const guarded = await guardedRun(ports, anew, reclassified, confirmation.shown);
  if (guarded.kind !== 'done') return recordFailure(ports, anew, reclassified.classification, guarded);
  const guard = guarded.value;
  const result = await whileRunning(call, () => runClassified(ports, anew, reclassified, guard));
  const more = guard.excess.found();
  if (result.kind === 'refused') return more === null ? result : { kind: 'more', found: more };
  return answerOf(ports, again.resolved, result.resultSet);
}

function answerOf(ports: ToolPorts, resolved: ResolvedConnection, result: ResultSet): ToolOutcome {
  return resultAnswer({
    resolved,
    dialect: ports.databases.of(resolved.connection).dialect,
    result,
    format: 'rows',
    from: 0,
    statement: result,
    maxRows: result.rows.length,
    ...answerBytes(undefined, ports.limits()),
    mayBeShort: { whereBytesEnd: false, whereRowsEnd: false },
    cursorTo: () => null,
  });
}

/** The catalog's meaning of the text: the approval is for a statement that means this. */
function definitionsOf({ classification: { class: statementClass, reason, tables } }: Allowed): string {
  return JSON.stringify([statementClass, reason, tables]);
}

const otherDefinitions = toolError(
  'denied',
  'What the statement does was changed while the user was asked; call again to ask anew.',
);

function recordFailure(
  ports: ToolPorts,
  statement: Call,
  classification: Classification,
  failure: DatabaseFailure,
): RefusedRun {
  return recordRefusal(ports, statement, classification, refusalOf(failure, statement.resolved.connection));
}

/**
 * The approval was for this connection as shown, not for another of that name or another database
 * behind it.
 */
function stillResolved(
  ports: ToolPorts,
  call: ToolCall,
  idOrName: string,
  asked: ResolvedConnection,
): ConnectionResolution {
  const found = resolveConnection(ports.connections, call.principal, idOrName, ports.now());
  if (found.kind === 'refused') return found;
  const { id, revision } = found.resolved.connection;
  if (id === asked.connection.id && revision === asked.connection.revision) return found;
  return refused(toolError('denied', 'The connection was changed while the user was asked; call again to ask anew.'));
}

function statementShown(text: string, classification: Classification) {
  const { class: statementClass, tables } = classification;
  const why = reasonOf(classification);
  const reason =
    statementClass === 'write' ? joinReasons(why, say('Once approved it may change any number of them.')) : why;
  return { text, class: statementClass, ...worded(reason), tables: tables.map(qualified) };
}
