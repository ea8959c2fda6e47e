/**
 * `propose_changes` (spec §9, §12): several statements that the user reads as one page, with what
 * each takes, and runs as one. Nothing of them runs before.
 */

import * as z from 'zod';
import { planText } from '../../../../shared/plan-text.ts';
import type { AskedStatement } from '../../../access/requests/access-requests.ts';
import { joinReasons, reasonOf, say, worded } from '../../../guard/reason.ts';
import type { StatementClass } from '../../../guard/types.ts';
import { toolError } from '../../../refusal.ts';
import { type JudgedPlan, judgePlan, mostStatements } from '../../../statement/plan/judge.ts';
import { answeredAlready, askedFor, circumstancesOf, qualified, ranAnswer, ranByOwner } from '../request-access.ts';
import { whileRunning } from '../running-progress.ts';
import { refused, success, type Tool } from '../tool.ts';
import { connectionArgument, databaseArgument, schemaArgument } from './shared-arguments.ts';
import { accessMeta, resolveFor, shownConnection, statementOf, type ToolPorts } from './tool-ports.ts';

const name = 'propose_changes';
const longestReason = 500;

const input = z.strictObject({
  connection: connectionArgument,
  statements: z.array(z.string().min(1)).min(1).max(mostStatements).describe('DDL and data changes, in order'),
  reason: z.string().min(1).max(longestReason).describe('What for: the user reads it as your claim'),
  schema: schemaArgument,
  database: databaseArgument,
});

export function proposeChanges(ports: ToolPorts): Tool<z.infer<typeof input>> {
  return {
    name,
    title: 'Propose changes',
    description:
      'Shows the user several statements as one plan, with what each takes. They run it themselves, all or nothing where the engine can. Also where you may not write. Call again with the same to hear the outcome.',
    scope: 'readWrite',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    input,
    output: z.looseObject({ state: z.string() }),
    async run(call, { connection, statements, reason, schema = null, database = null }) {
      const found = await resolveFor(ports, call, connection);
      if (found.kind === 'refused') return found;
      const { resolved } = found;
      const meta = accessMeta(resolved);
      const text = planText(statements, reason);
      const plan: AskedStatement = { text, steps: statements, parameters: [], schema, database };
      const asked = askedFor(call, name, resolved, plan);
      const before = ports.accessRequests.askedBefore(asked, circumstancesOf(resolved));
      const answered = answeredAlready(before);
      if (answered !== null) return refused(answered);
      const outcome = ranByOwner(ports.accessRequests, before, call.principal);
      if (outcome !== null) return ranAnswer(outcome, plan, meta);
      const calls = statements.map(sql => statementOf(ports, call, name, { resolved, sql, schema, database }));
      const judged = await whileRunning(call, () => judgePlan(ports, calls));
      if (judged.kind === 'refused') return statementRefused(judged);
      const { classified, strongest } = summaryOf(judged);
      const { access } = resolved;
      const lacks = access.level === 'readOnly' ? 'connection_level' : 'yes';
      const keeping = await ports.accessRequests.ask(asked, circumstancesOf(resolved), {
        connection: shownConnection(resolved.connection),
        lacks,
        runsBy: 'owner',
        means: null,
        classified,
      });
      if (keeping === 'not kept') return refused(tooManyWait);
      return success({ state: 'waits', statements: statements.length, strongest, note: waitsNote(keeping) }, meta);
    },
  };
}

const tooManyWait = toolError(
  'denied',
  'The plan was not kept, because too many requests wait for the user already, or it is too long: send it again once they have answered, or in shorter parts.',
);

function waitsNote(keeping: 'kept' | 'in memory'): string {
  const forgotten = keeping === 'kept' ? '' : ' A restart of Sallyport forgets it: send it again then, too.';
  return `Nothing has run. The plan waits for the user, who runs it or not: tell them so, and call again with the same once they have answered.${forgotten}`;
}

const byStrength: readonly StatementClass[] = ['read', 'write', 'destructive', 'forbidden'];

function summaryOf({ steps, isWhole }: JudgedPlan) {
  const classes = steps.map(({ allowed }) => allowed.classification);
  const strongest = [...classes].sort((a, b) => byStrength.indexOf(b.class) - byStrength.indexOf(a.class))[0];
  if (strongest === undefined) throw new Error('a plan has a statement');
  const tables = [...new Set(classes.flatMap(each => each.tables.map(qualified)))];
  const whole = isWhole
    ? say('A plan of several statements, all or nothing.')
    : say('A plan of several statements, each kept as it runs.');
  const reason = worded(joinReasons(whole, reasonOf(strongest)));
  return { strongest: strongest.class, classified: { class: strongest.class, ...reason, tables } };
}

function statementRefused({ at, refusal }: { readonly at: number; readonly refusal: Parameters<typeof refused>[0] }) {
  const which = `Statement ${at + 1} of the plan: `;
  if (refusal.kind !== 'tool_error') return refused(refusal);
  const { sentence, forLog } = refusal;
  return refused({
    ...refusal,
    sentence: which + sentence,
    ...(forLog !== undefined && { forLog: which + forLog }),
  });
}
