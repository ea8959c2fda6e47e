/**
 * One AI client under load: it reads and writes on three engines through a real SDK, and each call
 * is noted before it is sent.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { type ConnectedClient, everyClient } from '../journeys/clients/every-client.ts';
import type { Chance } from './chance.ts';
import { type EngineName, engineNames, type LedgerCall } from './ledger.ts';
import type { Load } from './load.ts';
import { type Outcome, ofResult, ofThrown } from './outcomes.ts';

const callMilliseconds = 15_000;
const statementSeconds = 4;
/** For a few writes, so a kill meets some that would outlive it. */
const longSeconds = 5;
/** After so many failures in a row a person would start the client anew. */
const patience = 4;

export async function beDatabaseClient(load: Load, kind: string, token: string, chance: Chance): Promise<void> {
  let client: ConnectedClient | null = null;
  let failures = 0;
  while (!load.ended.aborted) {
    if (client === null) {
      client = await connected(load, kind, token);
      if (client === null) load.tally.count(kind, 'not let in');
    }
    if (client !== null) {
      const how = await callOnce(load, client, kind, chance);
      load.tally.count(kind, how);
      failures = how === 'connection lost' || how === 'session unknown' || how === 'nobody listens' ? failures + 1 : 0;
      if (failures >= patience) {
        await closed(client);
        client = null;
        failures = 0;
        load.tally.count(kind, 'started anew');
      }
    }
    await pause(client === null ? 200 : chance.between(20, 60));
  }
  if (client !== null) await closed(client);
}

async function connected({ world }: Load, kind: string, token: string): Promise<ConnectedClient | null> {
  const connect = everyClient[kind];
  if (connect === undefined) throw new Error(`There is no client ${kind}.`);
  let isLate = false;
  const connecting = connect({ home: world.home, url: world.url, token }).then(
    client => {
      if (!isLate) return client;
      void client.close();
      return null;
    },
    () => null,
  );
  const late = pause(callMilliseconds, null, { ref: false }).then(() => {
    isLate = true;
    return null;
  });
  return Promise.race([connecting, late]);
}

async function closed(client: ConnectedClient): Promise<void> {
  await Promise.race([client.close().catch(() => {}), pause(3_000, null, { ref: false })]);
}

async function callOnce(load: Load, client: ConnectedClient, kind: string, chance: Chance): Promise<string> {
  const engine = chance.pick(engineNames);
  const key = chance.word(16);
  const isWrite = chance.below(10) < 6;
  const forbidden = isWrite && chance.below(8) === 0;
  const isLong = isWrite && !forbidden && engine !== 'sqlite' && chance.below(30) === 0;
  const sql = isLong
    ? longWriteOf(engine, key)
    : isWrite
      ? `insert into kept (k) values ('${key}')`
      : readOf(engine, key);
  const connection = forbidden ? 'File for reading' : load.world.connectionNames[engine];
  const call = load.world.ledger.begin(isWrite ? 'write' : 'read', forbidden ? 'sqlite' : engine, key, sql, kind);
  const { outcome, how } = await outcomeOf(load, client, call, {
    ...{ connection, sql, timeout_seconds: isLong ? 2 * longSeconds : statementSeconds },
  });
  Object.assign(call, { outcome, how, endedAt: performance.now() });
  if (forbidden && outcome === 'answered')
    load.world.ledger.wrong.push(`${kind}: a write where only reads are allowed was answered`);
  return how;
}

function longWriteOf(engine: EngineName, key: string): string {
  const sleep = engine === 'postgres' ? `pg_sleep(${longSeconds})` : `(select sleep(${longSeconds})) as held`;
  return `insert into kept (k) select '${key}' from ${sleep}`;
}

function readOf(engine: EngineName, key: string): string {
  return `select '${key}' as k${engine === 'sqlite' ? '' : ', count(*) from kept'}`;
}

async function outcomeOf(
  { world }: Load,
  client: ConnectedClient,
  call: LedgerCall,
  args: Record<string, unknown>,
): Promise<Outcome> {
  try {
    const result = await client.call('execute_query', args, AbortSignal.timeout(callMilliseconds));
    const outcome = ofResult(result);
    const got = result.structuredContent?.rows?.[0]?.[0];
    if (call.kind === 'read' && outcome.outcome === 'answered' && got !== call.key)
      world.ledger.wrong.push(
        `${call.client}: a read was answered with ${JSON.stringify(got)}, not its own ${call.key}`,
      );
    return outcome;
  } catch (error) {
    return ofThrown(error);
  }
}
