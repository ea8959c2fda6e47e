/**
 * In the child: several statements in one transaction that is always rolled back. The daemon sends
 * them one by one.
 */

import { failureOf } from '../failure.ts';
import { openFlow } from './flow.ts';
import { lineOf, type Pipe } from './pipe.ts';
import type { RehearseRequest, Reply } from './protocol.ts';
import type { Handle, Sessions } from './session.ts';
import { runStep } from './statement.ts';

const done: Reply = { kind: 'done', rowsAffected: null, cutByWire: false, warnings: [], retire: false };

/** @returns the last reply: the session is over and rolled back, or never began. */
export function rehearse(sessions: Sessions, request: RehearseRequest, pipe: Pipe): Reply {
  try {
    const work = (handle: Handle): Reply => {
      pipe.write(lineOf(done));
      return follow(handle, request, pipe);
    };
    return sessions.within(request, work);
  } catch (error) {
    return { kind: 'failed', failure: failureOf(error, request.file.realPath, request), retire: false };
  }
}

/** If the daemon is gone, the rehearsal ends as if it had asked for the end. */
function follow(handle: Handle, request: RehearseRequest, pipe: Pipe): Reply {
  for (let next = pipe.read(); next !== null && next.kind !== 'end'; next = pipe.read()) {
    // Answers to earlier batches that crossed the end of their statement.
    if (next.kind !== 'step') continue;
    const flow = openFlow(pipe, next.limits.wireBytes);
    flow.end(runStep(handle, next, request, flow));
  }
  return done;
}
