/**
 * libpq's `require_auth` and `channel_binding` at a real PostgreSQL: a server that asks to sign in
 * by a method that the person has excluded gets no password and no query (spec §6).
 */

import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Connection } from '../../../daemon/access/connection.ts';
import { parseConnectionUrl } from '../../../shared/connection-url.ts';
import { endpointOf, runOn } from '../../engines/postgres/suite.ts';
import { needs } from '../../needs.ts';
import type { PostgresServer } from '../../servers/postgres.ts';
import { type Remembering, remembering } from './postgres-place.ts';
import { password, startWithRoles, unavailable } from './postgres-roles.ts';

const opened: Remembering[] = [];
let server: PostgresServer;

needs(unavailable).describe('a PostgreSQL that asks in its own way', () => {
  beforeAll(async () => {
    server = await startWithRoles();
  }, 60_000);
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(({ database }) => database.close()));
  });
  afterAll(() => server?.stop(), 60_000);

  /** @returns who is in, or why nobody is. */
  async function whoIsIn(options: string, user: string, changes: Partial<Connection> = {}): Promise<unknown> {
    const parsed = parseConnectionUrl(`postgres://h?${options}`, { cwd: '/', home: '/' });
    if (parsed.kind === 'refused') throw new Error(parsed.problem);
    const { signInMethods } = parsed;
    const place = { ...endpointOf(server, { user }), ...changes, ...(signInMethods && { signInMethods }) };
    const home = await remembering(password, place);
    opened.push(home);
    const { outcome, rows } = await home.asPerson(() =>
      runOn(home.database, 'select session_user::text', { timeoutSeconds: 5 }),
    );
    return outcome.kind === 'done' ? rows[0]?.[0] : 'message' in outcome ? outcome.message : outcome.kind;
  }

  const roles = {
    scram: 'scram_role',
    md5: 'md5_role',
    // By its socket, the only place where a test may show the password.
    'clear text': 'clear_text_role',
    nothing: 'trusted_role',
  } as const;
  type Method = keyof typeof roles;
  const everyMethod = Object.keys(roles) as Method[];

  test.each<[requireAuth: string, taken: readonly Method[]]>([
    ['', everyMethod],
    ['!gss,!sspi,!oauth', everyMethod],
    ['scram-sha-256', ['scram']],
    ['md5', ['md5']],
    ['password', ['clear text']],
    ['none', ['nothing']],
    ['scram-sha-256,md5', ['scram', 'md5']],
    ['gss,scram-sha-256', ['scram']],
    ['!password', ['scram', 'md5', 'nothing']],
    ['!password,!md5', ['scram', 'nothing']],
    ['!none', ['scram', 'md5', 'clear text']],
    ['!none,!password,!md5,!gss', ['scram']],
    ['!scram-sha-256', ['md5', 'clear text', 'nothing']],
  ])('require_auth=%s', async (requireAuth, taken) => {
    for (const method of everyMethod) {
      const user = roles[method];
      const socket = { host: null, port: server.port, socketPath: server.socketFolder };
      const who = await whoIsIn(`require_auth=${requireAuth}`, user, method === 'clear text' ? socket : {});
      if (taken.includes(method)) expect(who).toBe(user);
      else
        expect(who).toMatch(
          /the server asks for \S+, and the connection takes only .+ \(require_auth, channel_binding\)/,
        );
      expect(who).not.toContain(password);
    }
  });

  test('channel_binding=require takes SCRAM that is bound to TLS, and nothing else', async () => {
    const tls = { host: 'localhost', tls: { mode: 'require', caFile: null } } as const;
    const binding = 'channel_binding=require';
    expect(await whoIsIn(binding, roles.scram, tls)).toBe(roles.scram);
    expect(await whoIsIn(`${binding}&require_auth=scram-sha-256`, roles.scram, tls)).toBe(roles.scram);
    const refused = /takes only scram-sha-256-plus/;
    expect(await whoIsIn(binding, roles.scram)).toMatch(refused);
    expect(await whoIsIn(binding, roles.md5, tls)).toMatch(refused);
    expect(await whoIsIn(binding, roles.nothing, tls)).toMatch(refused);
    // What is bound counts as SCRAM.
    expect(await whoIsIn('require_auth=scram-sha-256', roles.scram, tls)).toBe(roles.scram);
  });

  test('holds without a saved password too', async () => {
    const none = { password: { kind: 'none' } } as const;
    expect(await whoIsIn('require_auth=scram-sha-256', roles.nothing, none)).toMatch(/asks for nothing/);
  });

  test('holds for a server to throw away', async () => {
    expect(await whoIsIn('require_auth=!md5', roles.md5, { identity: 'any' })).toMatch(/asks for md5/);
  });
});
