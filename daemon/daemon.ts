/** One run of the daemon (SPEC §2): lock, store, secrets, control socket, HTTP, handshake; the reverse at the stop. */

import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { protocolVersions } from '../shared/codes.ts';
import { controlProtocolVersion, type IdentifyResult } from '../shared/control.ts';
import type { DaemonStatus } from '../shared/control-commands.ts';
import { homeFolder, type LocationEnvironment, locationsIn } from '../shared/locations.ts';
import { identifyProof } from '../shared/proofs.ts';
import { version } from '../shared/version.ts';
import { type BridgeTokenKeeper, bridgeTokenLimits, keepBridgeToken } from './access/bridge-token.ts';
import { loadConnectionRegister } from './access/connection-register.ts';
import { loadTokenRegister } from './access/token-register.ts';
import { startControlSocket } from './control/control-socket.ts';
import { controlLimits } from './control/limits.ts';
import { makeDemoShop } from './databases/demo-shop/make.ts';
import { openDatabase } from './databases/open.ts';
import { type RunningHttpServer, startHttpServer } from './http/listener.ts';
import { acquireLock } from './lock-or-holder.ts';
import { factsOfError } from './mcp/log.ts';
import { allTools } from './mcp/tools/index.ts';
import { lazyClassifiers } from './query/classification/classifiers.ts';
import { defaultQueryLimits } from './query/limits.ts';
import { keepOpenDatabases } from './query/open-databases.ts';
import { stopSignals } from './stop-signals.ts';
import { connectionRecordsIn } from './storage/connection-records.ts';
import { openFileSecretStore } from './storage/file-secret-store.ts';
import { removeHandshake, writeHandshake } from './storage/handshake-file.ts';
import { prepareHome } from './storage/home.ts';
import { openLog } from './storage/log.ts';
import { demoFileName, ownFileProblem } from './storage/own-files.ts';
import { passwordOf } from './storage/passwords.ts';
import { openStore } from './storage/store.ts';
import { tokenRecordsIn } from './storage/token-records.ts';
import { undoInReverse } from './undo.ts';

const defaultPort = 27_432;
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

  const store = await openStore(locations.store);
  undo.later(() => store.close());
  const secrets = openFileSecretStore(locations.secrets, store.id);
  const connections = await loadConnectionRegister(connectionRecordsIn(store.knex));
  const tokens = await loadTokenRegister({ store: tokenRecordsIn(secrets), now, randomBytes, newId: randomUUID });

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

  let http: RunningHttpServer | null = null;
  let bridgeToken: BridgeTokenKeeper | null = null;
  let state: DaemonStatus['state'] = 'starting';
  let becomeReady = (): void => {};
  const ready = new Promise<void>(resolve => {
    becomeReady = resolve;
  });

  const identify = async (nonce: string): Promise<IdentifyResult> => {
    await ready;
    if (http === null || bridgeToken === null) {
      return { server: 'off', protocol: controlProtocolVersion, version };
    }
    bridgeToken.rotateIfDue();
    const proof = identifyProof(bridgeToken.current().plaintext, nonce, instance, http.port);
    return { server: 'on', protocol: controlProtocolVersion, version, instance, port: http.port, proof };
  };

  const control = await startControlSocket({
    connections,
    tokens,
    secrets,
    databases,
    locations,
    limits: controlLimits,
    identify,
    report: error => log.error(factsOfError(error), 'the control socket met an error'),
    status: () => ({
      version,
      pid: process.pid,
      instance,
      home,
      startedAt,
      state,
      port: http?.port ?? null,
      secrets: secrets.backend,
      connections: connections.list().length,
      tokens: tokens.list().length,
      notes: notesOf(http, secrets.backend),
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
  undo.later(() => control.close());

  const classifiers = lazyClassifiers();
  const tools = allTools({ connections, databases, classifiers, limits: () => defaultQueryLimits, now, elapsed });
  http = await startHttpServer({ port: defaultPort, fallback: true, tokens, tools, version, log, newId: randomUUID });
  const { port } = http;
  undo.later(() => {
    state = 'stopping';
    return http?.close(drainMilliseconds);
  });

  bridgeToken = keepBridgeToken(tokens, now, ({ plaintext, expiresAt }) =>
    writeHandshake(locations.handshake, {
      version: 1,
      port,
      token: plaintext,
      pid: process.pid,
      instance,
      protocolVersions,
      expiresAt,
    }),
  );
  undo.later(() => removeHandshake(locations.handshake, instance));
  const keeper = bridgeToken;
  const rotation = setInterval(() => keeper.rotateIfDue(), bridgeTokenLimits.checkSeconds * 1000);
  undo.later(() => clearInterval(rotation));

  state = 'ready';
  becomeReady();
  log.info({ instance, port, version }, 'ready');
}

function notesOf(http: RunningHttpServer | null, secrets: 'keychain' | 'file'): string[] {
  const notes: string[] = [];
  if (http?.portTaken) {
    notes.push(
      `Port ${http.configuredPort} belongs to another program, so HTTP clients must use ${http.port} for now.`,
    );
  }
  if (secrets === 'file') {
    notes.push('Secrets are kept in secrets.json (mode 600): any program that runs as you can read it.');
  }
  return notes;
}
