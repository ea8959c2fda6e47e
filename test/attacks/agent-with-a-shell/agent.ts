/**
 * An agent with a shell, and a home whose owner has set a passphrase. The agent also has a Full
 * Access token that the owner made for a client. It can use commands with and without a terminal,
 * the control socket, HTTP, the bridge, files and signals; it doesn't know the passphrase.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ControlClient } from '../../../shell-terminal/control-client.ts';
import { runOnTerminal, type Typed } from '../../journeys/terminal/typed-on-a-terminal.ts';
import { type Ran, type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { SqliteFile } from '../../sqlite-file.ts';
import { forgedShell } from './forged-shell.ts';

export const passphrase = 'correct horse battery';
export const prompt = 'Type the owner passphrase to allow this: ';
/** A literal of a statement on a connection that is blocked since. */
export const literal = 'IBAN-DE89';
export const databasePassword = 'geheim-und-lang';

export interface Agent {
  readonly home: RealHome;
  /** The token of the client that may destroy once the owner approves. */
  readonly fullAccess: string;
  /** A Read Only token, which anybody may make. */
  readonly reader: string;
  readonly shopFile: string;
  readonly blockedFile: string;
  /** Runs a command without a terminal, with empty input. */
  run(...words: string[]): Promise<Ran>;
  /** Runs one on a pseudo-terminal and types each answer once its prompt is shown. */
  type(words: readonly string[], ...answers: (readonly [prompt: string, typed: string])[]): Promise<Typed>;
  /** Opens a shell of its own on the control socket, with the secret from the file. */
  forge(shell: string): Promise<ControlClient>;
  call(token: string, tool: string, args: Record<string, unknown>): Promise<{ isError: boolean; text: string }>;
  /** Everything that it would like to change. */
  standing(): Promise<Standing>;
  /** Number of stored statements. */
  history(): Promise<number>;
  /** Number of rows of the activity log with this outcome. */
  denied(): Promise<number>;
  clean(): Promise<void>;
}

export interface Standing {
  readonly connections: unknown;
  readonly tokens: unknown;
  readonly boxes: unknown;
  readonly settings: unknown;
  readonly passphrase: unknown;
  readonly rows: unknown;
}

export async function agentWithShell(): Promise<Agent> {
  const home = realHome(0, 'owner');
  const shopFile = makeDatabase(join(home.folder, 'shop.db'));
  const blockedFile = makeDatabase(join(home.folder, 'blocked.db'));
  const forged: ControlClient[] = [];
  const clients: Client[] = [];
  const type: Agent['type'] = (words, ...answers) => runOnTerminal(home, words, answers);

  await succeeded(home.run(['start']));
  await succeeded(home.run(['connections', 'add', `sqlite:${shopFile}`, '--name', 'Shop']));
  await succeeded(home.run(['connections', 'add', `sqlite:${blockedFile}`, '--name', 'Payroll']));
  await succeeded(home.run(['query', 'Payroll', `select '${literal}' from customers`]));
  await succeeded(home.run(['connections', 'set', 'Payroll', '--external-clients', 'blocked']));
  await succeeded(
    home.run(['connections', 'add', 'postgres://anna@db.example/shop', '--name', 'Remote', '--password-stdin'], {
      stdin: databasePassword,
    }),
  );
  await succeeded(type(['passphrase', 'set'], ['New owner passphrase: ', passphrase], ['again: ', passphrase]));
  const minted = await succeeded(
    type(['tokens', 'mint', '--name', 'editor', '--scope', 'full-access', '--json'], [prompt, passphrase]),
  );
  const fullAccess = tokenIn(minted.shown);
  const reader = tokenIn((await succeeded(home.run(['tokens', 'mint', '--name', 'reader', '--json']))).stdout);
  // History that the agent could destroy.
  await succeeded(home.run(['query', 'Shop', 'select count(*) from customers']));

  return {
    ...{ home, fullAccess, reader, shopFile, blockedFile, type },
    run: (...words) => home.run(words),
    async forge(shell) {
      const client = await forgedShell(home.home, shell);
      forged.push(client);
      return client;
    },
    async call(token, tool, args) {
      const { port } = JSON.parse(readFileSync(join(home.home, 'mcp-handshake.json'), 'utf8'));
      const client = new Client({ name: 'agent', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
      clients.push(client);
      const requestInit = { headers: { Authorization: `Bearer ${token}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), { requestInit }));
      const { isError, content } = await client.callTool({ name: tool, arguments: args });
      return { isError: isError === true, text: JSON.stringify(content) };
    },
    async standing() {
      const tokens = await home.json<{ name: string; scope: string; state: string }[]>(['tokens', 'list']);
      return {
        connections: (await home.json<Record<string, unknown>[]>(['connections', 'list'])).map(
          ({ updatedAt: _, ...each }) => each,
        ),
        // Anybody may make a client that reads what the bridge reads.
        tokens: tokens
          .filter(({ scope }) => scope !== 'readOnly')
          .map(({ name, scope, state }) => [name, scope, state]),
        boxes: await home.json(['boxes', 'list']),
        settings: await home.json(['settings', 'list']),
        passphrase: (await home.json<{ passphrase: { state: string } }>(['status'])).passphrase.state,
        rows: [rowsOf(shopFile), rowsOf(blockedFile)],
      };
    },
    history: async () => (await home.json<unknown[]>(['history'])).length,
    async denied() {
      const rows = await home.json<{ outcome: string }[]>(['activity', '--since', '1d']);
      return rows.filter(({ outcome }) => outcome === 'denied').length;
    },
    async clean() {
      for (const client of clients) await client.close().catch(() => {});
      for (const shell of forged) shell.close();
      await home.clean();
    },
  };
}

function makeDatabase(file: string): string {
  const database = new SqliteFile(file);
  database.exec("create table customers (id integer primary key, name text); insert into customers values (1, 'Ada')");
  database.close();
  return file;
}

function rowsOf(file: string): unknown {
  const database = new SqliteFile(file, { readOnly: true });
  try {
    return database.prepare('select * from customers').all();
  } finally {
    database.close();
  }
}

async function succeeded<End extends { readonly code: number | null }>(ending: Promise<End>): Promise<End> {
  const end = await ending;
  if (end.code !== 0) throw new Error(JSON.stringify(end));
  return end;
}

function tokenIn(text: string): string {
  const [token] = /sp_[A-Za-z0-9_-]{43}/.exec(text) ?? [];
  if (token === undefined) throw new Error('no token was printed');
  return token;
}
