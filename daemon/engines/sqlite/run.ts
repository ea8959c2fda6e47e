/**
 * One statement on one child, from the daemon's side: passes rows to the sink, and kills the child
 * if the statement must end early. What the child said before it died counts: a reported commit is
 * a success.
 */

import type { CallClock } from '../call-clock.ts';
import type { DatabaseFailure, RowSink, StatementDone, StatementOutcome } from '../engine.ts';
import { noCuts } from '../row-text.ts';
import type { Did, Reply, RunnableRequest } from './child/protocol.ts';
import type { Child } from './session.ts';
import type { Watch } from './watch.ts';

/**
 * A read whose rows are no longer wanted may still search for the next one: it gets this long to
 * notice.
 */
const settleMilliseconds = 50;
/** A process that the kernel can't kill (a hung file system) keeps nobody waiting. */
const killMilliseconds = 250;
/** A running commit is not stopped, unless the disk takes longer than this. */
const commitMilliseconds = 5_000;

export interface RunAttempt<Outcome> {
  readonly outcome: Outcome;
  /**
   * Why nothing ran: the child ended before it said anything, or the path leads to another file
   * now.
   */
  readonly again: 'silent_end' | 'elsewhere' | null;
}

export type Run = RunAttempt<StatementOutcome>;

/**
 * @param changed told what the statement did to rows and definitions; for a statement that asks, it
 *   decides about the commit.
 * @param settled called once with the child's fate: true if it waits for its next statement.
 */
export function run(
  child: Child,
  request: RunnableRequest,
  sink: RowSink,
  watch: Watch,
  settled: (reusable: boolean) => void,
  changed: (did: Did) => boolean | Promise<boolean> = () => false,
  clock?: CallClock,
): Promise<Run> {
  return new Promise((resolve, reject) => {
    let heard = false;
    let wanted = true;
    let left = false;
    let mayStay = false;
    let cuts = noCuts;
    let timer: NodeJS.Timeout | undefined;

    const answer = (outcome: StatementOutcome, again: Run['again'] = null) => {
      watch.signal.removeEventListener('abort', stop);
      resolve({ outcome, again });
    };
    const kill = () => {
      child.kill();
      clearTimeout(timer);
      timer = setTimeout(() => answer(ended(watch.failure())), killMilliseconds);
    };
    const stop = () => {
      clearTimeout(timer);
      if (mayStay && request.session === 'write') timer = setTimeout(kill, commitMilliseconds);
      else kill();
    };
    /**
     * A child reports that something may stay before it does so, and its output is read to the end.
     */
    const ended = (failure: DatabaseFailure, how = 'was ended'): DatabaseFailure =>
      mayStay
        ? { kind: 'outcome_unknown', reason: `the process that runs SQLite ${how} in the middle of it` }
        : failure;
    /** All wanted rows were delivered; nothing else about a read matters. */
    const enough = () => !wanted && request.session === 'read';
    const leave = (reusable: boolean) => {
      left = true;
      clearTimeout(timer);
      child.listen(null);
      if (!reusable) child.kill();
      settled(reusable);
    };
    const last = (reply: Extract<Reply, { kind: 'done' | 'failed' }>) => {
      leave(!reply.retire && !watch.signal.aborted);
      // Rows after the abort were dropped; a commit before it is reported anyway.
      if (watch.signal.aborted && (request.session === 'read' || request.session === 'rollback'))
        answer(watch.failure());
      else if (reply.kind === 'done') answer(doneOf(reply));
      else answer(enough() ? doneOf(null) : reply.failure);
    };
    const elsewhere = () => {
      leave(!watch.signal.aborted);
      if (watch.signal.aborted) answer(watch.failure());
      else answer(elsewhereFailure, 'elsewhere');
    };
    const stays = () => {
      mayStay = true;
      if (clock !== undefined) Object.assign(clock, { stage: 'commit', mayStay });
    };
    const row = (json: string) => {
      if (wanted && !watch.signal.aborted) wanted = sink.row({ json, cuts });
      cuts = noCuts;
    };
    const endOfBatch = () => {
      if (watch.signal.aborted) return;
      const full = wanted ? (sink.full?.() ?? null) : null;
      if (full === null) child.send({ kind: wanted ? 'more' : 'stop' });
      else void full.then(() => left || child.send({ kind: 'more' }));
      // The child may be working on the next row. A writer must still reach its commit, however
      // long that takes.
      if (enough()) timer ??= setTimeout(() => child.kill(), settleMilliseconds);
    };

    const failed = (error: unknown) => {
      leave(false);
      reject(error);
    };
    /** From here on the child may have done it before it says so. */
    const mayStayNow = () => {
      if (clock !== undefined) clock.mayStay = true;
    };
    const decide = async (did: Did) => {
      const wants = !watch.signal.aborted && (await changed(did));
      if (request.kind !== 'run' || !request.asks || left) return;
      const commits = wants && !watch.signal.aborted;
      if (commits) mayStayNow();
      child.send({ kind: commits ? 'commit' : 'take_back' });
    };

    child.listen({
      reply(reply) {
        heard = true;
        try {
          if (reply.kind === 'staying') stays();
          else if (reply.kind === 'columns') sink.columns(reply.columns);
          else if (reply.kind === 'cut') cuts = reply.cuts;
          else if (reply.kind === 'row') row(reply.json);
          else if (reply.kind === 'batch') endOfBatch();
          else if (reply.kind === 'changed') void decide(reply).catch(failed);
          else if (reply.kind === 'elsewhere') elsewhere();
          else last(reply);
        } catch (error) {
          failed(error);
        }
      },
      ended(how) {
        leave(false);
        if (watch.signal.aborted) answer(ended(watch.failure()));
        else if (enough()) answer(doneOf(null));
        else answer(ended(crashed(how), how), heard ? null : 'silent_end');
      },
    });
    if (watch.signal.aborted) stop();
    else watch.signal.addEventListener('abort', stop, { once: true });
    if (request.kind === 'run' && (request.session === 'alone' || (request.session === 'write' && !request.asks)))
      mayStayNow();
    child.send(request);
  });
}

const elsewhereFailure: DatabaseFailure = {
  kind: 'not_connected',
  message: 'The path led to another file when the statement was to begin. Try again.',
};

function doneOf(reply: Extract<Reply, { kind: 'done' }> | null): StatementDone {
  const { rowsAffected = null, cutByWire = false, warnings = [] } = reply ?? {};
  return { kind: 'done', rowsAffected, cutByWire, warnings };
}

function crashed(how: string): DatabaseFailure {
  const message = `The process that runs SQLite ${how} before the statement was done, so nothing of it stays.`;
  return { kind: 'query_failed', message, code: null };
}
