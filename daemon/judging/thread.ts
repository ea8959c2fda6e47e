/** One thread that judges, seen from the daemon: asked one question at a time, ended at once when an answer is late. */

import { Worker } from 'node:worker_threads';
import type { JudgingLimits } from './limits.ts';
import type { Question, Reply } from './question.ts';

export type ThreadReply =
  | Reply
  | { readonly kind: 'late' }
  /** The thread is gone: it failed, took too much memory, or `end` was called. */
  | { readonly kind: 'ended'; readonly why: string };

export interface Thread {
  /** `ready`, or what came instead of it. */
  readonly started: Promise<ThreadReply>;
  /** Once `started` gave `ready`, and not before the last question was answered. Never rejects. A late thread has ended. */
  ask(question: Question, milliseconds: number): Promise<ThreadReply>;
  end(): Promise<void>;
}

/** @param warmUp asked and forgotten before the thread is ready, so that what they need is loaded. */
export function startThread(file: URL, warmUp: readonly Question[], limits: JudgingLimits): Thread {
  const worker = new Worker(file, {
    workerData: warmUp,
    execArgv: [],
    resourceLimits: {
      maxOldGenerationSizeMb: limits.heapMegabytes,
      maxYoungGenerationSizeMb: 8,
      stackSizeMb: limits.stackMegabytes,
    },
  });
  worker.unref();
  let hear: (reply: ThreadReply) => void = () => {};
  let gone: ThreadReply | null = null;

  function fail(why: string): void {
    gone ??= { kind: 'ended', why };
    hear(gone);
  }

  function reply(milliseconds: number): Promise<ThreadReply> {
    if (gone !== null) return Promise.resolve(gone);
    return new Promise(resolve => {
      let isOver = false;
      // An answer that came while this thread was busy is read before the immediate: it was not late.
      const deadline = setTimeout(() => setImmediate(finish, { kind: 'late' }), milliseconds);
      function finish(what: ThreadReply): void {
        if (isOver) return;
        isOver = true;
        clearTimeout(deadline);
        hear = () => {};
        if (what.kind === 'late') void end();
        resolve(what);
      }
      hear = finish;
    });
  }

  async function end(): Promise<void> {
    gone ??= { kind: 'ended', why: 'the thread that judged it was ended' };
    await worker.terminate();
  }

  worker.on('message', (message: Reply) => hear(message));
  worker.on('error', (error: NodeJS.ErrnoException) =>
    fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'that takes too much memory' : error.message),
  );
  worker.on('exit', () => fail('the thread that judged it ended'));

  return {
    started: reply(limits.startMilliseconds),
    ask(question, milliseconds) {
      const answered = reply(milliseconds);
      if (gone === null) worker.postMessage(question);
      return answered;
    },
    end,
  };
}
