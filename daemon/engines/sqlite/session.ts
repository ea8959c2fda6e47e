/**
 * One SQLite child process as the daemon sees it: starts it, talks to it in lines, kills it. Knows
 * no statement, timer or pool.
 */

import { spawn } from 'node:child_process';
import type { ProgramCommand } from '../../../shared/programs.ts';
import { Intake } from '../intake.ts';
import { parseReply, type Reply, type Request } from './child/protocol.ts';

interface Listener {
  reply(reply: Reply): void;
  /** The process is gone and all its output was heard; `how` is a clause for people. */
  ended(how: string): void;
}

export interface Child {
  /** Statements sent to it so far. */
  readonly uses: number;
  /** Replaces the listener; null between statements. */
  listen(listener: Listener | null): void;
  send(request: Request): void;
  /** SIGKILL, the only way to stop SQLite. Idempotent. */
  kill(): void;
  /** Resolves, never rejects, once the process is gone. */
  readonly gone: Promise<void>;
}

/** @param command starts `sqlite-worker`. */
export function startChild({ executable, words, argv0 }: ProgramCommand): Child {
  const temporary = process.env.TMPDIR;
  const started = spawn(executable, words, {
    argv0,
    // Descriptor 3 is the lifeline (child/watchdog.ts). Of our environment it gets only the folder
    // for sorting large results.
    stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
    env: temporary === undefined ? {} : { TMPDIR: temporary },
    cwd: '/',
  });
  const { stdin, stdout } = started;
  let listener: Listener | null = null;
  let uses = 0;
  let startFailure: string | null = null;

  const gone = new Promise<void>(resolve => {
    started.once('error', error => {
      startFailure = `could not be started: ${error.message}`;
      // Without a process there is no 'close'.
      if (started.pid === undefined) finish(startFailure);
    });
    started.once('close', (code, signal) => finish(startFailure ?? `ended with ${signal ?? `code ${code}`}`));
    function finish(how: string) {
      resolve();
      listener?.ended(how);
      listener = null;
    }
  });

  const hear = (line: string) => {
    const reply = parseReply(line);
    if (reply === null) started.kill('SIGKILL');
    else listener?.reply(reply);
  };
  // EPIPE comes from a child that is just dying; its 'close' follows.
  stdin?.on('error', () => {});
  stdout?.on('error', () => {});
  // Undefined, despite its type, if the process could not be started for want of descriptors.
  if (stdout) {
    const intake = new Intake(stdout);
    const take = linesTo(hear);
    stdout.setEncoding('utf8').on('data', (text: string) => {
      intake.took(text.length);
      take(text);
    });
  }

  return {
    get uses() {
      return uses;
    },
    listen(next) {
      listener = next;
    },
    send(request) {
      if (request.kind === 'run' || request.kind === 'rehearse') uses += 1;
      stdin?.write(`${JSON.stringify(request)}\n`);
    },
    kill() {
      started.kill('SIGKILL');
    },
    gone,
  };
}

function linesTo(hear: (line: string) => void): (text: string) => void {
  let begun: string[] = [];
  return text => {
    const parts = text.split('\n');
    const last = parts.pop() ?? '';
    for (const part of parts) {
      hear(begun.length === 0 ? part : begun.join('') + part);
      begun = [];
    }
    if (last !== '') begun.push(last);
  };
}
