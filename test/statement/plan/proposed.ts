/**
 * Proposes statements as one plan on a test's own `Database`: what each step is shown to take, and
 * what becomes of it once its person has allowed it.
 */

import type { RequestFacts } from '../../../daemon/access/requests/access-requests.ts';
import { CallClock } from '../../../daemon/engines/call-clock.ts';
import { type Taken, takesNothing } from '../../../daemon/engines/count/taken.ts';
import { type TakesWords, takesWords } from '../../../daemon/engines/count/taken-words.ts';
import type { CommitTrace, Database } from '../../../daemon/engines/engine.ts';
import { asOwner } from '../../../daemon/shells/run-as-owner.ts';
import { countPlan } from '../../../daemon/statement/plan/count.ts';
import { judgePlan } from '../../../daemon/statement/plan/judge.ts';
import { runPlan } from '../../../daemon/statement/plan/run.ts';
import type { RunPorts } from '../../../daemon/statement/run-statement.ts';
import { callOn } from '../../attacks/ask-and-run.ts';
import { saidOf } from '../../clients/mcp/said.ts';
import { pace } from '../../waiting/pace.cjs';

export interface Proposed {
  /** One text a step. */
  readonly shown: readonly string[];
  /** `done: 3, 0`, or what became of it. */
  readonly end: string;
}

/**
 * @param meanwhile done between the person's look and the run.
 * @param more `committing` is called before COMMIT, once a step; `seconds` are those of the run.
 */
export async function propose(
  database: Database,
  statements: readonly string[],
  meanwhile: () => Promise<unknown> = async () => {},
  more: { readonly committing?: (trace: CommitTrace) => void; readonly seconds?: number } = {},
): Promise<Proposed> {
  const { ports } = callOn(database, '');
  /** All its steps have one clock. */
  const judge = (timeoutSeconds = 30) => {
    const clock = new CallClock(() => performance.now());
    return judgePlan(
      ports,
      statements.map(sql => callOn(database, sql, 'execute_query', { clock, timeoutSeconds }).call),
    );
  };
  const plan = await judge();
  if (plan.kind === 'refused') return { shown: [], end: `${plan.at + 1}: ${saidOf(plan.refusal)}` };
  let counted = await countPlan(ports, plan);
  // On a busy machine a trial of any length may reach its limit.
  const isCutShort = () => counted.kind === 'done' && JSON.stringify(counted.value).includes('kept others waiting');
  for (let tries = 1; tries < pace() && isCutShort(); tries += 1) counted = await countPlan(ports, plan);
  if (counted.kind !== 'done') return { shown: [], end: JSON.stringify(counted) };
  const { taken, fails } = counted.value;
  const shown = taken.map(each => textOf(takesWords(each)));
  if (fails !== null) shown[fails] = 'would fail';
  await meanwhile();
  const again = await judge(more.seconds);
  if (again.kind === 'refused') return { shown, end: `${again.at + 1}: ${saidOf(again.refusal)}` };
  const sent: RunPorts['unknownOutcomes']['sent'] = ({ trace }) => {
    more.committing?.(trace);
    return () => {};
  };
  const traced = { ...ports, unknownOutcomes: { ...ports.unknownOutcomes, sent } };
  const ran = await runPlan(traced, again, taken);
  if (fails !== null && ran.kind !== 'done') return { shown, end: `would fail at ${fails + 1}` };
  switch (ran.kind) {
    case 'done':
      return { shown, end: `done: ${ran.rows.join(', ')}` };
    case 'more':
      return { shown, end: `more at ${ran.at + 1}: ${textOf(takesWords(ran.found[ran.at] ?? takesNothing))}` };
    case 'failed':
      return { shown, end: `failed at ${ran.at + 1}: ${saidOf(ran.refusal)}` };
    case 'not_committed':
      return { shown, end: saidOf(ran.refusal) };
  }
}

/** Opens and runs a plan as its person does, again and again while it is held back. */
export async function answeredPages(
  database: Database,
  steps: readonly string[],
): Promise<{ readonly pages: readonly (readonly string[])[]; readonly end: string }> {
  const { ports, call } = callOn(database, steps.join(';'), 'execute_query');
  const { connection } = call.resolved;
  const { openAsOwner, runAsOwner } = asOwner(ports, { find: () => connection });
  const statement = { text: steps.join(';'), steps, parameters: [], schema: null, database: null };
  let asked = { id: 'r', connectionId: connection.id, statement, found: null } as unknown as RequestFacts<Taken>;
  const { signal } = new AbortController();
  const pages: (readonly string[])[] = [];
  for (;;) {
    const shown = await openAsOwner(asked, 'r1', signal);
    if (shown === null) throw new Error('the connection is there');
    pages.push((shown.figures.steps ?? []).map(step => textOf(takesWords(step))));
    const classified = { class: 'destructive', reason: '', reasonParts: [], tables: [] } as const;
    const ran = await runAsOwner({ ...asked, shown, classified }, 'r1', signal);
    if (ran.found === null) return { pages, end: ran.failed ?? `done: ${ran.steps?.join(', ')}` };
    if (pages.length > steps.length) throw new Error('asked again and again');
    asked = { ...asked, found: ran.found };
  }
}

const textOf = ({ lines, note }: TakesWords): string => [...lines, ...(note === null ? [] : [`(${note})`])].join('; ');
