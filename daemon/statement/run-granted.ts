/**
 * Runs a statement that the user has allowed as it is (spec §12), whatever the level says: counted
 * when the user opens it, and held to what they were shown.
 */

import type { RequestFacts } from '../access/requests/access-requests.ts';
import type { Taken } from '../engines/count/taken.ts';
import { type Refusal, toolError } from '../refusal.ts';
import type { Call } from './call.ts';
import { type Allowed, classifyAndDecide } from './classify-and-decide.ts';
import { countTaken, guardedRun } from './count-taken.ts';
import { refusalOf } from './failure-refusals.ts';
import { type RefusedRun, recordRefusal } from './record.ts';
import { type RunPorts, type RunResult, runClassified } from './run-statement.ts';

type Asked = Pick<RequestFacts<Taken>, 'classified' | 'shown'>;

/** `more`: it was rolled back, since it would have taken `found`. */
export type GrantedRun = RunResult | { readonly kind: 'more'; readonly found: Taken; readonly refusal: Refusal };

/**
 * What it takes at present, found by a trial if possible. Any program may ask for that,
 * unconfirmed.
 */
export async function countGranted(
  ports: RunPorts,
  call: Call,
  asked: Asked,
): Promise<{ readonly kind: 'counted'; readonly taken: Taken } | RefusedRun> {
  const classified = await classifyGranted(ports, call, asked);
  if (classified.kind === 'refused') return classified;
  const counted = await countTaken(ports, call, classified, 'opened');
  if (counted.kind === 'done') return { kind: 'counted', taken: counted.value };
  return { kind: 'refused', refusal: refusalOf(counted, call.resolved.connection) };
}

export async function runGranted(ports: RunPorts, call: Call, asked: Asked): Promise<GrantedRun> {
  const classified = await classifyGranted(ports, call, asked);
  if (classified.kind === 'refused') return classified;
  const refuse = (refusal: Refusal) => recordRefusal(ports, call, classified.classification, refusal);
  if (asked.shown === null) return refuse(neverShown);
  const guarded = await guardedRun(ports, call, classified, asked.shown.figures);
  if (guarded.kind !== 'done') return refuse(refusalOf(guarded, call.resolved.connection));
  const result = await runClassified(ports, call, classified, guarded.value);
  const found = guarded.value.excess.found();
  return result.kind === 'done' || found === null ? result : { kind: 'more', found, refusal: result.refusal };
}

async function classifyGranted(
  ports: RunPorts,
  call: Call,
  { classified: shownAs }: Asked,
): Promise<Allowed | RefusedRun> {
  const classified = await classifyAndDecide(ports, 'granted', call);
  if (classified.kind === 'refused' || classified.classification.class === shownAs?.class) return classified;
  return recordRefusal(ports, call, classified.classification, somethingElse);
}

const somethingElse = toolError(
  'denied',
  'The statement is something else now than when it was refused. Send it again.',
);
const neverShown = toolError('denied', 'The user was not shown what the statement takes, so it was not run.');
