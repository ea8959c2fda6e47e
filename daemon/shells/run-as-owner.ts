/**
 * Counts and runs a client's statement as the person who opened and allowed it (spec §12): at any
 * level, and held to what they were shown.
 */

import type { ConnectionRegister } from '../access/connection-register.ts';
import type { AccessRequest } from '../access/requests/access-requests.ts';
import { reasonOf } from '../activity.ts';
import { CallClock } from '../engines/call-clock.ts';
import { withFound } from '../engines/count/count-request.ts';
import { notCounted, type Taken } from '../engines/count/taken.ts';
import { takesWords } from '../engines/count/taken-words.ts';
import type { Refusal } from '../refusal.ts';
import { type Call, callOf } from '../statement/call.ts';
import { countGranted, runGranted } from '../statement/run-granted.ts';
import type { RunPorts } from '../statement/run-statement.ts';
import type { OpenAsOwner, OwnersRun, RunAsOwner } from './ports.ts';

/** The person's name in the activity log, beside the row of their answer. */
const owner = 'owner';

export function asOwner(
  ports: RunPorts,
  connections: Pick<ConnectionRegister, 'find'>,
): { readonly openAsOwner: OpenAsOwner; readonly runAsOwner: RunAsOwner } {
  return {
    async openAsOwner(asked, requestId, signal) {
      const call = callFor(asked, requestId, signal);
      if (call === null) return null;
      const counted = await countGranted(ports, call, asked);
      const taken = counted.kind === 'counted' ? counted.taken : notCounted(whyNotCounted(counted.refusal));
      const figures = withFound(taken, asked.found);
      return { figures, words: takesWords(figures) };
    },

    async runAsOwner(asked, requestId, signal) {
      const call = callFor(asked, requestId, signal);
      if (call === null) return notRun('The connection is gone.');
      const result = await runGranted(ports, call, asked);
      if (result.kind === 'more') return { ...notRun(moreThanShown(result.found)), found: result.found };
      if (result.kind === 'refused') return failedBy(result.refusal);
      const { rowsAffected, warnings } = result.resultSet;
      return { rowsAffected, warnings, failed: null, mayHaveRun: true, found: null };
    },
  };

  function callFor({ connectionId, statement }: AccessRequest, requestId: string, signal: AbortSignal): Call | null {
    const connection = connections.find(connectionId);
    if (connection === null || statement === null) return null;
    const { text: sql, parameters, schema, database } = statement;
    return callOf(ports, {
      sql,
      parameters,
      schema,
      database,
      signal,
      client: 'sallyport',
      resolved: {
        connection,
        access: { kind: 'visible', level: 'readWrite', limitedBy: 'nothing', askFirst: false },
      },
      origin: {
        tool: 'execute_query',
        principal: owner,
        account: owner,
        tokenName: owner,
        requestId,
        access: null,
        clock: new CallClock(ports.elapsed),
        recorded: () => {},
      },
    });
  }
}

/**
 * Never in the server's words: they may quote what the statement read, and nobody has confirmed it
 * yet.
 */
function whyNotCounted(refusal: Refusal): string {
  if (refusal.kind === 'tool_error' && refusal.word === 'query_failed') return 'As things are now it would fail.';
  return `Its rows were not counted. ${sentenceOf(refusal)}`;
}

/** A sentence has room for so many tables. */
const mostNamed = 3;

function moreThanShown(found: Taken): string {
  const { lines, note } = takesWords(found);
  const named = lines.slice(0, mostNamed);
  const unnamed = lines.length - named.length;
  const what = [...named, ...(unnamed > 0 ? [`${unnamed} more`] : [])].join('; ');
  const taken = what === '' ? (note ?? '') : `As things are now it ${what}.`;
  return `Nothing was changed: it would have taken more than you were shown. ${taken} It waits again: open it to see what it takes now.`;
}

function failedBy(refusal: Refusal): OwnersRun {
  const mayHaveRun = refusal.kind === 'tool_error' && refusal.word === 'outcome_unknown';
  return { ...notRun(sentenceOf(refusal)), mayHaveRun };
}

function sentenceOf(refusal: Refusal): string {
  return refusal.kind === 'tool_error' ? refusal.sentence : reasonOf(refusal);
}

function notRun(failed: string): OwnersRun {
  return { rowsAffected: null, warnings: [], failed, mayHaveRun: false, found: null };
}
