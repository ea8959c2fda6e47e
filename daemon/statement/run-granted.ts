/**
 * Runs a statement that the user has allowed to run as it stands (spec §12), whatever the level says: counted when they open it, and
 * held to what they were shown.
 */

import type { AccessRequest } from '../access/requests/access-requests.ts';
import type { Taken } from '../engines/count/taken.ts';
import { type Refusal, toolError } from '../refusal.ts';
import { countTaken, guardedRun } from './count-taken.ts';
import { refusalOf } from './failure-refusals.ts';
import {
  type Allowed,
  classifyAndDecide,
  type RefusedRun,
  type RunPorts,
  type RunRequest,
  type RunResult,
  refusedUnrun,
  runClassified,
} from './run.ts';

type Asked = Pick<AccessRequest<Taken>, 'classified' | 'shown'>;

/** `more`: it was rolled back, since it would have taken what was found. */
export type GrantedRun = RunResult | { readonly kind: 'more'; readonly found: Taken; readonly refusal: Refusal };

/** What it takes as things are, found out by a trial where there can be one. Any program may ask for that, unconfirmed. */
export async function countGranted(
  ports: RunPorts,
  request: RunRequest,
  asked: Asked,
): Promise<{ readonly kind: 'counted'; readonly taken: Taken } | RefusedRun> {
  const classified = await classifyGranted(ports, request, asked);
  if (classified.kind === 'refused') return classified;
  const counted = await countTaken(ports, request, classified, 'opened');
  if (counted.kind === 'done') return { kind: 'counted', taken: counted.value };
  return { kind: 'refused', refusal: refusalOf(counted, request.reached.connection.name) };
}

export async function runGranted(ports: RunPorts, request: RunRequest, asked: Asked): Promise<GrantedRun> {
  const classified = await classifyGranted(ports, request, asked);
  if (classified.kind === 'refused') return classified;
  const refuse = (refusal: Refusal) => refusedUnrun(ports, request, classified.classification.class, refusal);
  if (asked.shown === null) return refuse(neverShown);
  const guarded = await guardedRun(ports, request, classified, asked.shown.figures);
  if (guarded.kind !== 'done') return refuse(refusalOf(guarded, request.reached.connection.name));
  const result = await runClassified(ports, request, classified, guarded.value);
  const found = guarded.value.excess.found();
  return result.kind === 'done' || found === null ? result : { kind: 'more', found, refusal: result.refusal };
}

async function classifyGranted(
  ports: RunPorts,
  request: RunRequest,
  { classified: shownAs }: Asked,
): Promise<Allowed | RefusedRun> {
  const classified = await classifyAndDecide(ports, 'granted', request);
  if (classified.kind === 'refused' || classified.classification.class === shownAs?.class) return classified;
  return refusedUnrun(ports, request, classified.classification.class, somethingElse);
}

const somethingElse = toolError(
  'denied',
  'The statement is something else now than when it was refused. Send it again.',
);
const neverShown = toolError('denied', 'The user was not shown what the statement takes, so it was not run.');
