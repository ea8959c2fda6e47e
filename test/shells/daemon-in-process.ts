/**
 * A real control socket in this process: real registers over stores in memory, and a home of its
 * own that is removed afterwards.
 */

import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from '../../daemon/access/connection.ts';
import { loadConnectionRegister } from '../../daemon/access/connection-register.ts';
import type { KindLimits } from '../../daemon/access/desk/kinds.ts';
import { openKnownServers } from '../../daemon/access/known-servers.ts';
import type { Concurrency } from '../../daemon/access/limits/concurrency.ts';
import type { PresentClient } from '../../daemon/access/limits/present-clients.ts';
import type { Pairings } from '../../daemon/access/pairing/pairing.ts';
import { loadGrants } from '../../daemon/access/privilege-increases/grants.ts';
import { loadOwnerApp } from '../../daemon/access/privilege-increases/owner-app.ts';
import {
  loadOwnerPassphrase,
  type PassphraseStore,
  type PassphraseTries,
} from '../../daemon/access/privilege-increases/passphrase.ts';
import type { Approvals } from '../../daemon/access/questions/approvals.ts';
import {
  type AccessRequests,
  openAccessRequests,
  type RequestFacts,
} from '../../daemon/access/requests/access-requests.ts';
import type { SecretKind, SecretStore } from '../../daemon/access/secret-store.ts';
import { loadSettingRegister } from '../../daemon/access/settings/setting-register.ts';
import { standingOfConnection, standingOfToken } from '../../daemon/access/standing/standing.ts';
import { connectionWords, tokenWords } from '../../daemon/access/standing/standing-words.ts';
import type { TokenRecord } from '../../daemon/access/tokens/token.ts';
import { loadTokenRegister, type TokenRegister } from '../../daemon/access/tokens/token-register.ts';
import type { ActivityEntry } from '../../daemon/activity.ts';
import { openBoxes } from '../../daemon/clients/boxes/boxes.ts';
import type { ConfirmationPorts } from '../../daemon/clients/mcp/confirmation.ts';
import { authorityDigest } from '../../daemon/engines/certificate-authority.ts';
import type { Taken } from '../../daemon/engines/count/taken.ts';
import type { Answer, Database, ServerStatus } from '../../daemon/engines/engine.ts';
import { follow as followMysql } from '../../daemon/engines/mysql/follow.ts';
import { makeSqliteFile, sqliteFileProblem } from '../../daemon/engines/open-database.ts';
import { follow as followPostgres } from '../../daemon/engines/postgres/follow.ts';
import type { PostgresRoleFacts } from '../../daemon/engines/postgres/role/facts.ts';
import { planRole } from '../../daemon/engines/postgres/role.ts';
import type { Right } from '../../daemon/engines/rights.ts';
import { follow as followSqlite } from '../../daemon/engines/sqlite/follow.ts';
import { planRole as noRole } from '../../daemon/engines/sqlite/role.ts';
import type { PostgresCatalog } from '../../daemon/guard/postgres/catalog-facts.ts';
import { catalogLookup } from '../../daemon/guard/postgres/catalog-lookup.ts';
import { deskOfRun, openConfirmations, pairingsOfRun } from '../../daemon/questions.ts';
import { viewOfPassphrase } from '../../daemon/shells/commands/passphrase.ts';
import type { ControlPorts, OwnersRun } from '../../daemon/shells/ports.ts';
import { type ControlLimits, controlLimits } from '../../daemon/shells/socket/control-limits.ts';
import { type ControlSocket, startControlSocket } from '../../daemon/shells/socket/control-socket.ts';
import type { HistoryEntry } from '../../daemon/statement/history.ts';
import { keepOpenDatabases } from '../../daemon/statement/open-databases.ts';
import { serverChanged, serverState } from '../../daemon/status.ts';
import { openActivityLog } from '../../daemon/storage/activity/log.ts';
import { openPolicyFile } from '../../daemon/storage/policy-file.ts';
import { sharedBoxes, socketPlace } from '../../daemon/storage/runtime-folders.ts';
import { openSeenFiles } from '../../daemon/storage/seen-files.ts';
import { openStore } from '../../daemon/storage/store/store.ts';
import type { DaemonStatus, HostKeyView } from '../../shared/control-commands.ts';
import { locationsIn } from '../../shared/locations.ts';
import { identifyProof } from '../../shared/proofs.ts';
import { limitsWith, noFault } from '../access/desk/desk-for-tests.ts';
import { dialects } from '../engines/dialects.ts';
import { judgingInThread } from '../statement/classifier-in-thread.ts';
import { shownTakes } from './asked-request.ts';

export const bridgeToken = `sp_${'b'.repeat(43)}`;
export const instance = '6f1c1d2e-0000-4000-8000-000000000001';

export interface DaemonInProcess {
  readonly home: string;
  readonly socketPath: string;
  readonly control: ControlSocket;
  readonly ports: ControlPorts;
  readonly approvals: Approvals;
  /** The first one made has the id `rqst2345`. */
  readonly accessRequests: AccessRequests<Taken>;
  readonly pairings: Pairings;
  readonly tokens: TokenRegister;
  /** Its recorded rows, oldest first. */
  readonly recorded: ActivityEntry[];
  /** All ways to ask the user, over the same register. */
  readonly confirmation: ConfirmationPorts;
  /** Each line about questions, as JSON. */
  readonly logged: string[];
  readonly secrets: Map<string, string>;
  /** What the store remembers about Sallyport.app. */
  readonly appSeen: { readonly was: boolean };
  /** Each saved state of each connection, in order. */
  readonly savedConnections: Connection[];
  /** The store of connections; a test can make it fail. */
  readonly connectionStore: ReturnType<typeof connectionsInMemory>;
  /** The connections whose `status` was asked. */
  readonly dialled: Connection[];
  readonly closedDatabases: string[];
  readonly reported: unknown[];
  readonly stops: number[];
  /** Milliseconds; only the test moves it. */
  now: number;
  /** How far the desk's wall clock is off, in milliseconds. */
  set: number;
  /** @returns why the server can't be started for a pairing, or null. */
  serve: () => string | null;
  /** Called with each access request that the person runs; how it ends, other than with 3 rows. */
  ran: (request: RequestFacts<Taken>) => Partial<OwnersRun>;
  /** ISO 8601 by token id. */
  readonly lastUses: Map<string, string>;
  /** Decides each dial; reachable unless replaced. */
  dial: (connection: Connection, signal: AbortSignal) => Promise<Answer<ServerStatus>>;
  /** The key of its tunnel's SSH server that nobody has confirmed. */
  unknownHostKey: HostKeyView | null;
  /** What ~/.ssh/config says of any tunnel. */
  sshLines: readonly string[];
  end(): Promise<void>;
}

export interface DaemonChange {
  readonly limits?: Partial<ControlLimits>;
  readonly home?: (folder: string) => string;
  readonly questions?: Partial<KindLimits>;
  readonly whileWaiting?: Concurrency['whileWaiting'];
  /** Default: Linux. */
  readonly platform?: string;
  /** Default: a file. Changes as a move does. */
  readonly backend?: () => SecretStore['backend'];
  /** The owner passphrase at first: `off`, as in a home made unattended; `none` on macOS. */
  readonly passphrase?: 'none' | 'off';
  /** Secrets that are already stored. */
  readonly secrets?: Readonly<Record<string, string>>;
  readonly appWasSeen?: boolean;
  readonly confirmations?: Partial<KindLimits>;
  /** Default: none. */
  readonly notes?: DaemonStatus['notes'];
  /** Default: each shell runs on a terminal, which tests don't have. */
  readonly originOf?: ControlPorts['originOf'];
}

export async function startDaemonInProcess(change: DaemonChange = {}): Promise<DaemonInProcess> {
  const folder = mkdtempSync('/tmp/sallyport-control-test-');
  try {
    return await startIn(folder, change);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** `rqst2345`, and so on, in the digits that an ask's id may have. */
function askId(number: number): string {
  const digits = (0o123 + number).toString(8).padStart(4, '0');
  return `rqst${digits.replace(/./g, digit => String(Number(digit) + 2))}`;
}

async function startIn(folder: string, change: DaemonChange): Promise<DaemonInProcess> {
  chmodSync(folder, 0o700);
  const home = change.home?.(folder) ?? folder;
  const locations = locationsIn(home);
  const files = openSeenFiles();
  const secrets = new Map<string, string>(Object.entries(change.secrets ?? {}));
  const isOff = (change.passphrase ?? (change.platform === 'darwin' ? 'none' : 'off')) === 'off';
  if (isOff && !secrets.has('passphrase/owner')) secrets.set('passphrase/owner', passphraseOff);
  const savedConnections: Connection[] = [];
  const dialled: Connection[] = [];
  const closedDatabases: string[] = [];
  const reported: unknown[] = [];
  const stops: number[] = [];
  const daemon = {
    lastUses: new Map<string, string>(),
    now: Date.parse('2026-11-20T12:00:00.000Z'),
    set: 0,
    serve: (): string | null => null,
    ran: (_request: RequestFacts<Taken>): Partial<OwnersRun> => ({}),
    unknownHostKey: null as HostKeyView | null,
    sshLines: [] as readonly string[],
    dial: async (_connection: Connection, _signal: AbortSignal): Promise<Answer<ServerStatus>> => ({
      kind: 'done',
      value: {
        serverVersion: 'Test 1.0',
        currentUser: 'anna',
        currentDatabase: 'shop',
        currentSchema: 'public',
        latencyMilliseconds: 1.5,
        warnings: ['The role anna is a superuser.'],
        mayWrite: true,
        isReadWallMissing: false,
        readWallSaid: null,
      },
    }),
  };
  const connectionStore = connectionsInMemory(savedConnections);
  const connections = await loadConnectionRegister(connectionStore);
  const tokens = await loadTokenRegister({
    store: tokensInMemory(),
    now: () => daemon.now,
    randomBytes,
    newId: randomUUID,
  });
  const databases = keepOpenDatabases(connection =>
    databaseOf(
      connection,
      signal => {
        dialled.push(connection);
        return daemon.dial(connection, signal);
      },
      closedDatabases,
    ),
  );
  let control: ControlSocket | null = null;
  const recorded: ActivityEntry[] = [];
  const store = await openStore(join(folder, 'activity.db'));
  const log = await openActivityLog({
    store,
    secrets: secretsInMemory(new Map()),
    now: () => daemon.now,
    retentionNow: () => daemon.now,
    randomBytes,
    report: error => void reported.push(error),
  });
  const activity = {
    ...log,
    record(entry: ActivityEntry) {
      recorded.push(entry);
      log.record(entry);
    },
  };
  let asksMade = 0;
  const desk = deskOfRun({
    report: noFault,
    now: () => daemon.now + daemon.set,
    elapsed: () => daemon.now,
    newId: () => askId(asksMade++),
    limits: limitsWith({
      question: change.questions ?? {},
      form: change.questions ?? {},
      increase: change.confirmations ?? {},
    }),
  });
  const pairings = pairingsOfRun({
    desk,
    tokens,
    elapsed: () => daemon.now,
    activity,
  });
  const logged: string[] = [];
  const keep = (facts: unknown, message: string): void => void logged.push(JSON.stringify({ facts, message }));
  const confirmation = openConfirmations({
    desk,
    someoneAnswers: () => control?.someoneAnswers() ?? false,
    whileWaiting: change.whileWaiting ?? ((_, wait) => wait()),
    log: { info: keep, warn: keep, error: keep },
    activity,
    elapsed: () => daemon.now,
  });
  const { approvals } = confirmation;
  let pauseCount = 0;
  const accessRequests = openAccessRequests<Taken>({
    desk,
    starterOf: async () => ({ program: 'claude, bash', lineage: ['claude'] }),
  });
  const settings = await loadSettingRegister({ load: async () => new Map(), save: async () => {} });
  const owner = await loadOwnerPassphrase({
    store: passphraseInMemory(secrets),
    now: () => daemon.now,
    ranMilliseconds: () => daemon.now,
    isConfirmedByRoot: () => false,
    randomBytes,
    newId: randomUUID,
    cost: { N: 16, r: 1, p: 1 },
  });
  const keptSecrets = secretsInMemory(secrets, change.backend);
  const appSeen = { was: change.appWasSeen ?? false };
  let keptGrants: string | null = null;
  const grants = await loadGrants({
    load: async () => keptGrants,
    save: async text => {
      keptGrants = text;
    },
  });
  const ownerApp = await loadOwnerApp({
    platform: change.platform ?? 'linux',
    secrets: keptSecrets,
    store: {
      load: async () => appSeen.was,
      async save() {
        appSeen.was = true;
      },
    },
  });
  const boxes = openBoxes({
    folders: { boxes: locations.boxes, ...sharedBoxes(home) },
    tokens,
    serveHttp: () => false,
    serveWire: connection => void connection.destroy(),
    isServed: () => false,
    silentMilliseconds: 10_000,
    maxLineBytes: 1_024,
    report: error => void reported.push(error),
  });
  const ports: ControlPorts = {
    boxes,
    ownerApp,
    grants,
    policyFile: await openPolicyFile(store),
    clients: () => [presentClient],
    install: { bridgePath: '/opt/sallyport/bin/sallyport-mcp', namedHome: home },
    desk,
    approvals,
    accessRequests,
    openAsOwner: async () => ({ ...shownTakes }),
    async runAsOwner(request) {
      return { rowsAffected: 3, warnings: [], failed: null, mayHaveRun: true, found: null, ...daemon.ran(request) };
    },
    pairings,
    serveForThisRun: async () => daemon.serve(),
    authorityDigest,
    portHolder: port => (port === 8123 ? 'node (process 4242)' : null),
    activity,
    history: { search: async () => [keptStatement], clear: async () => 2 },
    settings,
    standings: {
      ofConnection: connection => ({
        reason: connectionWords(connection),
        standing: standingOfConnection(connection),
      }),
      ofToken: token => ({ reason: tokenWords(token), standing: standingOfToken(token) }),
    },
    owner,
    lastUsedAt: id => daemon.lastUses.get(id) ?? null,
    async pause() {
      pauseCount += 1;
      const serving = { isPaused: () => true, served: () => ({ port: 27432, taken: null }), problem: () => null };
      control?.push(serverChanged(serverState(serving, false)));
    },
    resume: async () => {},
    pauseCount: () => pauseCount,
    doubts: () => [],
    socketPlace: () => socketPlace(home),
    limits: { ...controlLimits, ...change.limits },
    connections,
    knownServers: await openKnownServers(
      { load: async () => new Map(), keep: async () => {}, forget: async () => {} },
      { now: () => daemon.now },
    ),
    tokens,
    secrets: keptSecrets,
    databases,
    tunnels: {
      retry: () => {},
      unknownHostKey: () => daemon.unknownHostKey,
      wrote: () => '',
      sshConfiguration: async () => ({ lines: daemon.sshLines, digest: daemon.sshLines.join('\n') }),
    },
    sshAgent: () => {},
    passwordOf: async () => 'a password',
    secretOf: async () => null,
    originOf:
      change.originOf ??
      (async pid => ({ pid, terminal: '/dev/pts/3', programs: ['bash', 'sallyport'], lineage: [`${pid}`] })),
    identify: async nonce => ({
      server: 'on',
      protocol: '2',
      version: '0.1.0',
      instance,
      port: 27432,
      proof: identifyProof(bridgeToken, nonce, instance, 27432),
    }),
    status: () => ({
      version: '0.1.0',
      pid: process.pid,
      instance,
      home,
      startedAt: '2026-11-20T11:00:00.000Z',
      state: 'ready',
      port: 27432,
      secrets: keptSecrets.backend,
      passphrase: viewOfPassphrase({ owner, grants, connections, tokens }),
      connections: connections.list().length,
      tokens: tokens.list().length,
      notes: change.notes ?? [],
    }),
    stop: () => void stops.push(daemon.now),
    demoFile: join(home, 'demo.db'),
    makeDemo: async () => void (await makeSqliteFile(join(home, 'demo.db'))),
    fileIdentity: files.identity,
    lookAtFiles: files.look,
    retentionNow: () => daemon.now,
    classifier: judgingInThread(),
    sqliteFileProblem,
    makeSqliteFile,
    ownFileProblem: path => (path === locations.store ? `${path} is Sallyport's own store.` : null),
    now: () => daemon.now,
    newId: randomUUID,
    report: error => void reported.push(error),
  };
  const closeLog = async (): Promise<void> => {
    await log.close();
    await store.close();
  };
  const started = await startControlSocket(ports).catch(async error => {
    await closeLog();
    throw error;
  });
  control = started;
  return Object.assign(daemon, {
    home,
    socketPath: locationsIn(home).controlSocket,
    control: started,
    ports,
    approvals,
    accessRequests,
    pairings,
    tokens,
    appSeen,
    recorded,
    confirmation,
    logged,
    secrets,
    savedConnections,
    connectionStore,
    dialled,
    closedDatabases,
    reported,
    stops,
    async end() {
      await started.close();
      await boxes.close();
      pairings.close();
      await databases.close();
      await closeLog();
      rmSync(folder, { recursive: true, force: true });
    },
  });
}

const keptStatement: HistoryEntry = {
  id: 7,
  time: '2026-11-20T12:00:02.250Z',
  connection: { id: 'c1', name: 'Shop' },
  principal: 'a1b2',
  tokenName: 'Editor',
  client: 'Claude Code',
  class: 'read',
  outcome: 'success',
  rows: 3,
  isCut: false,
  durationMilliseconds: 12.5,
  statementHash: '9f'.repeat(32),
  statement: 'select note from orders',
};

const presentClient: PresentClient = {
  id: 'a1b2',
  tokenId: 'a1b2',
  tokenName: 'Editor',
  isBridge: false,
  isBox: false,
  client: 'Claude Code',
  protocol: '2026-07-28',
  sinceMilliseconds: 60_000,
  seenMilliseconds: 1_500,
  openRequests: 1,
  sessions: 0,
};

function connectionsInMemory(saved: Connection[]) {
  return {
    load: async () => [],
    save: async (connection: Connection) => void saved.push(connection),
    remove: async () => {},
    restore: async () => {},
    delete: async () => {},
  };
}

const passphraseOff = JSON.stringify({ version: 1, passphrase: null, chosen: null, reset: null });

function passphraseInMemory(secrets: Map<string, string>): PassphraseStore {
  let tries: PassphraseTries = { wrong: 0, lastAt: 0 };
  return {
    load: async () => secrets.get('passphrase/owner') ?? null,
    save: async record => void secrets.set('passphrase/owner', record),
    loadTries: async () => tries,
    async saveTries(next) {
      tries = next;
    },
  };
}

function tokensInMemory() {
  const records = new Map<string, TokenRecord>();
  return {
    load: async () => [...records.values()],
    save: async (record: TokenRecord) => void records.set(record.id, record),
    end: async () => {},
    delete: async (id: string) => void records.delete(id),
  };
}

function secretsInMemory(
  secrets: Map<string, string>,
  backend: () => SecretStore['backend'] = () => 'file',
): SecretStore {
  const account = (kind: SecretKind, id: string) => `${kind}/${id}`;
  return {
    get backend() {
      return backend();
    },
    async read(kind, id) {
      const value = secrets.get(account(kind, id));
      return value === undefined ? { kind: 'absent' } : { kind: 'found', value };
    },
    write: async (kind, id, value) => void secrets.set(account(kind, id), value),
    async makeShellSecret(value) {
      secrets.set(account('shell', 'secret'), value);
      return value;
    },
    delete: async (kind, id) => void secrets.delete(account(kind, id)),
    list: async kind =>
      [...secrets.keys()].filter(key => key.startsWith(`${kind}/`)).map(key => key.slice(kind.length + 1)),
  };
}

/**
 * Only what the control socket uses of a database: its status, its end, and a catalog with only
 * plain tables.
 */
const granting = { count: 2, withheld: [], passedOn: [] };
const roleFacts: PostgresRoleFacts = {
  database: 'shop',
  presentRole: 'anna',
  isTaken: false,
  mayCreateRoles: true,
  isOpen: true,
  mayPassOnConnect: true,
  schemas: [
    {
      name: 'sales',
      isOpen: true,
      mayPassOnUsage: true,
      letsAllCreate: false,
      tables: granting,
      sequences: granting,
      rowSecurity: 1,
      owners: [{ name: 'anna', maySetDefaults: true }],
    },
  ],
};

const givenRights: readonly Right[] = [
  {
    code: 'creates',
    on: ['sales'],
    more: 0,
    revoke: 'REVOKE CREATE ON SCHEMA "sales" FROM "anna"',
    opens: ['other_writes'],
  },
];

const nothingThere: PostgresCatalog = {
  relations: [],
  checks: [],
  defaults: [],
  functions: [],
  withheld: false,
  hasSecretSettings: false,
};

function cellOf(sql: string): string | true {
  if (sql.includes('mayPassOnConnect')) return JSON.stringify(roleFacts);
  return sql === catalogLookup ? JSON.stringify(nothingThere) : true;
}

function databaseOf(
  connection: Connection,
  dial: (signal: AbortSignal) => Promise<Answer<ServerStatus>>,
  closed: string[],
): Database {
  const unsupported = async () => ({ kind: 'unsupported' as const, message: 'not part of this test' });
  const database: Database = {
    dialect: dialects[connection.engine],
    follow: (...asked) => follows[connection.engine](database, ...asked),
    planPreview: unplanned,
    count: unplanned,
    holdRun: unplanned,
    planRole: (context, wanted) =>
      connection.engine === 'sqlite' ? noRole() : planRole(database, context, wanted, connection.databases === 'all'),
    async run({ sql }, sink) {
      sink.columns([{ name: 'plain', type: 'boolean' }]);
      sink.row({
        json: JSON.stringify([cellOf(sql)]),
        cuts: [],
      });
      return { kind: 'done', rowsAffected: null, cutByWire: false, warnings: [] };
    },
    rights: async () => ({ kind: 'done', value: connection.engine === 'sqlite' ? null : givenRights }),
    rehearse: unsupported,
    listTables: unsupported,
    listSchemas: unsupported,
    catalogTexts: unsupported,
    describeTables: unsupported,
    describeObjects: unsupported,
    status: ({ signal }) => dial(signal),
    close: async () => void closed.push(connection.id),
  };
  return database;
}

const follows = {
  postgres: followPostgres,
  mysql: (database: Database, ...asked: Parameters<Database['follow']>) => followMysql(database, null, ...asked),
  sqlite: followSqlite,
};

async function unplanned(): Promise<never> {
  throw new Error('Not part of this test.');
}
