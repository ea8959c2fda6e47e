/**
 * Classifies statements in separate threads, so that no text can hold up the daemon. A statement
 * has a deadline; if it is late it is tried once more on another thread, and then refused. There
 * are two threads at most: a steady one, and a spare one for second tries, for principals with slow
 * statements, and for whoever waits meanwhile. This file knows nothing of SQL.
 */

import { programThread } from '../../shared/programs.ts';
import { millisecondsLeft } from '../engines/call-clock.ts';
import type { Classifier } from '../engines/classifier.ts';
import type { Answer, CallContext } from '../engines/engine.ts';
import { type ClassifierLimits, classifierLimits } from './classifier-limits.ts';
import type { Question } from './question.ts';
import { startThread, type Thread, type ThreadReply } from './thread.ts';
import { openTurns, type WaitingJob } from './turns.ts';
import { unclassified } from './unclassified.ts';
import { memoryKey, verdictMemory } from './verdict-memory.ts';

interface ClassifierOptions {
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
  /** Resident bytes of this process. */
  readonly resident: () => number;
  /** Gets the reason if no thread could be started. */
  readonly report: (error: Error) => void;
  readonly limits?: ClassifierLimits;
  /** The compiled worker; tests pass another. */
  readonly file?: string | URL;
}

export interface OpenClassifier extends Classifier {
  /** Ends the threads. Callers that wait get `cancelled`. */
  close(): Promise<void>;
}

interface Job extends WaitingJob {
  readonly question: Question;
  /** Under which its answer is remembered; null if it isn't. */
  readonly key: string | null;
  readonly isLong: boolean;
  /** True for the second try. */
  isSecond: boolean;
  /** Answered, or nobody waits for it any more. */
  isSettled: boolean;
  patience?: NodeJS.Timeout;
  settle(answer: Answer<unknown>): void;
  fail(error: Error): void;
}

/** The place of a thread, and what the thread does. */
interface Place {
  thread: Thread | null;
  state: 'empty' | 'starting' | 'ready' | 'busy';
  readonly idleMilliseconds: number;
  /** What the thread works on. */
  job: Job | null;
  idle?: NodeJS.Timeout;
}

export function startClassifier(options: ClassifierOptions): OpenClassifier {
  const limits = options.limits ?? classifierLimits;
  const program = programThread('classifier-worker', options.file);
  const memory = verdictMemory(limits);
  const turns = openTurns<Job>(limits, options.elapsed);
  const steady: Place = emptyPlace(limits.idleMilliseconds);
  const spare: Place = emptyPlace(limits.spareIdleMilliseconds);
  let share: NodeJS.Timeout | undefined;
  let isClosed = false;

  function start(place: Place): void {
    if (isClosed || place.state !== 'empty') return;
    const thread = startThread(program, limits);
    Object.assign(place, { thread, state: 'starting' });
    void thread.started.then(reply => {
      if (place.thread !== thread) return;
      if (reply.kind === 'ready') {
        place.state = 'ready';
        return next();
      }
      empty(place);
      const isLate = reply.kind === 'starved';
      if (!isLate) options.report(new Error(`No thread that classifies statements could be started: ${whyOf(reply)}`));
      // Not retried by itself; the next question does that.
      for (const job of turns.waiting()) job.settle(isLate ? unclassified.starved : unclassified.noThread);
    });
  }

  function empty(place: Place): void {
    clearTimeout(place.idle);
    void place.thread?.end();
    Object.assign(place, { thread: null, state: 'empty' });
  }

  function rest(place: Place): void {
    if (place.state !== 'ready') return;
    clearTimeout(place.idle);
    place.idle = setTimeout(() => empty(place), place.idleMilliseconds).unref();
  }

  function next(): void {
    for (const place of [steady, spare]) {
      const { thread } = place;
      if (place.state !== 'ready' || thread === null) continue;
      const job = turns.next(waiting => fits(waiting, place));
      if (job === null) rest(place);
      else void classify(place, thread, job);
    }
    clearTimeout(share);
    const waiting = turns.waiting();
    if (waiting.length === 0) return;
    start(steady);
    if (waiting.some(isForSpare)) start(spare);
    const milliseconds = turns.millisecondsToShare();
    if (milliseconds !== null) share = setTimeout(next, milliseconds);
  }

  /**
   * Whether a job may begin in a place. Others must not wait behind a slow statement, so that goes
   * to the spare thread, once the steady one is there for the others. Long texts take much memory,
   * so one runs at a time.
   */
  function fits(job: Job, place: Place): boolean {
    if (job.isLong && [steady, spare].some(other => other.job?.isLong)) return false;
    return !isForSpare(job) || (place === spare && isSteadyUp());
  }

  function isForSpare({ isSecond, principal }: Job): boolean {
    return isSecond || turns.tookLong(principal);
  }

  function isSteadyUp(): boolean {
    return steady.state === 'ready' || steady.state === 'busy';
  }

  async function classify(place: Place, thread: Thread, job: Job): Promise<void> {
    clearTimeout(place.idle);
    clearTimeout(job.patience);
    Object.assign(place, { state: 'busy', job });
    let began: number | null = null;
    let slow: NodeJS.Timeout | undefined;
    const allowed = job.isSecond ? limits.secondMilliseconds : limits.firstMilliseconds;
    const reply = await thread.ask(job.question, allowed, () => {
      began = options.elapsed();
      slow = setTimeout(start, limits.slowMilliseconds, spare);
    });
    clearTimeout(slow);
    const took = began === null ? 0 : options.elapsed() - began;
    // Processor time is counted if it is known, so that a statement isn't charged for others' work.
    const milliseconds =
      'processorMilliseconds' in reply ? reply.processorMilliseconds : reply.kind === 'late' ? allowed : took;
    place.job = null;
    const isReplaced = isWorn(place, reply, job);
    turns.ended(
      job,
      milliseconds + (reply.kind === 'answered' ? 0 : limits.replacementMilliseconds),
      reply.kind === 'late' || reply.kind === 'starved',
    );
    if (isReplaced) empty(place);
    else place.state = 'ready';
    conclude(job, reply);
    if (place === steady || turns.waiting().length > 0) start(place);
    next();
  }

  function isWorn(place: Place, reply: ThreadReply, { isLong }: Job): boolean {
    if (reply.kind !== 'answered') return true;
    return isLong && (place === spare || options.resident() > limits.residentBytes);
  }

  function conclude(job: Job, reply: ThreadReply): void {
    if (reply.kind === 'answered') {
      if (job.key !== null) memory.keep(job.key, reply.value);
      job.settle({ kind: 'done', value: reply.value });
    } else if (reply.kind === 'threw') {
      job.fail(new Error(`Judging failed: ${reply.message}`));
    } else if (reply.kind !== 'late' && reply.kind !== 'starved') {
      job.settle(unclassified.ended(whyOf(reply)));
    } else if (job.isSecond) {
      job.settle(unclassified[reply.kind]);
    } else if (!job.isSettled) {
      job.isSecond = true;
      wait(job);
    }
  }

  function isLong({ given }: Question): boolean {
    return given.some(argument => typeof argument === 'string' && argument.length > limits.longText);
  }

  function wait(job: Job): void {
    turns.add(job);
    job.patience = setTimeout(giveUp, limits.waitMilliseconds, job);
  }

  function giveUp(job: Job): void {
    job.settle(turns.tookItsShare(job.principal) ? unclassified.tookItsShare : unclassified.starved);
  }

  function ask(
    context: Pick<CallContext, 'principal' | 'signal' | 'clock' | 'timeoutSeconds'>,
    question: Question,
  ): Promise<Answer<unknown>> {
    const { principal, signal } = context;
    const key = memoryKey(question.name, question.given);
    const known = key === null ? undefined : memory.find(key);
    if (known !== undefined) return Promise.resolve({ kind: 'done', value: known });
    if (signal.aborted || isClosed) return Promise.resolve({ kind: 'cancelled' });
    return new Promise((resolve, reject) => {
      const leave = (): void => job.settle({ kind: 'cancelled' });
      const late = setTimeout(() => giveUp(job), millisecondsLeft(context));
      const over = (): void => {
        job.isSettled = true;
        clearTimeout(late);
        clearTimeout(job.patience);
        signal.removeEventListener('abort', leave);
        turns.remove(job);
      };
      const job: Job = {
        principal,
        question,
        key,
        isLong: isLong(question),
        isSecond: false,
        isSettled: false,
        settle(answer) {
          over();
          resolve(answer);
        },
        fail(error) {
          over();
          reject(error);
        },
      };
      signal.addEventListener('abort', leave);
      wait(job);
      next();
    });
  }

  return {
    ask: (context, name, ...given) => ask(context, { name, given }) as Promise<Answer<never>>,
    async close() {
      isClosed = true;
      clearTimeout(share);
      for (const job of turns.waiting()) job.settle({ kind: 'cancelled' });
      const threads = [steady, spare].map(({ thread }) => thread);
      for (const place of [steady, spare]) empty(place);
      await Promise.all(threads.map(thread => thread?.end()));
    },
  };
}

function emptyPlace(idleMilliseconds: number): Place {
  return { thread: null, state: 'empty', job: null, idleMilliseconds };
}

function whyOf(reply: ThreadReply): string {
  return reply.kind === 'ended' ? reply.why : `it was ${reply.kind}`;
}
