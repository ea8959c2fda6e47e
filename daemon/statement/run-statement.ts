/**
 * Runs one statement of a client (spec §7, §8): classifies it, decides whether this tool may run it
 * here, runs it within its limits, records it. The only way from a tool to a database for a
 * client's SQL.
 */

import type { Facts } from '../engines/classified.ts';
import type { RunGuard } from '../engines/count/count-request.ts';
import type { Classification } from '../guard/types.ts';
import type { Call, CallPorts } from './call.ts';
import { type Allowed, type ClassifyPorts, classifyAndDecide } from './classify-and-decide.ts';
import type { StatementTool } from './decide.ts';
import { outdated } from './failure-refusals.ts';
import { type RefusedRun, recordRun } from './record.ts';
import type { ResultSet } from './result-set.ts';
import type { RowQuota } from './row-quota.ts';
import { runInSession } from './run-in-session.ts';
import { warningsBeside } from './warnings.ts';
import { confirmed, writeCheck } from './write-check.ts';

export interface RunPorts extends CallPorts, ClassifyPorts {
  readonly rowQuota: RowQuota;
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
}

export interface RanStatement {
  readonly kind: 'done';
  readonly resultSet: ResultSet;
  readonly classification: Classification;
}

export type RunResult = RanStatement | RefusedRun;

/** @param tool the asking tool: tools have different rights. */
export async function runStatement(ports: RunPorts, tool: StatementTool, call: Call): Promise<RunResult> {
  for (let facts: Facts = 'remembered'; ; facts = 'fresh') {
    const allowed = await classifyAndDecide(ports, tool, call, facts);
    if (allowed.kind === 'refused') return allowed;
    const result = await runClassified(ports, call, allowed, 'counted');
    if (result.kind === 'done') return result;
    // What was remembered of the catalog is outdated, and nothing ran: once more, with fresh facts.
    if (result.refusal !== outdated || facts === 'fresh') return { ...result, classification: allowed.classification };
  }
}

/**
 * @param rows `counted`: a write is committed only if its changed rows allow it; a guard holds it
 *   to what was approved.
 */
export async function runClassified(
  ports: RunPorts,
  call: Call,
  allowed: Allowed,
  rows: 'counted' | RunGuard,
): Promise<RunResult> {
  const { classification, session } = allowed;
  const counted = session === 'write' ? writeCheck(ports, call, classification) : null;
  const mayWrite = session === 'write' || session === 'alone';
  const check = !mayWrite ? null : rows === 'counted' ? counted : confirmed(rows);
  const ended = await recordRun(ports, call, classification.class, mayWrite, committing =>
    runInSession(ports.elapsed, call, allowed, check, committing),
  );
  if (ended.kind === 'refused') return { kind: 'refused', refusal: ended.refusal };
  const { resultSet } = ended;
  const warnings = await warningsBeside(ports.activity, call, mayWrite);
  if (warnings.length === 0) return { kind: 'done', resultSet, classification };
  const warned = { ...resultSet, warnings: [...resultSet.warnings, ...warnings] };
  return { kind: 'done', resultSet: warned, classification };
}
