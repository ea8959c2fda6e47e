/**
 * Our own questions to the catalog: small complete results, all questions of one call in one
 * session that can't write.
 */

import { answering, valueOrThrow } from '../answering.ts';
import type { Answer, CallContext } from '../engine.ts';
import { atStep } from '../look-up.ts';
import { type Cell, cellsOf, type RowText } from '../row-text.ts';
import type { Destination } from './run/destination.ts';
import { failure } from './run/outcome.ts';
import { deadPooledConnection, onConnection, openLookUps, type Runner, type Stage } from './run/stage.ts';

/** @returns rows of strings and nulls, in order. Call it within `answering`. */
export type LookUp = (sql: string) => Promise<readonly (readonly (string | null)[])[]>;

/** Definitions of views and routines may be long; 100,000 tables fit. */
const limits = { cellBytes: 4 * 1024 * 1024, wireBytes: 48 * 1024 * 1024 };

export function lookingUp<T>(
  runner: Runner,
  context: CallContext,
  to: Destination,
  call: (lookUp: LookUp) => Promise<T>,
): Promise<Answer<T>> {
  return onConnection<Answer<T>>(runner, context, to, false, async stage => {
    const { lease, watched } = stage;
    const ready = await openLookUps(lease, stage.limit('read'));
    if (ready === null) {
      const result = await answering(() => call(lookUpOn(stage, context)));
      if (result.kind === 'done') lease.keep();
      else lease.release();
      return result;
    }
    if (ready.kind === 'lost' && lease.reused && watched.reason() === null) return deadPooledConnection;
    return atStep('set_up', failure({ ...context, session: 'read' }, watched, ready));
  });
}

function lookUpOn({ lease, watched }: Stage, context: CallContext): LookUp {
  return async sql => {
    const rows: (string | null)[][] = [];
    const sink = {
      columns: () => {},
      row: (row: RowText) => {
        rows.push(cellsOf(row).map(plain));
        return true;
      },
    };
    const { answer } = await lease.session.query(sql, sink, limits);
    if (answer.kind === 'ok') return rows;
    if (answer.kind === 'stopped') {
      return valueOrThrow({
        kind: 'query_failed',
        message: 'The catalog is too large to be read at once.',
        code: null,
      });
    }
    return valueOrThrow(atStep('look_up', failure({ ...context, session: 'read' }, watched, answer)));
  };
}

function plain(cell: Cell): string | null {
  return cell === null ? null : String(cell);
}
