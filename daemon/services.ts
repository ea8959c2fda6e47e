/**
 * Opens what one run of the daemon needs besides the state: admission, questions to the user, the
 * classifier, the wire door, boxes and the watch over file descriptors. `undo` closes them.
 */

import { randomUUID } from 'node:crypto';
import { uptime } from 'node:os';
import { startedFile } from '../shared/started-file.ts';
import { makeAdmission } from './access/limits/admission.ts';
import { elapsedClock } from './access/limits/elapsed-clock.ts';
import { requestLimitsOf } from './access/settings/settings.ts';
import { readyClassifier } from './classifier/ready-classifier.ts';
import { openBoxes } from './clients/boxes/boxes.ts';
import { httpLimits } from './clients/http/http-limits.ts';
import { openWireDoor } from './clients/wire/door.ts';
import { runApprovalHook } from './desktop/approval-hook.ts';
import { askingApp } from './desktop/asking-app.ts';
import { notifyOfRequests } from './desktop/request-notifications.ts';
import type { Run } from './lifecycle.ts';
import { watchDescriptors } from './processes/descriptors.ts';
import { spareMemory } from './processes/spare-memory.ts';
import { accessRequestsOfRun, deskOfRun, openConfirmations, pairingsOfRun } from './questions.ts';
import type { State } from './state.ts';
import { queryLimitsOf } from './statement/query-limits.ts';
import { sharedBoxes } from './storage/runtime-folders.ts';
import type { Undo } from './undo.ts';

export type Services = ReturnType<typeof openServices>;

export function openServices(state: State, run: Run, undo: Undo) {
  const { activity, connections, tokens, settings } = state;
  const { home, locations, log, now, elapsed, report, pauses } = state.storage;
  const { platform, env: environment } = process;
  const sleepless = elapsedClock({ awake: elapsed, wall: now, uptimeSeconds: uptime });

  const admission = makeAdmission({
    limits: () => requestLimitsOf(settings.current()),
    elapsed: sleepless,
    uses: state.uses,
    retiredBridgeTokens: state.issued,
    isPaused: run.isPaused,
    doubts: pauses.doubts,
  });

  const desk = deskOfRun({ now, elapsed: sleepless, report });
  const { someoneAnswers } = run;
  const confirmation = openConfirmations({
    desk,
    someoneAnswers,
    bringShell: askingApp({ platform, program: startedFile(), someoneAnswers, elapsed }),
    whileWaiting: admission.concurrency.whileWaiting,
    rememberHours: () => settings.current()['approval.rememberHours'],
    log,
    activity,
    elapsed: sleepless,
  });
  const { firstUses } = confirmation;
  connections.onChanged((id, shown) => {
    if (shown === null) firstUses.forget(id);
  });
  undo.later(tokens.onEnded(firstUses.forgetPrincipal));
  undo.later(tokens.onAccessEdited(({ id }) => firstUses.forgetPrincipal(id)));

  const accessRequests = accessRequestsOfRun(desk, state, undo);
  const isOn = (): boolean => settings.current()['requests.notify'];
  const waiting = (): number => confirmation.approvals.pending().length + accessRequests.waiting().length;
  const command = (): string => settings.current()['approval.hook'];
  undo.later(runApprovalHook({ approvals: confirmation.approvals, requests: accessRequests, command, log }));
  undo.later(notifyOfRequests({ requests: accessRequests, waiting, isOn, log, platform, environment }));

  const pairings = pairingsOfRun({ desk, tokens, elapsed: sleepless, activity });
  undo.later(pairings.close);

  // This comes after what every start loads, and before a thread compiles a grammar.
  spareMemory();
  const engines = () => connections.list().map(({ engine }) => engine);
  const classifier = readyClassifier({ engines, elapsed, report });
  undo.later(classifier.close);
  connections.onChanged(() => classifier.loadSoon());

  const queryPorts = {
    databases: state.databases,
    classifier,
    activity,
    history: state.history,
    elapsed,
    limits: () => queryLimitsOf(settings.current()),
    rowQuota: state.rowQuota,
    unknownOutcomes: state.unknownOutcomes,
  };
  const wire = openWireDoor({
    ...queryPorts,
    tokens,
    connections,
    accessInUse: state.accessInUse,
    accessRequests,
    uses: state.uses,
    clients: admission.clients,
    isPaused: run.isPaused,
    isServed: run.servesClients,
    mayUse: firstUses.isAllowed,
    now,
    newId: randomUUID,
    report,
  });
  undo.later(wire.close);

  const boxes = openBoxes({
    folders: { boxes: locations.boxes, ...sharedBoxes(home) },
    tokens,
    report,
    serveHttp: run.serveBox,
    serveWire: wire.serve,
    isServed: run.servesClients,
    silentMilliseconds: httpLimits.headerSeconds * 1000,
    // Twice a body's limit, so that the answer can say that a body is too large. Only a far longer
    // line is dropped.
    maxLineBytes: 2 * httpLimits.mcpBodyBytes,
  });
  undo.later(boxes.close);

  const descriptors = watchDescriptors(log);
  undo.later(descriptors.close);

  return { boxes, admission, desk, confirmation, accessRequests, pairings, classifier, descriptors, queryPorts };
}
