/**
 * In the child: several statements in one transaction. The daemon sends them one by one, and says
 * at the end whether they are kept.
 */

import { failureOf } from '../failure.ts';
import { openFlow } from './flow.ts';
import { lineOf, type Pipe } from './pipe.ts';
import type { RehearseRequest, Reply } from './protocol.ts';
import type { Handle, Sessions } from './session.ts';
import { runStep } from './statement.ts';

const done: Reply = { kind: 'done', rowsAffected: null, cutByWire: false, warnings: [], retire: false };

/** @returns the last reply: the session is over, or never began. */
export function rehearse(sessions: Sessions, request: RehearseRequest, pipe: Pipe): Reply {
  try {
    const work = (handle: Handle): void => {
      pipe.write(lineOf(done));
      if (!follow(handle, request, pipe)) return;
      // OR ROLLBACK has ended it: nothing is left to commit.
      pipe.write(lineOf({ kind: 'staying' }));
      handle.exec('commit');
    };
    sessions.within(request, work);
    return done;
  } catch (error) {
    return { kind: 'failed', failure: failureOf(error, request.file.realPath, request), retire: false };
  }
}

/**
 * If the daemon is gone, nothing is kept.
 * @returns whether all of it is kept.
 */
function follow(handle: Handle, request: RehearseRequest, pipe: Pipe): boolean {
  for (let next = pipe.read(); next !== null; next = pipe.read()) {
    if (next.kind === 'end') return next.session === 'write';
    // Answers to earlier batches that crossed the end of their statement.
    if (next.kind !== 'step') continue;
    const flow = openFlow(pipe, next.limits.wireBytes);
    flow.end(runStep(handle, next, request, flow));
  }
  return false;
}
