/**
 * Somebody stands between Sallyport and a PostgreSQL server with TLS that no authority vouches for,
 * and passes the sign-in on (spec §6). Channel binding tells, and what was there once stays; no
 * query reaches the relay.
 */

import { afterEach, expect, test } from '@jest/globals';
import type { Connection, TlsMode } from '../../../daemon/access/connection.ts';
import { describeWithPostgres, endpointOf, runOn } from '../../engines/postgres/suite.ts';
import { openPlace, type Place, type Remembering, relayTo, remembering, throughTo } from './postgres-place.ts';
import { int32, message } from './postgres-visitor.ts';

const password = 'not-to-be-read';
const user = 'guarded';

const places: Place[] = [];
const opened: Remembering[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ database }) => database.close()));
  await Promise.all(places.splice(0).map(place => place.close()));
});

describeWithPostgres('a relay before a PostgreSQL server', suite => {
  const own = () => {
    const { wrongHostCertificateFile: certificateFile, wrongHostKeyFile: keyFile } = suite.server.certificates;
    return { certificateFile, keyFile };
  };
  const relays = {
    'with its own certificate': () => relayTo(suite.server.port, { certificate: own(), isTlsBehind: true }),
    'with its own certificate, that strikes channel binding': () =>
      relayTo(suite.server.port, { certificate: own(), isTlsBehind: true, strikesBinding: true }),
    'with its own certificate, in clear text behind': () =>
      relayTo(suite.server.port, { certificate: own(), isTlsBehind: false }),
    'that says there is no TLS': () => relayTo(suite.server.port, { certificate: null, isTlsBehind: false }),
    'that says there is no TLS, with TLS behind': () =>
      relayTo(suite.server.port, { certificate: null, isTlsBehind: true }),
  } as const;

  async function begin(
    mode: TlsMode,
    more: Partial<Connection> = {},
  ): Promise<{ readonly place: Place; readonly home: Remembering }> {
    await suite.server.psql(`drop role if exists ${user}; create role ${user} login password '${password}'`);
    const place = await openPlace({ host: '127.0.0.1', port: 0 });
    places.push(place);
    const tls = { mode, caFile: mode === 'verify-ca' ? suite.server.certificates.caFile : null };
    const changes: Partial<Connection> = { ...endpointOf(suite.server), port: place.port, user, tls, ...more };
    const home = await remembering(password, { ...changes, password: { kind: 'stored' } });
    opened.push(home);
    return { place, home };
  }

  const isServed = async ({ database }: Remembering) =>
    (await runOn(database, 'select current_user::text')).rows[0]?.[0] === user;

  async function expectRefused(place: Place, { database }: Remembering): Promise<void> {
    const { outcome } = await runOn(database, 'select 1', { timeoutSeconds: 3 });
    expect(outcome.kind).toBe('not_connected');
    expect(place.journal.letters.filter(letter => !'pX'.includes(letter))).toEqual([]);
    expect(place.journal.text).not.toContain(password);
  }

  for (const mode of ['prefer', 'require', 'verify-ca'] as const) {
    test.each(Object.entries(relays))(`%s, under ${mode}, after the server was seen`, async (_what, relay) => {
      const { place, home } = await begin(mode);
      place.is(throughTo(suite.server.port));
      expect(await isServed(home)).toBe(true);
      place.is(relay());
      place.cut();
      await expectRefused(place, home);
      place.is(throughTo(suite.server.port));
      expect(await isServed(home)).toBe(true);
    });
  }

  // Without TLS behind it, nobody can tell at the first time: the server doesn't know that there
  // is TLS before.
  test.each(Object.entries(relays).slice(0, 2))('%s, at the first sign-in', async (_what, relay) => {
    const { place, home } = await begin('require');
    place.is(relay());
    await expectRefused(place, home);
    await home.asPerson(() => expectRefused(place, home));
  });

  test.each(['require', 'verify-ca'] as const)(
    'that says there is no TLS, at the first sign-in under %s',
    async mode => {
      const { place, home } = await begin(mode);
      place.is(relays['that says there is no TLS']());
      await home.asPerson(() => expectRefused(place, home));
      expect(place.journal.letters).toEqual([]);
    },
  );

  test.each(Object.entries(relays))('%s, at the first sign-in with channel_binding=require', async (_what, relay) => {
    const { place, home } = await begin('prefer', { signInMethods: ['scram-sha-256-plus'] });
    place.is(relay());
    await home.asPerson(() => expectRefused(place, home));
    place.is(throughTo(suite.server.port));
    expect(await isServed(home)).toBe(true);
  });

  const inText = (what: RegExp, by: (found: string) => string) => (said: Buffer) =>
    Buffer.from(said.toString('latin1').replace(what, by), 'latin1');
  const another = (found: string): string => (found === 'A' ? 'B' : 'A');
  const earlier: Buffer[] = [];
  /** Each with the same length. */
  const alterations: Readonly<Record<string, (said: Buffer) => Buffer>> = {
    'another salt': inText(/(?<=,s=)./, another),
    'another nonce': inText(/(?<=r=)./, another),
    'another end of the nonce': inText(/.(?=,s=)/, another),
    'fewer rounds': inText(/(?<=,i=)4096/, () => '4095'),
    'more rounds': inText(/(?<=,i=)4096/, () => '9999'),
    'another signature': inText(/(?<=\bv=)./, another),
    'no signature': said => (said.includes('v=') ? said.subarray(1 + said.readInt32BE(1)) : said),
    'the signature of an earlier sign-in': said => {
      if (!said.includes('v=')) return said;
      const final = said.subarray(0, 1 + said.readInt32BE(1));
      earlier.push(final);
      return Buffer.concat([earlier[0] ?? final, said.subarray(final.length)]);
    },
    'a request for clear text': said => (said.includes('v=') ? clearTextRequest : said),
    'a request for clear text from the start': said => (said.includes('SCRAM') ? clearTextRequest : said),
    'MD5 in the place of SCRAM': said => (said.includes('SCRAM') ? md5Request : said),
  };
  const clearTextRequest = message('R', int32(3));
  const md5Request = message('R', int32(5), 'salt');

  test.each(Object.entries(alterations))('puts %s into a line without TLS', async (what, alters) => {
    const { place, home } = await begin('prefer');
    const isReplay = what.includes('earlier');
    const isGuessable = what.includes('MD5');
    if (isReplay || isGuessable) {
      place.is(
        relayTo(suite.server.port, { certificate: null, isTlsBehind: false, alters: isReplay ? alters : undefined }),
      );
      expect(await isServed(home)).toBe(true);
      place.cut();
      place.journal.clear();
    }
    place.is(relayTo(suite.server.port, { certificate: null, isTlsBehind: false, alters }));
    await expectRefused(place, home);
  });
});
