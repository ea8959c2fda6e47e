/**
 * The child process that SQLite runs in. The driver is synchronous, so this process is: it waits
 * for a request, runs one statement, answers, and waits again. Killed to cancel, to time out, or
 * because it grew; a hostile file or a crash in SQLite ends here and not in the daemon.
 */

import '../../../../shared/debugger-shut.ts';

import { Worker } from 'node:worker_threads';
import { programFile } from '../../../../shared/programs.ts';
import { isStillThere } from '../dial.ts';
import { openFlow } from './flow.ts';
import { lineOf, openPipe, type Pipe } from './pipe.ts';
import { rehearse } from './rehearse.ts';
import { openSessions } from './session.ts';
import { runStatement } from './statement.ts';

new Worker(programFile('sqlite-watchdog')).unref();

serve(openPipe());

function serve(pipe: Pipe): void {
  const sessions = openSessions();
  for (let request = pipe.read(); request !== null; request = pipe.read()) {
    // Flow answers that crossed the end of their statement on the way.
    if (request.kind !== 'run' && request.kind !== 'rehearse') continue;
    if (!isStillThere(request.file)) {
      pipe.write(lineOf({ kind: 'elsewhere' }));
      continue;
    }
    if (request.kind === 'rehearse') {
      pipe.write(lineOf(rehearse(sessions, request, pipe)));
      continue;
    }
    const flow = openFlow(pipe, request.limits.wireBytes);
    flow.end(runStatement(sessions, request, flow));
  }
  process.exit(0);
}
