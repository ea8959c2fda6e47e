/**
 * The child process that SQLite runs in. The driver is synchronous, and so is this process: it
 * waits for a request, runs one statement, answers, and waits again. It is killed to cancel, on a
 * timeout, or when it has grown. A hostile file or a crash in SQLite ends this process, not the
 * daemon.
 */

import '../../../../shared/debugger-shut.ts';

import { writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { programThread } from '../../../../shared/programs.ts';
import { isStillThere } from '../dial.ts';
import { openFlow } from './flow.ts';
import { lineOf, openPipe, type Pipe } from './pipe.ts';
import { rehearse } from './rehearse.ts';
import { openSessions } from './session.ts';
import { runStatement } from './statement.ts';

const watchdog = programThread('sqlite-watchdog');
new Worker(watchdog.source, watchdog.options).unref();

endsFirst();
serve(openPipe());

/** Where memory runs out, Linux ends this process, and not the daemon with every client's calls. */
function endsFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '500');
  } catch {
    // Another system, or a sandbox without /proc.
  }
}

function serve(pipe: Pipe): void {
  const sessions = openSessions();
  for (let request = pipe.read(); request !== null; request = pipe.read()) {
    // Answers to earlier batches that crossed the end of their statement.
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
