/** Opens the door of the shells, the control socket, over what is kept (spec §11). */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { controlProtocolVersion, type IdentifyResult } from '../shared/control.ts';
import type { DaemonStatus } from '../shared/control-commands.ts';
import { bridgeBeside } from '../shared/install.ts';
import { homeToName } from '../shared/launch.ts';
import { portHolder } from '../shared/port-holder.ts';
import { identifyProof } from '../shared/proofs.ts';
import { version } from '../shared/version.ts';
import { doubtNotes } from './access/store-doubt.ts';
import { factsOfError } from './clients/mcp/log.ts';
import { discovery } from './clients/mcp/server.ts';
import { makeDemoShop } from './engines/demo-shop/make.ts';
import { makeSqliteFile, sqliteFileProblem } from './engines/sqlite/saved-file.ts';
import type { Run } from './lifecycle.ts';
import { processOrigin } from './process-origin.ts';
import { asOwner } from './run-as-owner.ts';
import type { Services } from './services.ts';
import { passphraseView } from './shells/commands/passphrase.ts';
import { startControlSocket } from './shells/socket/control-socket.ts';
import { controlLimits } from './shells/socket/limits.ts';
import type { State } from './state.ts';
import {
  activityNotes,
  clockNotes,
  descriptorNotes,
  passphraseNotes,
  passwordNotes,
  samePlaceNotes,
  standingNotes,
} from './status-notes.ts';
import type { StopCause } from './stop-signals.ts';
import { fileIdentity } from './storage/file-identity.ts';
import { demoFileName, ownFileProblem } from './storage/own-files.ts';
import { damageNotes } from './storage/store/damaged-rows.ts';
import type { Undo } from './undo.ts';

export async function openShellDoor(
  state: State,
  run: Run,
  services: Services,
  stop: (cause: StopCause) => void,
  undo: Undo,
): Promise<void> {
  const { home, locations, log, now, secrets, activity, connections, tokens, settings, standings } = state;
  const { owner, ownerApp, databases, passwordOf, history, uses, clock } = state;
  const { admission, confirmation, accessRequests, pairings, classifier, descriptors, queryPorts } = services;
  const demoFile = join(home, demoFileName);
  /** Of all file descriptors a quarter; clients have half, and databases and files share the rest. */
  const bridgesAtMost = Math.min(controlLimits.identifiedPeers, Math.floor(descriptors.limit / 4));
  const control = await startControlSocket({
    ...{
      connections,
      tokens,
      settings,
      standings,
      secrets,
      owner,
      ownerApp,
      databases,
      passwordOf,
      activity,
      locations,
    },
    ...{ history, classifier, pairings, portHolder, now, sqliteFileProblem, makeSqliteFile, newId: randomUUID },
    approvals: confirmation.approvals,
    accessRequests,
    ...asOwner(queryPorts, connections),
    stop: client => stop({ client }),
    async serveForThisRun() {
      const up = await run.ready;
      return up.served() === null ? up.startForThisRun() : null;
    },
    lastUsedAt: uses.lastUsedAt,
    pause: async () => (await run.ready).pause(),
    resume: async () => (await run.ready).resume(),
    doubt: state.pauses.doubt,
    clients: () => admission.clients.list(),
    install: { bridgePath: bridgeBeside(process.argv[1] ?? ''), namedHome: homeToName(process.env) },
    limits: { ...controlLimits, identifiedPeers: bridgesAtMost },
    originOf: processOrigin,
    identify: nonce => identify(run, nonce),
    report: (error, requestId) => log.error({ requestId, ...factsOfError(error) }, 'the control socket met an error'),
    status: () => statusOf(state, run, services),
    demoFile,
    makeDemo: () => makeDemoShop(demoFile),
    fileIdentity,
    oldBy: clock.now,
    ownFileProblem: path => ownFileProblem(home, path),
  });
  run.letIn(control);
  undo.later(() => control.close());
}

async function identify({ ready, instance, isPaused }: Run, nonce: string): Promise<IdentifyResult> {
  const identity = await (await ready).identity();
  if (identity === null) return { server: 'off', protocol: controlProtocolVersion, version };
  const { port, token } = identity;
  const proof = identifyProof(token.plaintext, nonce, instance, port);
  const standing = { server: 'on', protocol: controlProtocolVersion, version, instance, port, proof } as const;
  return isPaused() ? standing : { ...standing, discovery: discovery(version) };
}

function statusOf(state: State, run: Run, { descriptors, accessRequests }: Services): DaemonStatus {
  const { home, secrets, secretStores, activity, clock, connections, tokens, owner, ownerApp, damaged, stalls } = state;
  const { instance, startedAt } = run;
  const server = run.server();
  return {
    ...{ version, pid: process.pid, instance, home, startedAt, ...server },
    secrets: secrets.backend,
    passphrase: passphraseView(owner),
    connections: connections.list().length,
    tokens: tokens.list().length,
    requestsWaiting: accessRequests.waiting().length,
    notes: [
      ...server.notes,
      ...doubtNotes(state.pauses.doubt()),
      ...state.takenBack,
      ...descriptorNotes(descriptors),
      ...secretStores.notes(),
      ...passphraseNotes(passphraseView(owner), ownerApp.isKnown()),
      ...activityNotes(activity),
      ...clock.notes(),
      ...passwordNotes(connections.list()),
      ...samePlaceNotes(connections.list(), state.now(), fileIdentity),
      ...damageNotes(damaged),
      ...standingNotes(state.standings),
      ...clockNotes(tokens.list(), state.now()),
      ...stalls.notes(),
    ],
  };
}
