/** One run of the daemon (SPEC §2): lock, store, secrets, control socket, HTTP, handshake; the reverse at the stop. */

import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { protocolVersions } from '../shared/codes.ts';
import { controlProtocolVersion, type IdentifyResult } from '../shared/control.ts';
import { keychainEnvironment } from '../shared/keychain-call.ts';
import { homeFolder, type LocationEnvironment, locationsIn } from '../shared/locations.ts';
import { portHolder } from '../shared/port-holder.ts';
import { identifyProof } from '../shared/proofs.ts';
import { version } from '../shared/version.ts';
import { makeAdmission } from './access/admission.ts';
import { bridgeTokenLimits } from './access/bridge-token.ts';
import { loadConnectionRegister } from './access/connection-register.ts';
import { loadOwnerPassphrase } from './access/passphrase.ts';
import { SecretStoreUnavailable } from './access/secret-store.ts';
import { requestLimitsOf } from './access/setting-limits.ts';
import { loadSettingRegister } from './access/setting-register.ts';
import type { Settings } from './access/settings.ts';
import { loadTokenRegister } from './access/token-register.ts';
import { type WideningMode, wideningMode } from './access/widening.ts';
import type { ActivityLog } from './activity.ts';
import { openConfirmations } from './confirmations.ts';
import { approvalNotification } from './control/commands/approvals.ts';
import { turnNotification } from './control/commands/pairing.ts';
import { type ControlSocket, startControlSocket } from './control/control-socket.ts';
import { controlLimits } from './control/limits.ts';
import { makeDemoShop } from './databases/demo-shop/make.ts';
import { openDatabase } from './databases/open.ts';
import { startHttpServer } from './http/listener.ts';
import { acquireLock } from './lock-or-holder.ts';
import { factsOfError } from './mcp/log.ts';
import { allTools } from './mcp/tools/index.ts';
import { pairingsOfRun } from './pairings.ts';

import { lazyClassifiers } from './query/classification/classifiers.ts';
import { keepOpenDatabases } from './query/open-databases.ts';
import { queryLimitsOf } from './query/setting-limits.ts';
import { serverChanged, serverState } from './server-status.ts';
import { type Serving, startServing, type WantedServer } from './serving.ts';
import { stopSignals } from './stop-signals.ts';
import { openActivityLog } from './storage/activity/log.ts';
import { openBridgeTokens } from './storage/bridge-tokens.ts';
import { connectionRecordsIn } from './storage/connection-records.ts';
import { removeHandshake, writeHandshake } from './storage/handshake-file.ts';
import { openHistory } from './storage/history/history.ts';
import { prepareHome } from './storage/home.ts';
import { openKeychain } from './storage/keychain-process.ts';
import { openLog } from './storage/log.ts';
import { demoFileName, ownFileProblem } from './storage/own-files.ts';
import { passphraseIn } from './storage/passphrase.ts';
import { passwordOf } from './storage/passwords.ts';
import { openSecretStores, type SecretStores } from './storage/secret-stores.ts';
import { pauseIn, settingsIn } from './storage/settings.ts';
import { openStore } from './storage/store.ts';
import { recordStore } from './storage/store-record.ts';
import { tokenRecordsIn } from './storage/token-records.ts';
import { openTokenUses } from './storage/token-uses.ts';
import { undoInReverse } from './undo.ts';

const drainMilliseconds = 3_000;

/** @returns the exit code, once the daemon has stopped. */
export async function startDaemon(environment: LocationEnvironment): Promise<number> {
  const stopped = stopSignals();
  const undo = undoInReverse();
  try {
    const home = homeFolder(environment);
    prepareHome(home);
    const lock = await acquireLock(locationsIn(home));
    if (lock.kind === 'held_by_other') {
      process.stderr.write(`${lock.sentence}\n`);
      return lock.isLive ? 0 : 1;
    }
    undo.later(() => lock.held.release());
    await run(home, stopped.request, undo);
    await stopped.requested;
    return 0;
  } catch (error) {
    process.stderr.write(`sallyportd could not start: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  } finally {
    await undo.all();
  }
}

async function run(home: string, stop: () => void, undo: ReturnType<typeof undoInReverse>): Promise<void> {
  const locations = locationsIn(home);
  const log = openLog(locations.logs);
  const instance = randomUUID();
  const startedAt = new Date().toISOString();
  const now = (): number => Date.now();
  const elapsed = (): number => performance.now();
  const report = (error: unknown): void => log.error(factsOfError(error), 'something that nobody waits for failed');

  const store = await openStore(locations.store);
  undo.later(() => store.close());
  const keychain = openKeychain({ environment: keychainEnvironment(process.env) });
  undo.later(() => keychain.close());
  const secretStores = await openSecretStores({ store, secretsPath: locations.secrets, keychain });
  const { secrets } = secretStores;
  recordStore(locations.storeRecord, store.id, secrets.backend);
  // A move of the secrets waits for its turn among the head's writes, and they for theirs: one queue holds both.
  const activity = await openActivityLog({ knex: store.knex, secrets, now, randomBytes, report });
  undo.later(() => activity.close());
  const admin = { category: 'admin', outcome: 'success' } as const;
  activity.record({ ...admin, action: 'daemon.start', reason: `Sallyport ${version}` });
  undo.later(() => activity.record({ ...admin, action: 'daemon.stop' }));
  const connections = await loadConnectionRegister(connectionRecordsIn(store.knex));
  const tokens = await loadTokenRegister({ store: tokenRecordsIn(secrets), now, randomBytes, newId: randomUUID });

  const settings = await loadSettingRegister(settingsIn(store.knex), key =>
    log.warn({ key }, 'the setting that was kept is not accepted; its default holds'),
  );
  const history = openHistory({
    knex: store.knex,
    settings: () => ({ isOn: settings.current().history === 'on', days: settings.current()['history.days'] }),
    now,
    report,
  });
  undo.later(() => history.close());
  const uses = await openTokenUses({ knex: store.knex, now, tokenIds: tokens.list().map(({ id }) => id), report });
  undo.later(() => uses.close());
  tokens.onEnded(id => {
    if (tokens.find(id) === null) uses.forget(id);
  });
  const owner = await loadOwnerPassphrase({ store: passphraseIn(secrets, store.knex), now, randomBytes });
  settings.onChange((key, next) =>
    key === 'widening' && next.widening === 'ask' && !owner.isSet() ? nobodyToAsk : null,
  );
  const widening = () => wideningMode(settings.current().widening, owner.isSet());
  if (settings.current().keychain === 'required' && secrets.backend === 'file') throw new Error(keychainGone);
  settings.onChange(async (key, next) => {
    if (key !== 'keychain' || next.keychain !== 'required') return null;
    const problem = await moveProblem(secretStores);
    if (problem === null) recordStore(locations.storeRecord, store.id, secrets.backend);
    return problem;
  });
  const issued = await openBridgeTokens(store.knex, locations.handshake, now, report);
  undo.later(() => issued.settled());

  const databases = keepOpenDatabases(connection =>
    openDatabase(connection, {
      password: () => passwordOf(connection, secrets),
      now: elapsed,
      refuseFile: realPath => ownFileProblem(home, realPath),
    }),
  );
  undo.later(() => databases.close());
  connections.onChanged(id => {
    if (connections.find(id) === null) void databases.forget(id);
  });

  let serving: Serving | null = null;
  let isStopping = false;
  let becomeReady = (_serving: Serving): void => {};
  const ready = new Promise<Serving>(resolve => {
    becomeReady = resolve;
  });
  const pauses = pauseIn(store.knex);
  const wasPaused = await pauses.load();
  const isPaused = (): boolean => serving?.isPaused() ?? wasPaused;
  const limits = () => requestLimitsOf(settings.current());
  const admission = makeAdmission({ limits, elapsed, uses, deadTokens: issued, isPaused });

  settings.onChange(async (key, next) => {
    if (key !== 'enabled' && key !== 'port' && key !== 'port.fallback') return null;
    const up = await ready;
    // Another port switches nothing off that was switched on for this run only.
    const enabled = key === 'enabled' ? next.enabled : up.served() !== null;
    return up.change({ ...wantedServer(next), enabled });
  });

  const identify = async (nonce: string): Promise<IdentifyResult> => {
    const identity = await (await ready).identity();
    if (identity === null) return { server: 'off', protocol: controlProtocolVersion, version };
    const { port, token } = identity;
    const proof = identifyProof(token.plaintext, nonce, instance, port);
    return { server: 'on', protocol: controlProtocolVersion, version, instance, port, proof };
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

  const pairings = pairingsOfRun({ tokens, now, onTurn: id => control?.push(turnNotification(id)) });
  undo.later(() => pairings.close());

  const classifiers = lazyClassifiers();
  control = await startControlSocket({
    connections,
    classifiers,
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
    tokens,
    lastUsedAt: uses.lastUsedAt,
    settings,
    pause: async () => (await ready).pause(),
    resume: async () => (await ready).resume(),
    secrets,
    owner,
    databases,
    locations,
    limits: controlLimits,
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
      notes: [...server().notes, ...secretStores.notes(), ...wideningNotes(widening()), ...activityNotes(activity)],
    }),
    stop,
    makeDemo: async () => {
      const filePath = join(home, demoFileName);
      await makeDemoShop(filePath);
      return { filePath };
    },
    ownFileProblem: path => ownFileProblem(home, path),
    now,
    newId: randomUUID,
  });
  undo.later(() => control?.close());

  const tools = allTools({
    connections,
    databases,
    classifiers,
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
          ...{ pairings, activity, now },
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
  const rotation = setInterval(() => started.rotateIfDue(), bridgeTokenLimits.checkSeconds * 1000);
  undo.later(() => clearInterval(rotation));

  const taken = started.served()?.taken ?? null;
  if (taken !== null) {
    const reason = `port ${taken.port} belongs to ${taken.holder ?? 'another program'}`;
    activity.record({ category: 'admin', action: 'port.taken', outcome: 'error', reason });
  }
  serving = started;
  becomeReady(started);
  control.push(serverChanged(server()));
  log.info({ instance, port: started.served()?.port ?? null, version }, 'ready');
}

function wantedServer(settings: Settings): WantedServer {
  return { enabled: settings.enabled, port: settings.port, fallback: settings['port.fallback'] };
}

async function moveProblem(stores: SecretStores): Promise<string | null> {
  try {
    await stores.moveToKeychain();
    return null;
  } catch (error) {
    if (error instanceof SecretStoreUnavailable) return `The secrets stay where they are. ${error.message}`;
    throw error;
  }
}

function activityNotes(activity: Pick<ActivityLog, 'problem'>): string[] {
  const problem = activity.problem();
  return problem === null ? [] : [problem];
}

function wideningNotes(mode: WideningMode): string[] {
  return mode === 'free'
    ? [
        'Widening is free: any program that runs as you can give AI clients more access, as you can. `sallyport passphrase set` makes Sallyport ask you.',
      ]
    : [];
}

const nobodyToAsk =
  'There is no owner passphrase yet to confirm anything with: `sallyport passphrase set` makes one, and from then on Sallyport asks.';

const keychainGone =
  'the keychain is required, but the secrets of this store are in a file; put back the store that belongs to this home';
