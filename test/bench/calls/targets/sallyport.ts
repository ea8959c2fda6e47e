/**
 * Sallyport with every guard on: a token, policy, the walls before and in the database, and a row
 * in the activity log per call.
 */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { RealHome } from '../../../bridge/real-home.ts';
import { Owner } from '../../../torture/owner.ts';
import type { Database } from '../databases.ts';
import type { Rows } from '../workloads.ts';
import { freePort } from './server-process.ts';
import type { Target, Undo } from './target.ts';

/** Limits raised for the load, as the report says. */
export const raised = {
  'limits.requestsPerMinute': 0,
  'limits.concurrentRequests': 0,
  'results.maxBytes': 4 * 1024 * 1024,
  'results.defaultBytes': 4 * 1024 * 1024,
};

/** A token has at most 16 sessions of the older era. */
const tokenCount = 4;

export const sallyportNames = { modern: 'Sallyport, 2026-07-28', legacy: 'Sallyport, 2025-11-25' };

export interface Sallyport {
  readonly pid: number;
  readonly targets: readonly Target[];
}

/**
 * @param folder of the checkout whose built commands run.
 * @returns both eras of each database.
 */
export async function startSallyport(folder: string, databases: readonly Database[], undo: Undo): Promise<Sallyport> {
  const home = new RealHome();
  undo.push(() => home.clean());
  execFileSync(join(folder, 'build/bin/sallyport'), ['start'], { env: home.environment, stdio: 'pipe' });
  const owner = new Owner(home.home);
  undo.push(async () => owner.close());
  const port = await freePort();
  for (const [key, value] of Object.entries({ port, ...raised })) await owner.ask('settings.set', { key, value });
  for (const database of databases) await owner.ask('connections.save', connectionOf(database));
  const terms = { scope: 'readOnly', connections: 'all', expires: 'never', confirmInClient: false } as const;
  const tokens: string[] = [];
  for (let minted = 0; minted < tokenCount; minted++)
    tokens.push((await owner.ask('tokens.mint', { name: `bench ${minted}`, ...terms })).token);
  const { pid = 0 } = home.handshake() ?? {};
  const targetOf = ({ engine }: Database, name: string, era: Target['era']): Target => ({
    name,
    engine,
    era,
    port,
    path: '/mcp',
    tokens,
    pid,
    call: ({ sql }) => ({ tool: 'execute_query', args: { connection: engine, sql, max_rows: 10_000 } }),
    rowsOf: ({ structuredContent }) => textOf(structuredContent?.rows as unknown[][]),
  });
  const targets = databases.flatMap(database => [
    targetOf(database, sallyportNames.modern, '2026-07-28'),
    targetOf(database, sallyportNames.legacy, '2025-11-25'),
  ]);
  return { pid, targets };
}

function textOf(rows: readonly (readonly unknown[])[]): Rows {
  return rows.map(row => row.map(String));
}

function connectionOf({ engine, user, password, host, port, database }: Database) {
  const nowhere = { host: null, port: null, socketPath: null, filePath: null, database: null, user: null };
  const level = { externalClients: { level: 'readOnly' } } as const;
  if (engine === 'sqlite')
    return { name: engine, endpoint: { ...nowhere, engine, filePath: database }, ...level } as const;
  const endpoint = { ...nowhere, engine: engine === 'mariadb' ? 'mysql' : engine, host, port, database, user } as const;
  // As the rivals do: the benchmark doesn't compare TLS.
  const tls = { mode: 'disable' } as const;
  return { name: engine, endpoint, tls, password: { kind: 'stored', value: password }, ...level } as const;
}
