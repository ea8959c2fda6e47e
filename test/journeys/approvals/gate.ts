/**
 * The real servers over a real SQLite file, in this process and with short-lived questions: HTTP,
 * control socket, each tool, the registers in memory. And real clients of both SDKs that count
 * their questions.
 */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { accessInUse, principalOfToken } from '../../../daemon/access/access-in-use.ts';
import type { Connection } from '../../../daemon/access/connection.ts';
import type { ConnectionRegister } from '../../../daemon/access/connection-register.ts';
import { makeAdmission } from '../../../daemon/access/limits/admission.ts';
import type { Approvals, Question } from '../../../daemon/access/questions/approvals.ts';
import type { Scope } from '../../../daemon/access/tokens/token.ts';
import type { TokenRegister } from '../../../daemon/access/tokens/token-register.ts';
import { startHttpServer } from '../../../daemon/clients/http/listener.ts';
import { allTools } from '../../../daemon/clients/mcp/tools/index.ts';
import { openDatabase } from '../../../daemon/engines/open-database.ts';
import { holdRows } from '../../../daemon/statement/held-rows.ts';
import { keepOpenDatabases } from '../../../daemon/statement/open-databases.ts';
import { defaultQueryLimits } from '../../../daemon/statement/query-limits.ts';
import type { ControlClient } from '../../../shell-terminal/control-client.ts';
import { connectionWith } from '../../access/principals.ts';
import { unrecorded } from '../../activity/unrecorded.ts';
import { noChanges, noPairings } from '../../clients/http/admission-for-tests.ts';
import { shellOf } from '../../shells/asking.ts';
import { type DaemonChange, startDaemonInProcess } from '../../shells/daemon-in-process.ts';
import { executeOn, SqliteFile } from '../../sqlite-file.ts';
import { judgingInThread } from '../../statement/classifier-in-thread.ts';
import { until } from '../../waiting/until.ts';

export interface Gate {
  readonly url: string;
  readonly port: number;
  readonly tokens: TokenRegister;
  readonly connections: ConnectionRegister;
  readonly approvals: Approvals;
  readonly logged: string[];
  /**
   * Makes its own shop: a file with a table `orders` of three rows.
   * @returns the name.
   */
  connection(changes?: Partial<Connection>): Promise<string>;
  save(name: string, changes: Partial<Connection>): Promise<void>;
  /** Restores the three rows. */
  refill(connection: string): void;
  /** Adds so many rows to `orders`. */
  fill(connection: string, rows: number): void;
  /** Runs SQL on its file, outside the daemon. */
  execute(connection: string, sql: string): void;
  /** Rows of `orders`, or null if the table is gone. */
  orders(connection: string): number | null;
  token(options?: { readonly confirmInClient?: boolean; readonly scope?: Scope }): Promise<string>;
  idOf(token: string): string;
  /** A proved shell; attached unless told otherwise. */
  shell(answers?: boolean): Promise<ControlClient>;
  /** Resolves with the first open question. */
  question(): Promise<Question>;
  advanceSeconds(seconds: number): void;
  /** Sets the wall clock so far off. */
  setClock(seconds: number): void;
  stop(): Promise<void>;
}

export async function openGate(questions: DaemonChange['questions'] = {}): Promise<Gate> {
  const elapsed = (): number => performance.now();
  const admission = makeAdmission({
    limits: () => ({ requestsPerMinute: 0, concurrentRequests: 2 }),
    elapsed,
    uses: { used: () => {} },
    retiredBridgeTokens: { isRetired: () => false },
    isPaused: () => false,
    doubts: () => [],
  });
  const daemon = await startDaemonInProcess({ questions, whileWaiting: admission.concurrency.whileWaiting });
  const { confirmation, logged } = daemon;
  const { tokens, connections } = daemon.ports;
  connections.onChanged(id => confirmation.firstUses.forget(id));
  const inUse = accessInUse({
    connections,
    now: () => daemon.now,
    principalNow: principal => principalOfToken(principal, tokens.find(principal.tokenId)),
  });
  connections.onChanged(inUse.lookAgain);
  tokens.onAccessEdited(inUse.lookAgain);
  const now = (): number => daemon.now;
  const databases = keepOpenDatabases(connection =>
    openDatabase(connection, {
      password: async () => null,
      keyPassphrase: async () => null,
      now: elapsed,
      refuseFile: () => null,
    }),
  );
  const tools = allTools({
    connections,
    databases,
    classifier: judgingInThread(),
    limits: () => defaultQueryLimits,
    now,
    elapsed,
    confirmation,
    held: holdRows(elapsed),
    openExport: async () => ({ kind: 'problem', sentence: 'Nothing is exported here.' }),
    ...unrecorded,
    history: { ...unrecorded.history, settle: async () => {}, search: async () => [], isOn: () => true },
  });
  const http = await startHttpServer({
    port: 0,
    fallback: false,
    tokens,
    admission,
    accessInUse: inUse,
    notifier: noChanges,
    ...noPairings(),
    tools,
    version: '0.0.0-test',
    log: confirmation.log,
    newId: randomUUID,
    descriptors: () => 'enough',
  });
  const shells: ControlClient[] = [];
  let count = 0;
  const fileOf = (name: string): string => join(daemon.home, `${name}.db`);

  return {
    url: `http://127.0.0.1:${http.port}/mcp`,
    port: http.port,
    tokens,
    connections,
    approvals: confirmation.approvals,
    logged,
    async connection(changes = {}) {
      count += 1;
      const name = `shop${count}`;
      const database = new SqliteFile(fileOf(name));
      database.exec('create table orders (id integer primary key); insert into orders values (1), (2), (3);');
      database.close();
      const level = { level: 'readWrite', writeUntil: null } as const;
      await connections.save(
        connectionWith({ id: randomUUID(), name, filePath: fileOf(name), externalClients: level, ...changes }),
        null,
      );
      return name;
    },
    async save(name, changes) {
      const connection = connections.find(name);
      if (connection === null) throw new Error(`There is no ${name}`);
      await connections.save({ ...connection, ...changes }, connection);
    },
    refill(name) {
      const database = new SqliteFile(fileOf(name));
      database.exec('insert into orders values (1), (2), (3);');
      database.close();
    },
    fill(name, rows) {
      const database = new SqliteFile(fileOf(name));
      const insert = database.prepare('insert into orders values (null)');
      for (let row = 0; row < rows; row += 1) insert.run();
      database.close();
    },
    execute: (name, sql) => void executeOn(fileOf(name), sql),
    orders(name) {
      const database = new SqliteFile(fileOf(name));
      try {
        const exists = database.prepare("select 1 from sqlite_schema where name = 'orders'").get() !== undefined;
        return exists ? Number(database.value('select count(*) from orders')) : null;
      } finally {
        database.close();
      }
    },
    async token({ confirmInClient = true, scope = 'fullAccess' } = {}) {
      const asked = { name: 'laptop', scope, connections: 'all', expires: 1, confirmInClient, client: null } as const;
      return (await tokens.mint(asked)).plaintext;
    },
    idOf(token) {
      const verified = tokens.verify(token);
      if (verified.kind !== 'valid') throw new Error(`The token is ${verified.kind}`);
      return verified.record.id;
    },
    async shell(answers = true) {
      const shell = await shellOf(daemon);
      shells.push(shell);
      if (answers) await shell.ask('desk.attach', { answers: true });
      return shell;
    },
    async question() {
      await until(() => confirmation.approvals.pending().length > 0, 'a question is asked');
      const [first] = confirmation.approvals.pending();
      if (first === undefined) throw new Error('It was withdrawn at once.');
      return first;
    },
    advanceSeconds(seconds) {
      daemon.now += seconds * 1000;
    },
    setClock(seconds) {
      daemon.set = seconds * 1000;
    },
    async stop() {
      for (const shell of shells) shell.close();
      await http.close(0);
      await databases.close();
      await daemon.end();
    },
  };
}

/** What a user does with the displayed form. */
export type UserAct = 'yes' | 'no' | 'unticked' | 'dismiss' | 'unasked' | 'silence';

export interface AskedClient {
  /**
   * Text of the answer, and whether it is a tool error; a JSON-RPC error as its code and message.
   */
  call(tool: string, args: Record<string, unknown>, options?: CallOptions): Promise<CallEnd>;
  /** The messages that its user saw. */
  readonly asked: string[];
  close(): Promise<void>;
}

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { readonly progress: number; readonly message?: string | undefined }) => void;
}

export interface CallEnd {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: Record<string, unknown> | null;
}

export const clientKinds = ['SDK v2, modern', 'SDK v2, legacy', 'SDK v1'] as const;
export type ClientKind = (typeof clientKinds)[number];

/** @param act null for a client that doesn't declare that it can ask. */
export async function connectClient(
  kind: ClientKind,
  url: string,
  token: string,
  act: UserAct | null,
): Promise<AskedClient> {
  const asked: string[] = [];
  const identity = { name: 'real \u202eclient', version: '1.0.0' };
  const capabilities = act === null ? {} : { elicitation: {} };
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  const answer = async (message: string) => {
    asked.push(message);
    return formAnswer(act ?? 'no');
  };
  if (kind === 'SDK v1') {
    const client = new OldClient(identity, { capabilities });
    if (act !== null) client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params.message));
    // The old SDK's own types don't agree with exactOptionalPropertyTypes.
    await client.connect(new OldTransport(new URL(url), { requestInit }) as Parameters<OldClient['connect']>[0]);
    return {
      asked,
      call: (name, args, options) => endOf(client.callTool({ name, arguments: args }, undefined, options)),
      close: () => client.close(),
    };
  }
  const mode = kind === 'SDK v2, modern' ? ({ pin: '2026-07-28' } as const) : 'legacy';
  const client = new Client(identity, { capabilities, versionNegotiation: { mode } });
  if (act !== null) client.setRequestHandler('elicitation/create', ({ params }) => answer(params.message));
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return {
    asked,
    call: (name, args, options) => endOf(client.callTool({ name, arguments: args }, options)),
    close: () => client.close(),
  };
}

function formAnswer(
  act: UserAct,
): Promise<{ action: 'accept' | 'decline' | 'cancel'; content?: { approve?: boolean } }> {
  switch (act) {
    case 'yes':
      return Promise.resolve({ action: 'accept', content: { approve: true } });
    case 'unticked':
      return Promise.resolve({ action: 'accept', content: { approve: false } });
    case 'unasked':
      return Promise.resolve({ action: 'accept', content: {} });
    case 'no':
      return Promise.resolve({ action: 'decline' });
    case 'dismiss':
      return Promise.resolve({ action: 'cancel' });
    case 'silence':
      return new Promise(() => {});
  }
}

async function endOf(called: Promise<object>): Promise<CallEnd> {
  try {
    const result: Readonly<Record<string, unknown>> = { ...(await called) };
    const [first] = Array.isArray(result.content) ? result.content : [];
    return {
      isError: result.isError === true,
      text: String(first?.text ?? ''),
      structured: (result.structuredContent ?? null) as Record<string, unknown> | null,
    };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    return { isError: true, text: `${code} ${error instanceof Error ? error.message : error}`, structured: null };
  }
}
