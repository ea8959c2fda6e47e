/**
 * One statement on one child, from the daemon's side: rows to the sink as they arrive, the child
 * killed when the statement must end early. What the child said before it died counts: a commit
 * that was reported is a success.
 */

import type { Changes, DatabaseFailure, RowSink, StatementDone, StatementOutcome } from '../engine.ts';
import { noCuts } from '../row-text.ts';
import type { Reply, RunnableRequest } from './child/protocol.ts';
import type { Child } from './link.ts';
import type { Watch } from './watch.ts';

/**
 * A read whose rows are no longer wanted may still be looking for the next one: it gets this long
 * to notice.
 */
const settleMilliseconds = 50;
/** A killed process that the kernel can't end (a hung file system) keeps nobody waiting. */
const killMilliseconds = 1_000;
/** What is being committed is not stopped, unless the disk keeps it for longer than this. */
const commitMilliseconds = 5_000;

export interface Attempted<Outcome> {
  readonly outcome: Outcome;
  /**
   * Why nothing ran: the child ended by itself before it said anything, or the path leads to
   * another file by now.
   */
  readonly again: 'silent_end' | 'elsewhere' | null;
}

export type Run = Attempted<StatementOutcome>;

/**
 * @param changed told what the statement did to rows; of one that asks, whether it may be
 * committed.
 * @param settled called once with what is to become of the child: true, it waits for its next
 * statement.
 */
export function run(
  child: Child,
  request: RunnableRequest,
  sink: RowSink,
  watch: Watch,
  settled: (reusable: boolean) => void,
  changed: (changes: Changes) => boolean | Promise<boolean> = () => false,
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
     * A child says that something may stay before it does anything of the kind, and what it said is
     * heard to the end.
     */
    const ended = (failure: DatabaseFailure, how = 'was ended'): DatabaseFailure =>
      mayStay
        ? { kind: 'outcome_unknown', reason: `the process that runs SQLite ${how} in the middle of it` }
        : failure;
    /** All rows that were wanted have been handed out; nothing else about a read can matter. */
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
      // Rows that came after the abort were dropped; a commit that came before it is told all the
      // same.
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
    const row = (json: string) => {
      if (wanted && !watch.signal.aborted) wanted = sink.row({ json, cuts });
      cuts = noCuts;
    };
    const endOfBatch = () => {
      if (watch.signal.aborted) return;
      const full = wanted ? (sink.full?.() ?? null) : null;
      if (full === null) child.send({ kind: wanted ? 'more' : 'stop' });
      else void full.then(() => left || child.send({ kind: 'more' }));
      // The child may be at work on the next row. A writer must still reach its commit, whatever it
      // takes.
      if (enough()) timer ??= setTimeout(() => child.kill(), settleMilliseconds);
    };

    const failed = (error: unknown) => {
      leave(false);
      reject(error);
    };
    const decide = async (changes: Changes) => {
      const wants = !watch.signal.aborted && (await changed(changes));
      if (request.kind !== 'run' || !request.asks || left) return;
      child.send({ kind: wants && !watch.signal.aborted ? 'commit' : 'take_back' });
    };

    child.listen({
      reply(reply) {
        heard = true;
        try {
          if (reply.kind === 'staying') mayStay = true;
          else if (reply.kind === 'columns') sink.columns(reply.columns);
          else if (reply.kind === 'cut') cuts = reply.cuts;
          else if (reply.kind === 'row') row(reply.json);
          else if (reply.kind === 'batch') endOfBatch();
          else if (reply.kind === 'changed') void decide(reply.changes).catch(failed);
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
