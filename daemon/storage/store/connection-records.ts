/** Keeps connections in the store as JSON records. Passwords are never part of one. */

import * as z from 'zod';
import { isObject, parsedJson } from '../../../shared/json.ts';
import { shownName } from '../../../shared/shown-text.ts';
import { targetServersWords } from '../../../shared/target-servers.ts';
import { aiPolicies, type Connection, engines, externalClientsLevels, tlsModes } from '../../access/connection.ts';
import type { ConnectionStore, DamagedConnection } from '../../access/connection-register.ts';
import type { ReportDamage } from './damaged-rows.ts';
import type { Store } from './store.ts';

interface Row {
  readonly id: unknown;
  readonly name: unknown;
  readonly revision: unknown;
  readonly record: unknown;
}

const textOrNone = z.string().nullable();
const numberOrNone = z.number().nullable();
const shape = z.object({
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
  tls: z.object({
    mode: z.enum(tlsModes),
    caFile: textOrNone,
    clientCertificate: z.object({ certificateFile: z.string(), keyFile: z.string() }).optional(),
  }),
  via: z.null(),
  password: z.discriminatedUnion('kind', [
    z.object({ kind: z.enum(['none', 'stored']) }),
    z.object({ kind: z.literal('command'), command: z.string() }),
  ]),
  statementTimeoutSeconds: numberOrNone,
  rowLimit: numberOrNone,
  // Records of before there were these have none.
  writeRowLimit: numberOrNone.default(null),
  timeZone: textOrNone.default(null),
  colour: textOrNone,
  group: textOrNone,
  tags: z.array(z.string()),
  externalClients: z.object({ level: z.enum(externalClientsLevels), writeUntil: z.iso.datetime().nullable() }),
  aiPolicy: z.enum(aiPolicies),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
}) satisfies z.ZodType<Connection>;

export function connectionRecordsIn(
  { knex, write }: Pick<Store, 'knex' | 'write'>,
  report: ReportDamage = () => {},
): ConnectionStore {
  const damaged: DamagedConnection[] = [];

  function unreadable(id: string, name: string): [] {
    damaged.push({ id, name });
    report({
      ...{ table: 'connections', row: `${shownName(id)} (${shownName(name)})` },
      meanwhile: 'nobody reaches that connection',
      remedy: `Restore the file from a backup, or run \`sallyport connections remove ${id}\` and add the connection again.`,
    });
    return [];
  }

  return {
    async load() {
      const rows: Row[] = await knex('connections').select('id', 'name', 'revision', 'record');
      return rows.flatMap(({ id, name, revision, record }) => {
        const read = shape.safeParse({ ...recordOf(record), id, name, revision });
        return read.success ? read.data : unreadable(String(id), String(name));
      });
    },
    damaged: () => damaged,
    async save(connection) {
      const { id, name, revision, ...rest } = connection satisfies Connection;
      await write(
        knex('connections')
          .insert({ id, name, revision, record: JSON.stringify(rest) })
          .onConflict('id')
          .merge(),
      );
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
