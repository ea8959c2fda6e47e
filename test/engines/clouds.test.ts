/**
 * URLs of clouds against real servers with certificates like theirs: a root that no system knows,
 * an intermediate authority, a wildcard. A name server of the test's own resolves their names to
 * this machine; the test reads the client's first bytes.
 */

import dns from 'node:dns';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Endpoint } from '../../daemon/access/connection.ts';
import { openMysql } from '../../daemon/engines/mysql/database.ts';
import { openPostgres } from '../../daemon/engines/postgres/database.ts';
import { dialAdvice } from '../../daemon/shells/dial-advice.ts';
import { parseConnectionUrl } from '../../shared/connection-url.ts';
import { needs } from '../needs.ts';
import { type Chain, makeChain } from '../servers/certificates.ts';
import { mariadbUnavailable, startMariadb } from '../servers/mariadb.ts';
import { findPostgres, startPostgres } from '../servers/postgres.ts';
import { collect } from './collecting-sink.ts';

const names = [
  '*.eu-central-1.aws.neon.tech',
  '*.pooler.supabase.com',
  '*.c1.eu-central-1.rds.amazonaws.com',
  '*.postgres.database.azure.com',
  '*.mysql.database.azure.com',
  '*.connect.psdb.cloud',
];

interface Running {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  stop(): Promise<void>;
}

interface Candidate {
  readonly scheme: 'postgresql' | 'mysql';
  readonly database: string;
  readonly unavailable: string | null;
  readonly hosts: readonly string[];
  /** What their consoles add after the name of the database; none of it verifies the server. */
  readonly options: string;
  readonly encryption: string;
  start(chain: Chain): Promise<Running>;
}

const binaries = findPostgres();
const candidates: readonly Candidate[] = [
  {
    scheme: 'postgresql',
    database: 'postgres',
    unavailable: 'unavailable' in binaries ? binaries.unavailable : null,
    hosts: [
      'ep-cool-1.eu-central-1.aws.neon.tech',
      'ep-cool-1-pooler.eu-central-1.aws.neon.tech',
      'aws-0-eu-west-1.pooler.supabase.com',
      'shop.c1.eu-central-1.rds.amazonaws.com',
      'shop.postgres.database.azure.com',
    ],
    options: 'sslmode=require&channel_binding=require',
    encryption: 'select cast(ssl as text) from pg_stat_ssl where pid = pg_backend_pid()',
    async start(chain) {
      if ('unavailable' in binaries) throw new Error(binaries.unavailable);
      const server = await startPostgres(binaries);
      await server.serveCertificate(chain);
      const { port, superuser: user, password } = server;
      return { port, user, password, stop: () => server.stop() };
    },
  },
  {
    scheme: 'mysql',
    database: 'mysql',
    unavailable: mariadbUnavailable(),
    hosts: ['shop.c1.eu-central-1.rds.amazonaws.com', 'shop.mysql.database.azure.com', 'aws.connect.psdb.cloud'],
    options: 'sslaccept=accept_invalid_certs',
    encryption:
      "select if(variable_value = '', 'false', 'true') from performance_schema.session_status where variable_name = 'Ssl_cipher'",
    async start({ certificateFile, keyFile }) {
      const server = await startMariadb([`--ssl-cert=${certificateFile}`, `--ssl-key=${keyFile}`]);
      const { port, user, password } = server;
      return { port, user, password, stop: () => server.stop() };
    },
  },
];

for (const candidate of candidates) needs(candidate.unavailable).describe(candidate.scheme, () => suite(candidate));

function suite({ scheme, database, hosts, options, encryption, start }: Candidate): void {
  const { lookup } = dns;
  let folder = '';
  let chain: Chain;
  let server: Running;
  let line: Server;
  let said = Buffer.alloc(0);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-chain-'));
    chmodSync(folder, 0o755);
    chain = makeChain(folder, names);
    server = await start(chain);
    line = createServer(client => {
      const through = connect(server.port, '127.0.0.1');
      client.on('data', bytes => {
        said = Buffer.concat([said, bytes]);
      });
      client.pipe(through).pipe(client);
      for (const [one, other] of [
        [client, through],
        [through, client],
      ] as const)
        one.on('error', () => other.destroy());
    });
    await new Promise<void>(resolve => line.listen(0, '127.0.0.1', resolve));
    const here = (name: string, ...rest: unknown[]): void =>
      Reflect.apply(lookup, dns, [/\.(tech|com|cloud)$/.test(name) ? '127.0.0.1' : name, ...rest]);
    Object.assign(dns, { lookup: here });
  }, 60_000);
  afterAll(async () => {
    Object.assign(dns, { lookup });
    line?.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  /** Whether the session is encrypted, or what a person is advised. */
  async function asked(host: string, behind: string): Promise<unknown> {
    const { port } = line.address() as AddressInfo;
    const url = `${scheme}://${server.user}:${encodeURIComponent(server.password)}@${host}:${port}/${database}${behind}`;
    const parsed = parseConnectionUrl(url, { cwd: folder, home: folder });
    if (parsed.kind === 'refused') throw new Error(parsed.problem);
    const endpoint: Endpoint = {
      ...parsed.endpoint,
      tls: { ...parsed.tls, mode: parsed.tls.mode ?? 'verify-full' },
      databases: 'own',
      password: { kind: 'stored' },
      timeZone: null,
    };
    const open = scheme === 'mysql' ? openMysql : openPostgres;
    const opened = open(endpoint, { password: async () => parsed.password, now: () => performance.now() });
    said = Buffer.alloc(0);
    try {
      const { outcome, rows } = await collect(opened, encryption, { timeoutSeconds: 8 });
      return outcome.kind === 'not_connected' ? dialAdvice(outcome.problem, 'shop') : (rows[0]?.[0] ?? outcome);
    } finally {
      await opened.close();
    }
  }

  describe.each(hosts)('%s', host => {
    test('is trusted by its root, and hears its name before it shows a certificate', async () => {
      expect(await asked(host, '?sslrootcert=root.crt')).toBe('true');
      expect(said.toString('latin1')).toContain(host);
    });

    test('isn’t trusted without it, and the refusal says what to do', async () => {
      expect(await asked(host, '')).toMatch(/connections set shop --ca FILE`; --tls require encrypts/);
    });

    test('as the console writes it, is encrypted and not verified', async () => {
      expect(await asked(host, `?${options}`)).toBe('true');
    });

    test('a wildcard stands for one label only', async () => {
      expect(await asked(`other.${host}`, '?sslrootcert=root.crt')).toContain('--tls verify-ca');
    });
  });
}
