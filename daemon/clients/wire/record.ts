/**
 * Records a program's statements as those of other clients (spec §14). A program that sends
 * thousands gets one row a minute for each text beyond the first few hundred.
 */

import { hash } from 'node:crypto';
import type { AccessRequests } from '../../access/requests/access-requests.ts';
import type { ActivityLog } from '../../activity.ts';
import { CallClock } from '../../engines/call-clock.ts';
import type { Taken } from '../../engines/count/taken.ts';
import type { Classification } from '../../guard/types.ts';
import { toolError } from '../../refusal.ts';
import { type Call, type CallPorts, callOf, type StatementInput } from '../../statement/call.ts';
import { type RecordPorts, recordRefusal, recordStatement } from '../../statement/record.ts';
import { askedFor, circumstancesOf, qualified } from '../mcp/request-access.ts';
import type { Ended } from './conversation.ts';
import type { SqlError } from './messages.ts';
import { wireLimits } from './wire-limits.ts';

export interface WireRecordPorts extends CallPorts, Pick<RecordPorts, 'history'> {
  readonly activity: Pick<ActivityLog, 'record' | 'tally'>;
  readonly accessRequests: Pick<AccessRequests<Taken>, 'ask'>;
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
}

/** Of one program; what its statements have in common. */
type Program = Pick<StatementInput, 'resolved' | 'client' | 'signal' | 'database'> & {
  readonly principal: Parameters<typeof askedFor>[0]['principal'];
};

/** The word in the log, beside tools' names. */
const wireAction = 'wire';

const minute = 60_000;

export function programRecord(ports: WireRecordPorts, program: Program) {
  const { principal, resolved } = program;
  let rows = 0;
  let since = ports.elapsed();
  const told = new Set<string>();

  function statement(sql: string): Call {
    const origin = {
      tool: wireAction,
      principal: principal.id,
      account: principal.tokenId,
      tokenName: principal.tokenName,
      requestId: ports.newId(),
      access: null,
      clock: new CallClock(ports.elapsed),
      recorded: () => {},
    };
    return callOf(ports, { ...program, sql, origin });
  }

  /** Where its row goes: the log, or one row a minute for its text. */
  function recordedBy(sql: string): Pick<RecordPorts, 'activity' | 'history'> {
    if (ports.elapsed() - since >= minute) {
      rows = 0;
      since = ports.elapsed();
      told.clear();
    }
    rows += 1;
    const log = ports.activity as RecordPorts['activity'];
    if (rows <= wireLimits.rowsPerMinute) return { activity: log, history: ports.history };
    const text = hash('sha256', sql);
    const isNew = !told.has(text) && told.size < wireLimits.rowsPerMinute;
    if (isNew) told.add(text);
    const key = isNew || told.has(text) ? text : 'others';
    const record: ActivityLog['record'] = entry =>
      ports.activity.tally(`wire ${principal.id} ${key} ${entry.outcome}`, ports.now() + minute, entry);
    return { activity: { ...log, record }, history: isNew ? ports.history : { record() {} } };
  }

  return {
    begin(sql: string, by: Classification): (ended: Ended) => void {
      const began = ports.elapsed();
      const call = statement(sql);
      const to = recordedBy(sql);
      return ({ error, rows: read }) => {
        const durationMilliseconds = ports.elapsed() - began;
        const end =
          error === null
            ? ({ kind: 'done', rows: read, durationMilliseconds } as const)
            : ({ kind: 'refused', refusal: failed(error), durationMilliseconds } as const);
        recordStatement(to, call, by.class, end);
      };
    },

    /** @param by null if it was no statement that could be judged. */
    refused(sql: string, by: Classification | null, { message }: SqlError): void {
      recordRefusal(recordedBy(sql), statement(sql), by, toolError('denied', message));
      if (by === null || (by.class !== 'write' && by.class !== 'destructive')) return;
      // Nobody has the values of its parameters.
      if (by.reasonParts.some(({ advises }) => advises === true) || /\$\d/.test(sql)) return;
      const { id, name, tags, colour } = resolved.connection;
      const statementAsked = { text: sql, parameters: [], schema: null, database: program.database ?? null };
      void ports.accessRequests.ask(
        askedFor(program, wireAction, resolved, statementAsked),
        circumstancesOf(resolved),
        {
          connection: { id, name, tags, colour },
          lacks: 'connection_level',
          // This door never writes.
          runsBy: 'owner',
          means: null,
          classified: {
            class: by.class,
            reason: by.reason,
            reasonParts: by.reasonParts,
            tables: by.tables.map(qualified),
          },
        },
      );
    },
  };
}

const failed = ({ code }: SqlError) => toolError(code === '57014' ? 'timeout' : 'query_failed', `SQLSTATE ${code}.`);
