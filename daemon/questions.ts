/**
 * Puts together what asks the user in one run (spec §10, §12): questions about statements and first
 * uses, access requests, pairings.
 */

import { randomBytes, randomUUID } from 'node:crypto';
import { type Desk, type DeskPorts, openDesk } from './access/desk/desk.ts';
import type { Concurrency } from './access/limits/concurrency.ts';
import { processOf } from './access/limits/present-clients.ts';
import { openPairings, type Pairings, pairingLimits } from './access/pairing/pairing.ts';
import { newQuestionId, openApprovals } from './access/questions/approvals.ts';
import { firstUseHours, openFirstUses } from './access/questions/first-use.ts';
import { type AccessRequests, openAccessRequests, type Starter } from './access/requests/access-requests.ts';
import { accountOf, type Principal } from './access/tokens/token.ts';
import type { TokenRegister } from './access/tokens/token-register.ts';
import type { ActivityLog } from './activity.ts';
import { openClientQuestions } from './clients/mcp/client-questions.ts';
import type { ConfirmationPorts } from './clients/mcp/confirmation.ts';
import type { Log } from './clients/mcp/log.ts';
import { logQuestions } from './clients/mcp/question-log.ts';
import { recordQuestions } from './clients/mcp/record-question.ts';
import type { Taken } from './engines/count/taken.ts';
import { processOrigin } from './processes/process-origin.ts';
import type { State } from './state.ts';
import type { Undo } from './undo.ts';

/**
 * Runs something once after so long, unless the returned function is called first. It doesn't keep
 * the process alive.
 */
function after(milliseconds: number, run: () => void): () => void {
  const timer = setTimeout(run, milliseconds).unref();
  return () => clearTimeout(timer);
}

/** The one desk of a run. */
export function deskOfRun(ports: Omit<DeskPorts, 'after' | 'newId'> & Partial<Pick<DeskPorts, 'newId'>>): Desk {
  return openDesk({ after, newId: () => newQuestionId(randomBytes), ...ports });
}

interface ConfirmationsOptions {
  readonly desk: Desk;
  /** Whether a shell that can ask a person is attached. */
  readonly someoneAnswers: () => boolean;
  /** Starts a shell that asks a person (access/questions/approvals.ts); absent if none can be. */
  readonly bringShell?: (() => Promise<void>) | null;
  readonly whileWaiting: Concurrency['whileWaiting'];
  /** How many hours a first use is remembered, read each time; absent for `firstUseHours`. */
  readonly rememberHours?: () => number;
  readonly log: Log;
  readonly activity: Pick<ActivityLog, 'record'>;
  /** Milliseconds of a clock that is never set or still (access/limits/elapsed-clock.ts). */
  readonly elapsed: () => number;
}

export function openConfirmations(options: ConfirmationsOptions): ConfirmationPorts {
  const { desk, someoneAnswers, whileWaiting, log, activity, elapsed } = options;
  const approvals = openApprovals({ desk, someoneAnswers, bringShell: options.bringShell ?? null });
  const clientQuestions = openClientQuestions({ key: randomBytes(32), desk });
  approvals.onEvent(logQuestions(log));
  approvals.onEvent(recordQuestions(activity));
  clientQuestions.onEvent(logQuestions(log, ' through the client'));
  clientQuestions.onEvent(recordQuestions(activity));
  return {
    approvals,
    firstUses: openFirstUses({ approvals, elapsed, rememberHours: options.rememberHours ?? (() => firstUseHours) }),
    clientQuestions,
    whileWaiting,
    log,
  };
}

export function accessRequestsOfRun(
  desk: Desk,
  { connections, tokens, waitingRequests: { left, keep } }: State,
  undo: Undo,
): AccessRequests<Taken> {
  const requests = openAccessRequests<Taken>({
    desk,
    keep,
    // If an older store was put back, a connection or token may not be what the request was about.
    left: left.filter(
      ({ facts: { connectionId, revision, principal } }) =>
        connections.find(connectionId)?.revision === revision &&
        (principal.isBridge || tokens.find(principal.tokenId)?.revokedAt === null),
    ),
    starterOf,
  });
  connections.onChanged((id, shown) => {
    if (shown === null) requests.forgetConnection(id);
    else requests.showConnection(shown);
  });
  undo.later(tokens.onEnded(requests.forgetToken));
  undo.later(tokens.onAccessEdited(({ id }) => requests.forgetToken(id)));
  return requests;
}

/**
 * What started a principal's bridge. A bridge states its own process; the programs above it are
 * looked up.
 */
async function starterOf(principal: Principal): Promise<Starter> {
  const pid = processOf(principal);
  const origin = pid === null ? null : await processOrigin(pid);
  if (origin === null) return { program: null, lineage: [accountOf(principal)] };
  const above = origin.programs.slice(0, -1);
  return { program: above.length === 0 ? null : above.join(', '), lineage: origin.lineage.slice(0, -1) };
}

interface PairingsOptions {
  readonly desk: Desk;
  readonly tokens: Pick<TokenRegister, 'mintPending' | 'commit' | 'discard' | 'onEnded'>;
  /** Milliseconds of a clock that is never set or still (access/limits/elapsed-clock.ts). */
  readonly elapsed: () => number;
  readonly activity: Pick<ActivityLog, 'record'>;
}

interface PairingsOfRun extends Pairings {
  close(): void;
}

/** How long an expired code may keep its token listed. */
const sweepMilliseconds = 5_000;

export function pairingsOfRun({ desk, tokens, elapsed, activity }: PairingsOptions): PairingsOfRun {
  const undecided = { category: 'access', action: 'pairing.decide', outcome: 'denied' } as const;
  const pairings = openPairings({
    desk,
    elapsed,
    newCode: randomUUID,
    tokens,
    limits: pairingLimits,
    onUndecided({ client }, why) {
      const reason = why === 'expired' ? 'nobody decided in time' : 'the sheet was closed';
      activity.record({ ...undecided, client, reason });
    },
  });
  const stopTelling = tokens.onEnded(pairings.forgetToken);
  const sweeping = setInterval(pairings.sweep, sweepMilliseconds).unref();
  return {
    ...pairings,
    close() {
      clearInterval(sweeping);
      stopTelling();
    },
  };
}
