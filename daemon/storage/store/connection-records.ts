/**
 * Keeps connections in the store as JSON records, those in use and the removed ones. Passwords are
 * never in them.
 */

import * as z from 'zod';
import { engines } from '../../../shared/engine.ts';
import { isObject, parsedJson } from '../../../shared/json.ts';
import { shownName } from '../../../shared/shown-text.ts';
import { signInMethods } from '../../../shared/sign-in-methods.ts';
import { targetServersWords } from '../../../shared/target-servers.ts';
import { aiPolicies, type Connection, externalClientsLevels, tlsModes } from '../../access/connection.ts';
import type { ConnectionStore, DamagedConnection } from '../../access/connection-register.ts';
import { fieldsThatMayHoldPassword, mayHoldPassword } from '../../access/credential-forms.ts';
import type { RemovedConnection } from '../../access/removed-connections.ts';
import { maskPatternProblem } from '../../guard/masks.ts';
import { mostPatterns, patternProblem } from '../../guard/sight.ts';
import type { ReportDamage } from './damaged-rows.ts';
import type { Store } from './store.ts';

interface Row {
  readonly id: unknown;
  readonly name: unknown;
  readonly revision: unknown;
  readonly record: unknown;
  readonly removed_at: unknown;
}

const textOrNone = z.string().nullable();
const numberOrNone = z.number().nullable();
/** A pattern that can't be read might hide nothing, so nobody reaches that connection then. */
const patterns = z.array(z.string().refine(pattern => patternProblem(pattern) === null)).max(mostPatterns);
const masks = z
  .array(z.string().refine(pattern => maskPatternProblem(pattern) === null))
  .min(1)
  .max(mostPatterns);
const stored = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  revision: z.number().int(),
  engine: z.enum(engines),
  host: textOrNone,
  port: numberOrNone,
  socketPath: textOrNone,
  filePath: textOrNone,
  database: textOrNone,
  databases: z.enum(['own', 'all']),
  user: textOrNone,
  targetServers: z.enum(targetServersWords).optional(),
  signInMethods: z.array(z.enum(signInMethods)).min(1).optional(),
  tls: z.object({
    mode: z.enum(tlsModes),
    caFile: textOrNone,
    caFileDigest: textOrNone.optional(),
    clientCertificate: z.object({ certificateFile: z.string(), keyFile: z.string() }).optional(),
  }),
  via: z
    .discriminatedUnion('kind', [
      z.object({
        kind: z.literal('ssh'),
        destination: z.string(),
        jumps: z.array(z.string()),
        keyFile: textOrNone,
      }),
      z.object({ kind: z.literal('command'), command: z.string() }),
    ])
    .nullable(),
  sshConfigurationDigest: textOrNone.optional(),
  password: z.discriminatedUnion('kind', [
    z.object({ kind: z.enum(['none', 'stored']) }),
    z.object({ kind: z.literal('command'), command: z.string() }),
  ]),
  identity: z.literal('any').optional(),
  walls: z.literal('one').optional(),
  sight: z.object({ hide: patterns, only: patterns, show: patterns }).optional(),
  masks: masks.optional(),
  statementTimeoutSeconds: numberOrNone,
  rowLimit: numberOrNone,
  writeRowLimit: numberOrNone,
  timeZone: textOrNone,
  colour: textOrNone,
  group: textOrNone,
  tags: z.array(z.string()),
  externalClients: z.object({ level: z.enum(externalClientsLevels), writeUntil: z.iso.datetime().nullable() }),
  aiPolicy: z.enum(aiPolicies),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
/** A record that somebody edited may hold what no client may read. */
const shape = stored
  .refine(record => fieldsThatMayHoldPassword(record).length === 0)
  .transform(({ via, ...rest }): Connection => ({ ...rest, ...(via !== null && { tunnel: via }) }));

export function connectionRecordsIn(
  { knex, write }: Pick<Store, 'knex' | 'write'>,
  report: ReportDamage = () => {},
): ConnectionStore {
  const damaged: DamagedConnection[] = [];
  const removed: RemovedConnection[] = [];

  function unreadable(id: string, name: string): [] {
    damaged.push({ id, name });
    report({
      table: 'connections',
      row: mayHoldPassword(name) ? shownName(id) : `${shownName(id)} (${shownName(name)})`,
      meanwhile: 'nobody reaches that connection',
      remedy: `Restore the file from a backup, or run \`sallyport connections remove ${id}\` and add the connection again.`,
    });
    return [];
  }

  return {
    async load() {
      const rows: Row[] = await knex('connections').select('id', 'name', 'revision', 'record', 'removed_at');
      return rows.flatMap(({ id, name, revision, record, removed_at: removedAt }) => {
        const read = shape.safeParse({ ...recordOf(record), id, name, revision });
        if (removedAt === null) return read.success ? read.data : unreadable(String(id), String(name));
        // Nobody knows when it was removed; removing it again sets a time.
        if (typeof removedAt !== 'number') return unreadable(String(id), String(name));
        removed.push({ id: String(id), name: String(name), removedAt, connection: read.data ?? null });
        return [];
      });
    },
    damaged: () => damaged,
    removed: () => removed,
    async save(connection) {
      const { id, name, revision, tunnel = null, ...rest } = connection satisfies Connection;
      await write(
        knex('connections')
          .insert({ id, name, revision, record: JSON.stringify({ ...rest, via: tunnel }) })
          .onConflict('id')
          .merge(),
      );
    },
    async remove(id, at) {
      await write(knex('connections').where({ id }).update({ removed_at: at }));
    },
    async restore(id) {
      await write(knex('connections').where({ id }).update({ removed_at: null }));
    },
    async delete(id) {
      await write(knex('connections').where({ id }).delete());
    },
  };
}

function recordOf(text: unknown): object {
  const record = parsedJson(String(text));
  return isObject(record) ? record : {};
}
