/**
 * Runs a statement as `confirm_destructive_operation` does, on a test's own `Database`: returns
 * what a person is shown and what the approval does.
 */

import { withFound } from '../../daemon/engines/count/count-request.ts';
import type { Taken } from '../../daemon/engines/count/taken.ts';
import { type TakesWords, takesWords } from '../../daemon/engines/count/taken-words.ts';
import type { Database } from '../../daemon/engines/engine.ts';
import { type Call, callOf, type StatementOrigin } from '../../daemon/statement/call.ts';
import { classifyAndDecide } from '../../daemon/statement/classify-and-decide.ts';
import { countTaken, guardedRun } from '../../daemon/statement/count-taken.ts';
import { defaultQueryLimits } from '../../daemon/statement/query-limits.ts';
import { type RunPorts, runClassified } from '../../daemon/statement/run-statement.ts';
import { connectionWith } from '../access/principals.ts';
import { someAsker, unheard, unkeptAccount, unrecorded } from '../activity/unrecorded.ts';
import { saidOf } from '../clients/mcp/said.ts';
import { judgingInThread } from '../statement/classifier-in-thread.ts';
import { pace } from '../waiting/pace.cjs';

const classifier = judgingInThread();
const tool = 'confirm_destructive_operation';

export interface AskedAndRun {
  /** What each question showed, in order. */
  readonly questions: readonly TakesWords[];
  /** `done`, `no`, or the refusal's word and sentence. */
  readonly end: string;
}

/** Ports, call, and its classification. */
type CountingOf = [RunPorts, Call, Parameters<typeof countTaken>[2]];

interface Person {
  /** Decides after each question, counted from 1, before its answer. False denies. */
  readonly decides?: (question: number) => Promise<boolean>;
}

export async function askAndRun(database: Database, sql: string, { decides }: Person = {}): Promise<AskedAndRun> {
  const { ports, call } = callOn(database, sql);
  const questions: TakesWords[] = [];
  const classified = await classifyAndDecide(ports, tool, call);
  if (classified.kind === 'refused') return { questions, end: saidOf(classified.refusal) };
  let found: Taken | null = null;
  for (;;) {
    const counted = await countedOf(ports, call, classified);
    if (counted.kind !== 'done') return { questions, end: JSON.stringify(counted) };
    const shown: Taken = withFound(counted.value, found);
    questions.push(takesWords(shown));
    if (decides !== undefined && !(await decides(questions.length))) return { questions, end: 'no' };
    const again = await classifyAndDecide(ports, tool, call);
    if (again.kind === 'refused') return { questions, end: saidOf(again.refusal) };
    const guard = await guardedRun(ports, call, again, shown);
    if (guard.kind !== 'done') return { questions, end: JSON.stringify(guard) };
    const result = await runClassified(ports, call, again, guard.value);
    if (result.kind === 'done') return { questions, end: 'done' };
    found = guard.value.excess.found();
    if (found === null) return { questions, end: saidOf(result.refusal) };
    if (questions.length > 5) return { questions, end: 'asked again and again' };
  }
}

/**
 * @param most how often a trial that was cut short is asked for again on a busy machine.
 * @returns what a person is shown of it, as one text.
 */
export async function shownOf(database: Database, sql: string, most = pace()): Promise<string> {
  const { ports, call } = callOn(database, sql);
  const classified = await classifyAndDecide(ports, tool, call);
  if (classified.kind === 'refused') return saidOf(classified.refusal);
  const counted = await countedOf(ports, call, classified, most);
  return counted.kind === 'done' ? textOf(takesWords(counted.value)) : JSON.stringify(counted);
}

/** On a busy machine a trial of any length may reach its limit, so it is asked for again there. */
async function countedOf(
  ...[ports, call, classified, most = pace()]: [...CountingOf, most?: number]
): ReturnType<typeof countTaken> {
  for (let tries = 1; ; tries += 1) {
    const counted = await countTaken(ports, call, classified, 'tried');
    const note = counted.kind === 'done' ? takesWords(counted.value).note : null;
    if (note?.includes('a trial would have kept others waiting') !== true || tries >= most) return counted;
  }
}

export function textOf({ lines, note }: TakesWords): string {
  return [...lines, ...(note === null ? [] : [`(${note})`])].join('\n');
}

export function callOn(
  database: Database,
  sql: string,
  asking: string = tool,
  { clock = unheard.clock, timeoutSeconds }: Pick<Partial<StatementOrigin>, 'clock'> & { timeoutSeconds?: number } = {},
): { readonly ports: RunPorts; readonly call: Call } {
  const level = 'readWrite';
  const ports: RunPorts = {
    ...unrecorded,
    classifier,
    limits: () => defaultQueryLimits,
    elapsed: () => performance.now(),
    rowQuota: unkeptAccount(),
    databases: { of: () => database, forget: async () => {}, close: async () => {} },
  };
  const call = callOf(ports, {
    origin: { ...someAsker, tool: asking, clock },
    client: 'test',
    sql,
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    signal: new AbortController().signal,
    resolved: {
      connection: connectionWith({ externalClients: { level, writeUntil: null } }),
      access: { kind: 'visible', level, limitedBy: 'nothing', askFirst: false },
    },
  });
  return { ports, call };
}
