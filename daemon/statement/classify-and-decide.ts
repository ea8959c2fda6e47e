/**
 * Classifies a statement on its connection, and decides whether this tool may run it there (spec
 * §7). Runs nothing of the client's; a refusal is recorded.
 */

import { secondsOf } from '../engines/call-clock.ts';
import type { ClassifiedRun, Facts } from '../engines/classified.ts';
import type { Classifier } from '../engines/classifier.ts';
import type { SessionKind } from '../engines/engine.ts';
import type { Call } from './call.ts';
import { decide, type Granted, type StatementTool } from './decide.ts';
import { refusalOf } from './failure-refusals.ts';
import { type RecordPorts, type RefusedRun, recordRefusal } from './record.ts';

export interface ClassifyPorts extends RecordPorts {
  readonly classifier: Classifier;
}

export type Allowed = ClassifiedRun & {
  readonly kind: 'allowed';
  readonly session: SessionKind;
};

/** @param tool the asking tool: tools have different rights. */
export async function classifyAndDecide(
  ports: ClassifyPorts,
  tool: StatementTool | Granted,
  call: Call,
  facts: Facts = 'fresh',
): Promise<Allowed | RefusedRun> {
  const { resolved, database, context, sql } = call;
  const { connection, access } = resolved;
  const { clock } = call.origin;
  if (clock.left() === 0 && clock.stage === 'place') {
    const why = { who: 'own_calls', seconds: secondsOf(clock.took()) } as const;
    return recordRefusal(ports, call, null, refusalOf({ kind: 'busy', why }, connection));
  }
  const classified = await database.follow(ports.classifier, context, sql, facts);
  if (classified.kind === 'failed')
    return recordRefusal(ports, call, null, refusalOf(classified.failure, connection, call.timeoutRaise));
  const { classification, run } = classified;
  const decision = decide(tool, classification, access);
  if (decision.kind === 'refused') return recordRefusal(ports, call, classification, decision.refusal);
  if (tool !== 'granted' && classification.class !== 'read') call.origin.access?.writes();
  // Such a plan runs nothing that a user wrote: otherwise it would be a write.
  const isPlan = classification.plansDml && classification.class === 'read';
  return { kind: 'allowed', classification, session: isPlan ? 'rollback' : decision.session, ...(run && { run }) };
}
