/**
 * One classifying thread, as the daemon sees it: gets one question at a time, and is ended at once
 * if an answer is late.
 */

import { Worker } from 'node:worker_threads';
import type { ClassifierLimits } from './classifier-limits.ts';
import type { Question, Reply } from './question.ts';

export type ThreadReply =
  | Exclude<Reply, { readonly kind: 'loaded' }>
  | { readonly kind: 'late' }
  /** The thread is gone: it failed, used too much memory, or `end` was called. */
  | { readonly kind: 'ended'; readonly why: string };

export interface Thread {
  /** `ready`, or what came instead. */
  readonly started: Promise<ThreadReply>;
  /**
   * Only after `started` gave `ready`, and after the answer to the last question. Never rejects. A
   * late thread has ended.
   * @param milliseconds for the answer; loading has as long as a start.
   * @param onBegun called once everything is loaded: the time counts from then on.
   */
  ask(question: Question, milliseconds: number, onBegun: () => void): Promise<ThreadReply>;
  end(): Promise<void>;
}

export function startThread(file: string | URL, limits: ClassifierLimits): Thread {
  const worker = new Worker(file, {
    execArgv: [],
    resourceLimits: {
      maxOldGenerationSizeMb: limits.heapMegabytes,
      maxYoungGenerationSizeMb: 8,
      stackSizeMb: limits.stackMegabytes,
    },
  });
  worker.unref();
  const loaded = new Set<string>();
  let hear: (reply: Reply | ThreadReply) => void = () => {};
  let gone: ThreadReply | null = null;

  async function end(): Promise<void> {
    gone ??= { kind: 'ended', why: 'the thread that judged it was ended' };
    await worker.terminate();
  }

  function fail(why: string): void {
    gone ??= { kind: 'ended', why };
    hear(gone);
  }

  function reply(isLoaded: boolean, milliseconds: number, onBegun: () => void) {
    if (gone !== null) return Promise.resolve(gone);
    return new Promise<ThreadReply>(resolve => {
      let deadline: NodeJS.Timeout | undefined;
      const finish = (what: ThreadReply): void => {
        clearTimeout(deadline);
        deadline = undefined;
        hear = () => {};
        if (what.kind === 'late') void end();
        resolve(what);
      };
      const allow = (allowed: number): void => {
        clearTimeout(deadline);
        const set = setTimeout(() => {
          // An answer that arrived while the daemon was busy is heard before the immediate, so it
          // doesn't count as late.
          setImmediate(() => {
            if (deadline === set) finish({ kind: 'late' });
          });
        }, allowed);
        deadline = set;
      };
      const classify = (): void => {
        allow(milliseconds);
        onBegun();
      };
      hear = what => {
        if (what.kind === 'loaded') classify();
        else finish(what);
      };
      if (isLoaded) classify();
      else allow(limits.startMilliseconds);
    });
  }

  worker.on('message', (message: Reply) => hear(message));
  worker.on('error', (error: NodeJS.ErrnoException) =>
    fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'that takes too much memory' : error.message),
  );
  worker.on('exit', () => fail('the thread that judged it ended'));

  return {
    started: reply(false, 0, () => {}),
    ask(question, milliseconds, onBegun) {
      const { name } = question;
      const answered = reply(loaded.has(name), milliseconds, () => {
        loaded.add(name);
        onBegun();
      });
      if (gone === null) worker.postMessage(question);
      return answered;
    },
    end,
  };
}
