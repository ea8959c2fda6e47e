/**
 * One classifying thread, as the daemon sees it: gets one question at a time, and is ended at once
 * if an answer is late.
 */

import { Worker } from 'node:worker_threads';
import type { ProgramThread } from '../../shared/programs.ts';
import type { ClassifierLimits } from './classifier-limits.ts';
import type { Question, Reply } from './question.ts';

export type ThreadReply =
  | Exclude<Reply, { readonly kind: 'loaded' }>
  | { readonly kind: 'late' }
  /** Its time by the clock is over, and it had not the processor time that was allowed. */
  | { readonly kind: 'starved'; readonly processorMilliseconds: number }
  /** The thread is gone: it failed, used too much memory, or `end` was called. */
  | { readonly kind: 'ended'; readonly why: string };

export interface Thread {
  /** `ready`, or what came instead. */
  readonly started: Promise<ThreadReply>;
  /**
   * An answer tells the processor time that the question took. Only after `started` gave `ready`,
   * and after the answer to the last question. Never rejects. A late or starved thread has ended.
   * @param milliseconds of processor time for the answer; loading has as long as a start.
   * @param onBegun called once everything is loaded: the time counts from then on.
   */
  ask(question: Question, milliseconds: number, onBegun: () => void): Promise<ThreadReply>;
  end(): Promise<void>;
}

/** It isn't asked again sooner. */
const leastMilliseconds = 10;
/** A thread that doesn't even tell what it used is late. */
const answerMilliseconds = 500;

export function startThread({ source, options }: ProgramThread, limits: ClassifierLimits): Thread {
  const worker = new Worker(source, {
    ...options,
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
  /** Processor time of the thread up to its last message, in milliseconds. */
  let used = 0;

  async function end(): Promise<void> {
    gone ??= { kind: 'ended', why: 'the thread that classified it was ended' };
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
      let left = Number.POSITIVE_INFINITY;
      const finish = (what: ThreadReply): void => {
        clearTimeout(deadline);
        deadline = undefined;
        hear = () => {};
        if (what.kind === 'late' || what.kind === 'starved') void end();
        resolve(what);
      };
      const allow = (allowed: number): void => {
        clearTimeout(deadline);
        const set = setTimeout(() => {
          // An answer that arrived while the daemon was busy is heard before the immediate, so it
          // doesn't count as late.
          setImmediate(async () => {
            const more = deadline === set ? await processorLeft() : 0;
            if (deadline !== set) return;
            if (more <= 0 && hasBegun) finish({ kind: 'late' });
            else if (left <= 0) finish({ kind: 'starved', processorMilliseconds: milliseconds - more });
            else allow(Math.min(Math.max(more, leastMilliseconds), left));
          });
        }, allowed);
        deadline = set;
        left -= allowed;
      };
      let begunAt = used;
      let hasBegun = false;
      /** The machine may have been busy with other programs. */
      const processorLeft = async (): Promise<number> => {
        const now = await usedNow();
        return now === null ? 0 : milliseconds - (now - begunAt);
      };
      const classify = (): void => {
        begunAt = used;
        hasBegun = true;
        left = milliseconds * limits.millisecondsPerProcessorMillisecond;
        allow(milliseconds);
        onBegun();
      };
      hear = what => {
        if (what.kind === 'loaded') classify();
        else if (what.kind === 'answered')
          finish({ ...what, processorMilliseconds: what.processorMilliseconds - begunAt });
        else finish(what);
      };
      if (isLoaded) classify();
      else {
        left = 0;
        allow(limits.startMilliseconds);
      }
    });
  }

  async function usedNow(): Promise<number | null> {
    const told = worker.cpuUsage().then(({ user, system }) => (user + system) / 1_000);
    let timer: NodeJS.Timeout | undefined;
    const untold = new Promise<null>(resolve => {
      timer = setTimeout(resolve, answerMilliseconds, null);
    });
    return await Promise.race([told.catch(() => null), untold]).finally(() => clearTimeout(timer));
  }

  worker.on('message', (message: Reply) => {
    if ('processorMilliseconds' in message) used = message.processorMilliseconds;
    hear(message);
  });
  worker.on('error', (error: NodeJS.ErrnoException) =>
    fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'that takes too much memory' : error.message),
  );
  worker.on('exit', () => fail('the thread that classified it ended'));

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
