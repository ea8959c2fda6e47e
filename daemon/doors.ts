/**
 * Opens the doors of one run over what is kept: admission, questions, pairings, control socket, HTTP, handshake, in spec §2's
 * order. Each is closed in reverse by `undo`.
 */

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { protocolVersions } from '../shared/codes.ts';
import { controlProtocolVersion, type IdentifyResult } from '../shared/control.ts';
import { bridgeBeside } from '../shared/install.ts';
import { homeToName } from '../shared/launch.ts';
import { portHolder } from '../shared/port-holder.ts';
import { identifyProof } from '../shared/proofs.ts';
import { version } from '../shared/version.ts';
import { makeAdmission } from './access/limits/admission.ts';
import { elapsedClock } from './access/limits/elapsed-clock.ts';
import { requestLimitsOf } from './access/settings/setting-limits.ts';
import type { Settings } from './access/settings/settings.ts';
import { bridgeTokenLimits } from './access/tokens/bridge-token.ts';
import { openConfirmations } from './confirmations.ts';
import { approvalNotification } from './control/commands/approvals.ts';
import { turnNotification } from './control/commands/pairing.ts';
import { type ControlSocket, startControlSocket } from './control/control-socket.ts';
import { controlLimits } from './control/limits.ts';
import { makeDemoShop } from './databases/demo-shop/make.ts';
import { makeSqliteFile, sqliteFileProblem } from './databases/sqlite/saved-file.ts';
import { watchDescriptors } from './descriptors.ts';
import { httpLimits } from './http/limits.ts';
import { startHttpServer } from './http/listener.ts';
import { judgingOfRun } from './judging-of-run.ts';
import type { Kept } from './kept.ts';
import { factsOfError } from './mcp/log.ts';
import { discovery } from './mcp/server.ts';
import { allTools } from './mcp/tools/index.ts';
import { pairingsOfRun } from './pairings.ts';
import { queryLimitsOf } from './query/setting-limits.ts';
import { serverChanged, serverState } from './server-status.ts';
import { type Serving, startServing, type WantedServer } from './serving.ts';
import { activityNotes, clockNotes, descriptorNotes, passwordNotes, wideningNotes } from './status-notes.ts';
import { removeHandshake, writeHandshake } from './storage/handshake-file.ts';
import { watchHome } from './storage/home.ts';
import { demoFileName, ownFileProblem } from './storage/own-files.ts';
import { damageNotes } from './storage/store/damaged-rows.ts';
import { pauseIn } from './storage/store/settings.ts';
import type { Undo } from './undo.ts';

const drainMilliseconds = 3_000;

export async function openDoors(kept: Kept, stop: () => void, undo: Undo): Promise<void> {
  const {
    home,
    locations,
    log,
    now,
    elapsed,
    report,
    stalls,
    store,
    clock,
    reserve,
    secretStores,
    secrets,
    activity,
    connections,
    tokens,
    settings,
    history,
    uses,
    owner,
    ownerApp,
    widening,
    issued,
    databases,
    damaged,
  } = kept;
  const instance = randomUUID();
  const startedAt = new Date().toISOString();
  // Looked at before anybody can know that we run, and take the home away.
  const isHomeThere = watchHome(home);
  let serving: Serving | null = null;
  let isStopping = false;
  let becomeReady = (_serving: Serving): void => {};
  const ready = new Promise<Serving>(resolve => {
    becomeReady = resolve;
  });
  const pauses = pauseIn(store.knex, reserve);
  const wasPaused = await pauses.load();
  const isPaused = (): boolean => serving?.isPaused() ?? wasPaused;
  const limits = () => requestLimitsOf(settings.current());
  const sleepless = elapsedClock({ awake: elapsed, wall: now, uptimeSeconds: uptime });
  const admission = makeAdmission({ limits, elapsed: sleepless, uses, deadTokens: issued, isPaused });

  settings.onChange(async (key, next) => {
    if (key !== 'enabled' && key !== 'port' && key !== 'port.fallback') return null;
    const up = await ready;
    // Another port switches nothing off that was switched on for this run only.
    const enabled = key === 'enabled' ? next.enabled : up.isWanted();
    return up.change({ ...wantedServer(next), enabled });
  });

  const identify = async (nonce: string): Promise<IdentifyResult> => {
    const identity = await (await ready).identity();
    if (identity === null) return { server: 'off', protocol: controlProtocolVersion, version };
    const { port, token } = identity;
    const proof = identifyProof(token.plaintext, nonce, instance, port);
    const standing = { server: 'on', protocol: controlProtocolVersion, version, instance, port, proof } as const;
    return isPaused() ? standing : { ...standing, discovery: discovery(version) };
  };

  const server = () => serverState(serving, isStopping);
  let control: ControlSocket | null = null;
  const confirmation = openConfirmations({
    someoneAnswers: () => control?.someoneAnswers() ?? false,
    whileWaiting: admission.concurrency.whileWaiting,
    rememberHours: () => settings.current()['approval.rememberHours'],
    log,
    activity,
    now,
  });
  confirmation.approvals.onEvent(event => control?.push(approvalNotification(event)));
  connections.onChanged(id => confirmation.firstUses.forget(id));

  const pairings = pairingsOfRun({
    ...{ tokens, now, elapsed: sleepless, activity },
    onTurn: id => control?.push(turnNotification(id)),
  });
  undo.later(() => pairings.close());

  const judging = judgingOfRun({ connections, elapsed, report });
  undo.later(() => judging.close());
  connections.onChanged(() => judging.loadSoon());
  const descriptors = watchDescriptors(log);
  undo.later(descriptors.close);
  /** Of all file descriptors half are for clients and a quarter for bridges and shells; databases and files share the rest. */
  const connectionsAtMost = Math.min(httpLimits.connections, Math.floor(descriptors.limit / 2));
  const bridgesAtMost = Math.min(controlLimits.identifiedPeers, Math.floor(descriptors.limit / 4));
  control = await startControlSocket({
    connections,
    judging,
    approvals: confirmation.approvals,
    pairings,
    async serveForThisRun() {
      const up = await ready;
      const wasServed = up.served() !== null;
      const problem = wasServed ? null : await up.startForThisRun();
      return problem === null ? { started: !wasServed } : { problem };
    },
    portHolder,
    activity,
    clearHistory: history.clear,
    tokens,
    lastUsedAt: uses.lastUsedAt,
    settings,
    pause: async () => (await ready).pause(),
    resume: async () => (await ready).resume(),
    secrets,
    owner,
    ownerApp,
    clients: () => admission.clients.list(),
    install: { bridgePath: bridgeBeside(process.argv[1] ?? ''), namedHome: homeToName(process.env) },
    databases,
    locations,
    limits: { ...controlLimits, identifiedPeers: bridgesAtMost },
    identify,
    report: (error, requestId) => log.error({ requestId, ...factsOfError(error) }, 'the control socket met an error'),
    status: () => ({
      version,
      pid: process.pid,
      instance,
      home,
      startedAt,
      ...server(),
      secrets: secrets.backend,
      widening: widening(),
      connections: connections.list().length,
      tokens: tokens.list().length,
      notes: [
        ...server().notes,
        ...descriptorNotes(descriptors),
        ...secretStores.notes(),
        ...wideningNotes(widening(), owner.isSet()),
        ...activityNotes(activity),
        ...clock.notes(),
        ...passwordNotes(connections.list()),
        ...damageNotes(damaged),
        ...clockNotes(tokens.list(), now()),
        ...stalls.notes(),
      ],
    }),
    stop,
    makeDemo: async () => {
      const filePath = join(home, demoFileName);
      await makeDemoShop(filePath);
      return { filePath };
    },
    ownFileProblem: path => ownFileProblem(home, path),
    sqliteFileProblem,
    makeSqliteFile,
    now,
    newId: randomUUID,
  });
  undo.later(() => control?.close());

  const tools = allTools({
    connections,
    databases,
    judging,
    limits: () => queryLimitsOf(settings.current()),
    now,
    elapsed,
    confirmation,
    activity,
    history,
  });
  const started = await startServing(
    {
      listen: (port, fallback) =>
        startHttpServer({
          ...{ port, fallback, tokens, admission, tools, version, log, newId: randomUUID },
          ...{ pairings, activity, now, descriptors: descriptors.state, limits: { connections: connectionsAtMost } },
          work: stalls.work,
        }),
      tokens,
      now,
      publish(port, { plaintext, expiresAt }) {
        issued.issued(plaintext);
        const token = plaintext;
        const { pid } = process;
        writeHandshake(locations.handshake, { version: 1, port, token, pid, instance, protocolVersions, expiresAt });
      },
      unpublish: () => removeHandshake(locations.handshake, instance),
      isPublished: () => existsSync(locations.handshake),
      portHolder,
      pause: { isPaused: wasPaused, save: pauses.save },
      onChanged: () => control?.push(serverChanged(server())),
      report,
    },
    wantedServer(settings.current()),
  );
  undo.later(() => {
    isStopping = true;
    return started.stop(drainMilliseconds);
  });
  const rotation = setInterval(() => {
    if (isHomeThere()) return started.tend();
    // Nobody could find this daemon any more, nor stop it, and what it writes is lost.
    log.warn({}, 'the home is gone or was moved, so the daemon stops');
    stop();
  }, bridgeTokenLimits.checkSeconds * 1000);
  undo.later(() => clearInterval(rotation));

  const taken = started.served()?.taken ?? null;
  const reason =
    taken === null ? started.problem() : `port ${taken.port} belongs to ${taken.holder ?? 'another program'}`;
  if (reason !== null) activity.record({ category: 'admin', action: 'port.taken', outcome: 'error', reason });
  serving = started;
  becomeReady(started);
  control.push(serverChanged(server()));
  log.info({ instance, port: started.served()?.port ?? null, version }, 'ready');
  judging.loadSoon();
  stalls.watch();
}

function wantedServer(settings: Settings): WantedServer {
  return { enabled: settings.enabled, port: settings.port, fallback: settings['port.fallback'] };
}
