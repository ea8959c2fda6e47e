/**
 * Counts and runs a client's statement as the person who opened and allowed it (spec §12). The run
 * may have any level, and is held to what the person was shown.
 */

import type { ConnectionRegister } from '../access/connection-register.ts';
import type { RequestFacts } from '../access/requests/access-requests.ts';
import { reasonOf } from '../activity.ts';
import { CallClock } from '../engines/call-clock.ts';
import { withFound } from '../engines/count/count-request.ts';
import { notCounted, type Taken, takenTogether, takesNothing } from '../engines/count/taken.ts';
import { takesWords } from '../engines/count/taken-words.ts';
import type { Refusal } from '../refusal.ts';
import { type Call, callOf } from '../statement/call.ts';
import { countPlan } from '../statement/plan/count.ts';
import { type JudgedPlan, judgePlan, type RefusedPlan } from '../statement/plan/judge.ts';
import { runPlan } from '../statement/plan/run.ts';
import { countGranted, runGranted } from '../statement/run-granted.ts';
import type { RunPorts } from '../statement/run-statement.ts';
import type { OpenAsOwner, OwnersRun, RunAsOwner } from './ports.ts';

/** The person's name in the activity log, beside the row of their answer. */
const owner = 'owner';

export function asOwner(
  ports: RunPorts,
  connections: Pick<ConnectionRegister, 'find'>,
): { readonly openAsOwner: OpenAsOwner; readonly runAsOwner: RunAsOwner } {
  return {
    async openAsOwner(asked, requestId, signal) {
      const { steps } = asked.statement ?? {};
      if (steps !== undefined) return openPlan(asked, steps, requestId, signal);
      const call = callFor(asked, requestId, signal);
      if (call === null) return null;
      const counted = await countGranted(ports, call, asked);
      const taken = counted.kind === 'counted' ? counted.taken : notCounted(whyNotCounted(counted.refusal));
      const figures = withFound(taken, asked.found);
      return { figures, words: takesWords(figures) };
    },

    async runAsOwner(asked, requestId, signal) {
      const { steps } = asked.statement ?? {};
      if (steps !== undefined) return runOpenedPlan(asked, steps, requestId, signal);
      const call = callFor(asked, requestId, signal);
      if (call === null) return notRun('The connection is gone.');
      const result = await runGranted(ports, call, asked);
      if (result.kind === 'more') return { ...notRun(moreThanShown(result.found)), found: result.found };
      if (result.kind === 'refused') return failedBy(result.refusal);
      const { rowsAffected, warnings } = result.resultSet;
      return { rowsAffected, warnings, failed: null, mayHaveRun: true, found: null };
    },
  };

  /** Judges the statements of a plan. Null if the connection is gone. */
  async function planOf(
    asked: RequestFacts,
    steps: readonly string[],
    requestId: string,
    signal: AbortSignal,
  ): Promise<JudgedPlan | RefusedPlan | null> {
    const clock = new CallClock(ports.elapsed);
    const calls = steps.flatMap(sql => callFor(asked, requestId, signal, { sql, clock }) ?? []);
    return calls.length < steps.length ? null : judgePlan(ports, calls);
  }

  async function openPlan(...[asked, steps, requestId, signal]: Parameters<typeof planOf>): ReturnType<OpenAsOwner> {
    const plan = await planOf(asked, steps, requestId, signal);
    if (plan === null) return null;
    const counted = plan.kind === 'refused' ? null : await countPlan(ports, plan);
    if (plan.kind === 'refused' || counted?.kind !== 'done') {
      const figures = notCounted(plan.kind === 'refused' ? whyNoPlan(plan) : 'Its rows were not counted.');
      return { figures, words: takesWords(figures) };
    }
    const { taken, fails } = counted.value;
    const together = takenTogether(taken);
    const found = asked.found as Taken | null;
    const notes = [
      ...together.notes,
      ...(plan.isWhole ? [] : [keptAsItRuns]),
      ...(fails === null ? [] : [`As things are now it would fail at step ${fails + 1}.`]),
    ];
    const figures = { ...withFound({ ...together, notes }, found), steps: withFoundSteps(taken, found) };
    return { figures, words: takesWords(figures) };
  }

  async function runOpenedPlan(...[asked, steps, requestId, signal]: Parameters<typeof planOf>): Promise<OwnersRun> {
    const plan = await planOf(asked, steps, requestId, signal);
    if (plan === null) return notRun('The connection is gone.');
    if (plan.kind === 'refused') return notRun(whyNoPlan(plan));
    const shown = (asked.shown?.figures as Taken | undefined)?.steps ?? [];
    // The server was away when the plan was opened, so no figures would hold the run.
    if (shown.length < plan.steps.length)
      return { ...notRun(notYetCounted), found: (asked.found as Taken | null) ?? takesNothing };
    if (!isOfClassShown(plan, asked)) return notRun('A statement of it is something else now than when it was shown.');
    const ran = await runPlan(ports, plan, shown);
    switch (ran.kind) {
      case 'done': {
        const rows = ran.rows.filter(count => count !== null);
        const rowsAffected = rows.length === 0 ? null : rows.reduce((sum, count) => sum + count, 0);
        return { rowsAffected, warnings: ran.warnings, failed: null, mayHaveRun: true, found: null, steps: ran.rows };
      }
      case 'failed': {
        const mayHaveRun = ran.rows.length > 0 || isUnknown(ran.refusal);
        const how = isUnknown(ran.refusal) ? ':' : ` failed, ${whatStays(plan, ran.at)}.`;
        const failed = `Step ${ran.at + 1}${how} ${sentenceOf(ran.refusal)}`;
        return { ...notRun(failed), mayHaveRun, steps: ran.rows };
      }
      case 'more': {
        const found = takenTogether(shown.map((step, at) => ran.found[at] ?? step));
        const kept = ran.rows.length > 0;
        const more = ran.found[ran.at] ?? takesNothing;
        const stopped = `Step ${ran.at + 1} was not run, ${whatStays(plan, ran.at)}:`;
        const failed = `${stopped} ${moreWords(more)}`;
        // Steps that stay must not run again, so the request ends here, and its client reads how. A
        // client that doesn't meet all tables is not told of them.
        const hides = connections.find(asked.connectionId)?.sight !== undefined;
        const ended = hides ? `${stopped} it would have taken more than was shown.` : failed;
        return kept
          ? { ...notRun(ended), mayHaveRun: true, steps: ran.rows }
          : { ...notRun(`${failed} It waits again: open it to see its effect now.`), found };
      }
      case 'not_committed':
        return { ...notRun(sentenceOf(ran.refusal)), mayHaveRun: isUnknown(ran.refusal) };
    }
  }

  function callFor(
    { connectionId, statement }: RequestFacts,
    requestId: string,
    signal: AbortSignal,
    step?: { readonly sql: string; readonly clock: CallClock },
  ): Call | null {
    const connection = connections.find(connectionId);
    if (connection === null || statement === null) return null;
    const { text, parameters, schema, database } = statement;
    return callOf(ports, {
      sql: step?.sql ?? text,
      parameters,
      schema,
      database,
      signal,
      client: 'sallyport',
      resolved: {
        connection,
        access: { kind: 'visible', level: 'readWrite', limitedBy: 'nothing', askFirst: false },
      },
      origin: {
        tool: step === undefined ? 'execute_query' : 'propose_changes',
        principal: owner,
        account: owner,
        tokenName: owner,
        requestId,
        access: null,
        clock: step?.clock ?? new CallClock(ports.elapsed),
        recorded: () => {},
      },
    });
  }
}

/**
 * Why nothing was counted, never in the server's words: they may quote what the statement read, and
 * nobody has confirmed the statement yet.
 */
function whyNotCounted(refusal: Refusal): string {
  if (refusal.kind === 'tool_error' && refusal.word === 'query_failed') return 'As things are now it would fail.';
  return `Its rows were not counted. ${sentenceOf(refusal)}`;
}

/** How many tables a sentence has room for. */
const mostNamed = 3;

function moreThanShown(found: Taken): string {
  return `Nothing was changed: ${moreWords(found)} It waits again: open it to see its effect now.`;
}

function moreWords(found: Taken): string {
  const { lines, note } = takesWords(found);
  const named = lines.slice(0, mostNamed);
  const unnamed = lines.length - named.length;
  const what = [...named, ...(unnamed > 0 ? [`${unnamed} more`] : [])].join('; ');
  const taken = what === '' ? (note ?? '') : `As things are now it ${what}.`;
  return `it would have taken more than you were shown. ${taken}`;
}

const notYetCounted = 'It was not counted when it was opened. It waits again: open it to see its effect.';

const keptAsItRuns =
  'Each statement is kept as it runs, since this server commits definitions by themselves: it stops at the first that fails.';

const classesByStrength = ['read', 'write', 'destructive', 'forbidden'];

/** True if the plan's heaviest class is still the one that the person was shown. */
function isOfClassShown({ steps }: JudgedPlan, { classified }: RequestFacts): boolean {
  const now = steps.map(({ allowed }) => classesByStrength.indexOf(allowed.classification.class));
  return classesByStrength[Math.max(...now)] === classified?.class;
}

function whyNoPlan({ at, refusal }: RefusedPlan): string {
  return `Statement ${at + 1} can't be part of it: ${sentenceOf(refusal)}`;
}

function whatStays({ isWhole }: JudgedPlan, at: number): string {
  if (isWhole) return 'so all of it was rolled back';
  return at === 0
    ? 'before anything was changed'
    : `and the ${at === 1 ? 'one before it stays' : `${at} before it stay`}`;
}

/** Each step as it was counted, with what a held-back run has found of it. */
function withFoundSteps(taken: readonly Taken[], found: Taken | null): readonly Taken[] {
  return taken.map((step, at) => withFound(step, found?.steps?.[at] ?? null));
}

function isUnknown(refusal: Refusal): boolean {
  return refusal.kind === 'tool_error' && refusal.word === 'outcome_unknown';
}

function failedBy(refusal: Refusal): OwnersRun {
  return { ...notRun(sentenceOf(refusal)), mayHaveRun: isUnknown(refusal) };
}

function sentenceOf(refusal: Refusal): string {
  return refusal.kind === 'tool_error' ? refusal.sentence : reasonOf(refusal);
}

/** @param failed one sentence or more. */
function notRun(failed: string): OwnersRun {
  return { rowsAffected: null, warnings: [], failed, mayHaveRun: false, found: null };
}
