/** Opens what stands between the doors of one run and what is kept: admission, questions, pairings, judging, descriptors. */

import { uptime } from 'node:os';
import { makeAdmission } from './access/limits/admission.ts';
import { elapsedClock } from './access/limits/elapsed-clock.ts';
import { requestLimitsOf } from './access/settings/settings.ts';
import { accessRequestsOfRun } from './access-requests.ts';
import { askingApp } from './asking-app.ts';
import { openConfirmations } from './confirmations.ts';
import { watchDescriptors } from './descriptors.ts';
import type { Run } from './lifecycle.ts';
import { pairingsOfRun } from './pairings.ts';
import { notifyOfRequests } from './request-notifications.ts';
import { approvalNotification } from './shells/commands/approvals.ts';
import { turnNotification } from './shells/commands/pairing.ts';
import { requestsNotification } from './shells/commands/requests.ts';
import { classifierOfRun } from './start-classifier.ts';
import type { State } from './state.ts';
import { queryLimitsOf } from './statement/limits.ts';
import type { Undo } from './undo.ts';

export type Services = ReturnType<typeof openServices>;

export function openServices(state: State, run: Run, undo: Undo) {
  const { log, now, elapsed, report, activity, connections, tokens, settings, uses, issued } = state;
  const sleepless = elapsedClock({ awake: elapsed, wall: now, uptimeSeconds: uptime });
  const admission = makeAdmission({
    limits: () => requestLimitsOf(settings.current()),
    ...{ elapsed: sleepless, uses, deadTokens: issued, isPaused: run.isPaused, doubt: state.pauses.doubt },
  });

  const confirmation = openConfirmations({
    someoneAnswers: run.someoneAnswers,
    bringShell: askingApp({
      platform: process.platform,
      program: process.argv[1] ?? '',
      someoneAnswers: run.someoneAnswers,
      elapsed,
    }),
    whileWaiting: admission.concurrency.whileWaiting,
    rememberHours: () => settings.current()['approval.rememberHours'],
    ...{ log, activity, now },
  });
  confirmation.approvals.onEvent(event => run.push(approvalNotification(event)));
  connections.onChanged(id => confirmation.firstUses.forget(id));
  undo.later(tokens.onEnded(id => confirmation.firstUses.forgetPrincipal(id)));
  undo.later(tokens.onAccessEdited(({ id }) => confirmation.firstUses.forgetPrincipal(id)));

  const accessRequests = accessRequestsOfRun(state, undo);
  accessRequests.onChanged(() => run.push(requestsNotification(accessRequests)));
  const endNotifying = notifyOfRequests({
    requests: accessRequests,
    isOn: () => settings.current()['requests.notify'],
    ...{ log, platform: process.platform, environment: process.env },
  });
  undo.later(endNotifying);

  const pairings = pairingsOfRun({
    ...{ tokens, now, elapsed: sleepless, activity },
    onTurn: id => run.push(turnNotification(id)),
  });
  undo.later(() => pairings.close());

  const classifier = classifierOfRun({ connections, elapsed, report });
  undo.later(() => classifier.close());
  connections.onChanged(() => classifier.loadSoon());
  const descriptors = watchDescriptors(log);
  undo.later(descriptors.close);
  const queryPorts = {
    ...{ databases: state.databases, classifier, activity, history: state.history, elapsed },
    limits: () => queryLimitsOf(settings.current()),
    changedRows: state.changedRows,
  };
  return { admission, confirmation, accessRequests, pairings, classifier, descriptors, queryPorts };
}
