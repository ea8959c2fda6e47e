/**
 * Serves the shells over the control socket (spec §11): hands the daemon's parts to their commands,
 * and answers what they ask about the daemon itself.
 */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { controlProtocolVersion, type IdentifyResult } from '../shared/control.ts';
import type { DaemonStatus } from '../shared/control-commands.ts';
import { bridgeBeside } from '../shared/install.ts';
import { homeToName } from '../shared/launch.ts';
import { notesOf } from '../shared/note.ts';
import { portHolder } from '../shared/port-holder.ts';
import { identifyProof } from '../shared/proofs.ts';
import { startedFile } from '../shared/started-file.ts';
import { version } from '../shared/version.ts';
import { doubtNotes } from './access/store-doubt.ts';
import { isBox } from './access/tokens/token.ts';
import { factsOfError } from './clients/mcp/log.ts';
import { discovery } from './clients/mcp/server.ts';
import { authorityDigest } from './engines/certificate-authority.ts';
import { makeDemoShop } from './engines/demo-shop/make.ts';
import { makeSqliteFile, sqliteFileProblem } from './engines/open-database.ts';
import type { Run } from './lifecycle.ts';
import { processOrigin } from './processes/process-origin.ts';
import type { StopCause } from './processes/stop-signals.ts';
import type { Services } from './services.ts';
import { viewOfPassphrase } from './shells/commands/passphrase.ts';
import { asOwner } from './shells/run-as-owner.ts';
import { controlLimits } from './shells/socket/control-limits.ts';
import { startControlSocket } from './shells/socket/control-socket.ts';
import type { State } from './state.ts';
import {
  anyServerNotes,
  boxNotes,
  clockNotes,
  hostKeyNotes,
  oneWallNotes,
  passphraseNotes,
  samePlaceNotes,
  sshConfigurationNotes,
  standingNotes,
} from './status.ts';
import { demoFileName, ownFileProblem } from './storage/own-files.ts';
import { socketPlace } from './storage/runtime-folders.ts';
import { openSeenFiles, type SeenFiles } from './storage/seen-files.ts';
import { damageNotes } from './storage/store/damaged-rows.ts';
import type { Undo } from './undo.ts';

/**
 * Resolves once the control socket listens. `undo` closes it.
 * @param stop begins the daemon's clean stop.
 * @throws ControlSocketRefused, SecretStoreUnavailable
 */
export async function serveShells(
  state: State,
  run: Run,
  services: Services,
  stop: (cause: StopCause) => void,
  undo: Undo,
): Promise<void> {
  const { connections, databases } = state;
  const { home, log, now, secrets, clock, pauses } = state.storage;
  const { accessRequests, classifier, desk, pairings, descriptors } = services;
  const { openAsOwner, runAsOwner } = asOwner(services.queryPorts, connections);
  const demoFile = join(home, demoFileName);
  const files = openSeenFiles();
  let pauseCount = 0;
  // A quarter of all file descriptors; clients get half, databases and files the rest.
  const bridgesAtMost = Math.min(controlLimits.identifiedPeers, Math.floor(descriptors.limit / 4));
  const askingAtMost = Math.min(controlLimits.askingAtMost, Math.floor(descriptors.limit / 8));
  const control = await startControlSocket({
    connections,
    tokens: state.tokens,
    boxes: services.boxes,
    lastUsedAt: state.uses.lastUsedAt,
    settings: state.settings,
    standings: state.standings,
    secrets,
    owner: state.owner,
    ownerApp: state.ownerApp,
    grants: state.grants,
    policyFile: state.policyFile,
    databases,
    knownServers: state.knownServers,
    tunnels: state.tunnels,
    sshAgent: state.sshAgent,
    passwordOf: state.passwordOf,
    secretOf: state.secretOf,
    activity: state.activity,
    history: state.history,
    classifier,
    approvals: services.confirmation.approvals,
    desk,
    accessRequests,
    openAsOwner,
    runAsOwner,
    pairings,
    async serveForThisRun() {
      const up = await run.ready;
      return up.served() === null ? up.startForThisRun() : null;
    },
    async pause(why) {
      pauseCount += 1;
      await (await run.ready).pause(why);
    },
    pauseCount: () => pauseCount,
    resume: async () => (await run.ready).resume(),
    doubts: pauses.doubts,
    stop: client => stop({ client }),
    status: () => statusOf(state, run, services, files),
    clients: () => services.admission.clients.list(),
    install: { bridgePath: bridgeBeside(startedFile()), namedHome: homeToName(process.env) },
    demoFile,
    makeDemo: () => makeDemoShop(demoFile),
    authorityDigest,
    fileIdentity: files.identity,
    lookAtFiles: files.look,
    ownFileProblem: path => ownFileProblem(home, path, files.identity(path)),
    sqliteFileProblem,
    makeSqliteFile,
    portHolder,
    originOf: processOrigin,
    identify: nonce => identify(run, nonce),
    socketPlace: () => socketPlace(home),
    limits: { ...controlLimits, identifiedPeers: bridgesAtMost, askingAtMost },
    now,
    retentionNow: clock.now,
    newId: randomUUID,
    report: (error, requestId) => log.error({ requestId, ...factsOfError(error) }, 'the control socket met an error'),
  });
  run.letIn(control);
  undo.later(() => control.close());
}

/** Proves to a bridge that this is the daemon of its home, or says that its server is off. */
async function identify({ ready, instance, isPaused }: Run, nonce: string): Promise<IdentifyResult> {
  const identity = await (await ready).identity();
  if (identity === null) return { server: 'off', protocol: controlProtocolVersion, version };
  const { port, token } = identity;
  const proof = identifyProof(token.plaintext, nonce, instance, port);
  const standing = { server: 'on', protocol: controlProtocolVersion, version, instance, port, proof } as const;
  return isPaused() ? standing : { ...standing, discovery: discovery(version) };
}

function statusOf(
  state: State,
  run: Run,
  { descriptors, boxes }: Services,
  files: Pick<SeenFiles, 'identity'>,
): DaemonStatus {
  const { activity, connections, tokens, ownerApp } = state;
  const { home, secrets, secretStores, clock, damaged, stalls, now, pauses } = state.storage;
  const { instance, startedAt } = run;
  const server = run.server();
  const passphrase = viewOfPassphrase(state);
  const listed = connections.list();
  return {
    version,
    pid: process.pid,
    instance,
    home,
    startedAt,
    ...server,
    secrets: secrets.backend,
    passphrase,
    connections: listed.length,
    tokens: tokens.list().filter(record => !isBox(record)).length,
    notes: [
      ...server.notes,
      ...doubtNotes(pauses.doubts()),
      ...state.takenBack,
      ...descriptors.notes(),
      ...notesOf('secrets', secretStores.notes()),
      ...passphraseNotes(passphrase, ownerApp.isKnown()),
      ...notesOf('activity', [activity.problem()]),
      ...state.forwardedLog.notes(),
      ...notesOf('clock', clock.notes()),
      ...hostKeyNotes(listed, state.tunnels.unknownHostKey),
      ...sshConfigurationNotes(listed, state.tunnels.hasOtherConfiguration),
      ...anyServerNotes(listed),
      ...oneWallNotes(listed, state.databases.lacksReadWall),
      ...samePlaceNotes(listed, now(), files.identity),
      ...notesOf('damage', damageNotes(damaged)),
      ...standingNotes(state.standings),
      ...clockNotes(tokens.list(), now()),
      ...boxNotes(tokens.list(), boxes),
      ...notesOf('stalled', stalls.notes()),
    ],
  };
}
