/** One thread of the store, as the daemon sees it: it answers in the order of the questions. */

import { Worker } from 'node:worker_threads';
import { programThread } from '../../../shared/programs.ts';
import { storeThreadEnded } from '../../disk-fault.ts';
import type { AnswerOf, JobArguments, JobName } from './jobs.ts';
import { type Question, type Reply, withBuffers } from './messages.ts';
import type { WorkerData } from './worker.ts';

export type Ask = <Name extends JobName>(name: Name, ...given: JobArguments<Name>) => Promise<AnswerOf<Name>>;

export interface StoreThread {
  /** @throws StoreThreadEnded, or SQLite's error with its code. */
  readonly ask: Ask;
  hasEnded(): boolean;
  /** Resolves once all questions are answered. */
  close(): Promise<void>;
}

/**
 * The thread has failed or used too much memory. Nobody knows whether its question was carried out.
 */
export class StoreThreadEnded extends Error {
  readonly code = storeThreadEnded;
  constructor(why: string) {
    super(`the thread that writes the store ended (${why})`);
    this.name = 'StoreThreadEnded';
  }
}

/** A batch of the history's longest statements takes 20 MB. */
const heapMegabytes = 96;

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export function startStoreThread(data: WorkerData): StoreThread {
  const { source, options } = programThread('store-worker');
  const worker = new Worker(source, {
    ...options,
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 8 },
  });
  // The thread keeps the daemon alive only while a question is open.
  worker.unref();
  let pending: Pending[] = [];
  let why: string | null = null;
  const exited = new Promise<void>(resolve => worker.once('exit', () => resolve()));

  function end(reason: string): void {
    why ??= reason;
    const left = pending;
    pending = [];
    for (const { reject } of left) reject(new StoreThreadEnded(why));
  }

  worker.on('message', (reply: Reply) => {
    const next = pending.shift();
    if (pending.length === 0) worker.unref();
    if (reply.kind === 'answered') next?.resolve(withBuffers(reply.value));
    else next?.reject(Object.assign(new Error(reply.message), { code: reply.code }));
  });
  // The message may quote a row.
  worker.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.name));
  worker.on('exit', code => end(`exit code ${code}`));

  function ask(question: Question): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (why !== null) return reject(new StoreThreadEnded(why));
      if (pending.push({ resolve, reject }) === 1) worker.ref();
      worker.postMessage(question);
    });
  }

  return {
    ask: (name, ...given) => ask({ name, given }) as Promise<never>,
    hasEnded: () => why !== null,
    async close() {
      if (why === null) {
        worker.ref();
        worker.postMessage({ name: 'close', given: [] } satisfies Question);
      }
      await exited;
    },
  };
}
