/**
 * Previews a client's data change (spec §9, `preview_write`): classified like any statement,
 * planned, run in a session that is always rolled back. What can't be rolled back for certain isn't
 * run.
 */

import { answering } from '../../engines/answering.ts';
import type { Dialect } from '../../engines/dialect.ts';
import type { DatabaseFailure, TableChange } from '../../engines/engine.ts';
import { withNearestNames } from '../../engines/nearest-names.ts';
import { beginning } from '../../engines/shorten.ts';
import { type Hidden, isTableTold, isTextTold } from '../../engines/told-in-sight.ts';
import type { Classification } from '../../guard/types.ts';
import { type Refusal, toolError } from '../../refusal.ts';
import type { Call } from '../call.ts';
import { type Allowed, classifyAndDecide } from '../classify-and-decide.ts';
import { type Named, refusalOfWrite } from '../failure-refusals.ts';
import { recordStatement, unrecordedWarning } from '../record.ts';
import type { RunPorts } from '../run-statement.ts';
import { shownColumns } from '../shown-columns.ts';
import { refusalAtCommit } from '../write-check.ts';
import { type Rehearsed, rehearsePlan } from './rehearse.ts';
import type { Rows } from './rows.ts';

export interface Preview {
  readonly class: Classification['class'];
  readonly rows_affected: number | null;
  /**
   * At most 5 of the changed rows, before and after; an inserted row has no before, a deleted one
   * no after.
   */
  readonly before?: Rows;
  readonly after?: Rows;
  /** The columns that are shown even if they don't change. */
  readonly telling: readonly string[];
  /**
   * Rows updated and deleted per table, cascades and triggers included; left out if there are none,
   * or they can't be counted.
   */
  readonly changes?: readonly Pick<TableChange, 'table' | 'updated' | 'deleted'>[];
  /** A sentence on why `execute_query` would roll it back now; left out if it would commit. */
  readonly refused_because?: string;
  /** What the client's own RETURNING gave, at most 5 rows. */
  readonly returned?: Rows;
  readonly warnings?: readonly string[];
  readonly rolled_back: true;
  readonly execution_time_ms: number;
}

/** A cascade may reach thousands. */
const mostTables = 50;
/** SQLite allows a name as long as a book. */
const longestName = 256;
const longestReason = 2_000;

type PreviewResult =
  | { readonly kind: 'done'; readonly preview: Preview }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export async function previewWrite(ports: RunPorts, call: Call): Promise<PreviewResult> {
  const classified = await classifyAndDecide(ports, 'preview_write', call);
  if (classified.kind === 'refused') return classified;
  const { class: statementClass } = classified.classification;
  // It is rolled back in any case, so there is nothing to record as attempted.
  const result = await previewClassified(ports, call, classified);
  if (result.kind === 'refused') {
    recordStatement(ports, call, statementClass, { ...result, durationMilliseconds: null });
    return result;
  }
  const { rows_affected: rows, execution_time_ms: durationMilliseconds, warnings = [] } = result.preview;
  recordStatement(ports, call, statementClass, { kind: 'done', rows, durationMilliseconds });
  const misread = await call.database.misreading?.(call.context, call.sql, 'preview');
  const said = [misread ?? null, unrecordedWarning(ports.activity)].filter(sentence => sentence !== null);
  return said.length === 0
    ? result
    : { kind: 'done', preview: { ...result.preview, warnings: [...warnings, ...said] } };
}

async function previewClassified(ports: RunPorts, call: Call, classified: Allowed): Promise<PreviewResult> {
  const { connection } = call.resolved;
  const { database, context, limits, sql } = call;
  const { classification, run: { rowEffects } = {} } = classified;
  const planning = { context, classification, rowEffects, sql };
  const planned = await answering(() => database.planPreview(ports.classifier, planning));
  const start = ports.elapsed();
  const answer =
    planned.kind === 'done'
      ? await database.rehearse(context, rehearsal =>
          rehearsePlan(database.dialect, rehearsal, planned.value, rowEffects, limits),
        )
      : planned;
  const outcome = answer.kind === 'done' ? answer.value : answer;
  const asked = { sql, tables: classification.tables };
  const ended = outcome.kind === 'query_failed' ? await withNearestNames(database, context, asked, outcome) : outcome;
  if (ended.kind !== 'rehearsed')
    return { kind: 'refused', refusal: refusalOfPreview(database.dialect, ended, connection) };
  const hidden = (await database.outOfSight?.(context)) ?? null;
  if (hidden !== null && hidden.kind !== 'done')
    return { kind: 'refused', refusal: refusalOfPreview(database.dialect, hidden, connection) };
  const preview = previewOf(ports, call, classification, ended, ports.elapsed() - start);
  return { kind: 'done', preview: hidden === null ? preview : inSightAlone(preview, hidden.value) };
}

/** A trigger or function that a person shows may change what is hidden. */
function inSightAlone(preview: Preview, hidden: Hidden): Preview {
  const { changes, warnings, refused_because: because, ...rest } = preview;
  const told = changes?.filter(({ table }) => isTableTold(table, hidden)) ?? [];
  const said = warnings?.filter(sentence => isTextTold(sentence, hidden)) ?? [];
  const isLess = told.length < (changes?.length ?? 0) || said.length < (warnings?.length ?? 0);
  const all = isLess ? [...said, 'It does more, which this connection keeps out of sight.'] : said;
  const isUnsaid = because !== undefined && !isTextTold(because, hidden);
  return {
    ...rest,
    ...(told.length > 0 && { changes: told }),
    ...(because !== undefined && { refused_because: isUnsaid ? refusedUnsaid : because }),
    ...(all.length > 0 && { warnings: all }),
  };
}

const refusedUnsaid = 'execute_query would refuse it for what this connection keeps out of sight.';

function previewOf(
  ports: RunPorts,
  call: Call,
  classification: Classification,
  ended: Rehearsed,
  milliseconds: number,
): Preview {
  const { sample, returned, changes } = ended;
  // Rows may use the whole budget; column names appear three times.
  const bytes = call.limits.maxAnswerBytes / 8;
  const tables = changes.tables.slice(0, mostTables).map(({ table, updated, deleted }) => ({
    table: beginning(table, longestName),
    updated,
    deleted,
  }));
  const left = changes.tables.length - tables.length;
  // A statement that is destructive by its text is refused for that.
  const refusal = classification.class === 'write' ? refusalAtCommit(ports, call, changes) : null;
  // A refusal says it too.
  const isUntold = changes.uncounted !== null && refusal === null;
  const untold = `What it changes by table can't be counted, because ${changes.uncounted}.`;
  const shown = ({ columns, rows }: Rows): Rows => ({ columns: shownColumns(columns, bytes, bytes), rows });
  const warnings = [
    ...ended.warnings,
    ...(isUntold ? [untold] : []),
    ...(left > 0 ? [`Rows of ${left} more tables change.`] : []),
  ];
  return {
    class: classification.class,
    rows_affected: ended.rowsAffected,
    ...(sample.before !== null && { before: shown(sample.before) }),
    ...(sample.after !== null && { after: shown(sample.after) }),
    telling: sample.telling,
    ...(tables.length > 0 && { changes: tables }),
    ...(refusal !== null && { refused_because: beginning(refusal, longestReason) }),
    ...(returned !== null && { returned: shown(returned) }),
    ...(warnings.length > 0 && { warnings }),
    rolled_back: true,
    execution_time_ms: Math.round(milliseconds * 100) / 100,
  };
}

function refusalOfPreview({ meaning }: Dialect, failure: DatabaseFailure, connection: Named): Refusal {
  const what = failure.kind === 'query_failed' ? meaning(failure) : null;
  if (failure.kind === 'query_failed' && what === 'conflict') {
    return toolError(
      'query_failed',
      `${failure.message} Another session changed the same rows meanwhile; preview again.`,
    );
  }
  return refusalOfWrite(failure, connection);
}
