/**
 * Something else listens where a PostgreSQL server did (spec §6). Whatever it asks for, it gets no
 * password, nothing from which one could be guessed that the server hasn't got before, and no
 * query; and the server itself goes on being let in.
 */

import { randomBytes } from 'node:crypto';
import { chownSync, lchownSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import type { Connection } from '../../../daemon/access/connection.ts';
import { describeWithPostgres, endpointOf, runOn } from '../../engines/postgres/suite.ts';
import { needsRoot } from '../../needs.ts';
import { openPlace, type Place, type Remembering, remembering, throughTo } from './postgres-place.ts';
import { int32, letIn, message, ready, type Visitor } from './postgres-visitor.ts';

const password = 'not-to-be-read';

const places: Place[] = [];
const opened: Remembering[] = [];
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ database }) => database.close()));
  await Promise.all(places.splice(0).map(place => place.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function placeAt(at: Parameters<typeof openPlace>[0]): Promise<Place> {
  const place = await openPlace(at);
  places.push(place);
  return place;
}

async function connectionTo(changes: Partial<Connection>): Promise<Remembering> {
  const home = await remembering(password, changes);
  opened.push(home);
  return home;
}

const asked = (number: number, ...data: readonly (Buffer | string)[]) => message('R', int32(number), ...data);

/** As far as the client's first message; @returns its nonce. */
async function beginScram(visitor: Visitor): Promise<string> {
  visitor.send(asked(10, 'SCRAM-SHA-256\0\0'));
  const first = await visitor.message();
  return /r=(.+)$/.exec(first.toString('latin1'))?.[1] ?? '';
}

const salt = randomBytes(16).toString('base64');

async function scramUntilProof(visitor: Visitor, rounds: number): Promise<void> {
  await continueScram(visitor, nonce => `r=${nonce}impostor,s=${salt},i=${rounds}`);
}

async function continueScram(visitor: Visitor, first: (nonce: string) => string): Promise<void> {
  const nonce = await beginScram(visitor);
  visitor.send(asked(11, first(nonce)));
  await visitor.message();
}

/** Left at once, whatever was seen there before. */
const says = (what: string, heard: number, plays: (visitor: Visitor) => Promise<void>): Impostor => {
  return { what, plays, heard, fromTheFirst: true };
};
/** In its very first message. */
const asks = (what: string, ...messages: readonly Buffer[]): Impostor =>
  says(what, 0, async visitor => {
    visitor.send(...messages);
    await visitor.message();
    visitor.send(letIn);
  });
/** In the place of SCRAM's first message by the server. */
const answers = (what: string, first: (nonce: string) => string): Impostor =>
  says(what, 1, async visitor => {
    await continueScram(visitor, first);
    visitor.send(letIn);
  });
/** After the client's first message, and after its proof. */
const afterFirst = (what: string, ...messages: readonly Buffer[]): Impostor =>
  says(what, 1, async visitor => {
    await beginScram(visitor);
    visitor.send(...messages, letIn);
  });
const afterProof = (what: string, ...messages: readonly Buffer[]): Impostor =>
  says(what, 2, async visitor => {
    await scramUntilProof(visitor, 4_096);
    visitor.send(...messages, letIn);
  });
const error = message('E', 'SFATAL\0VFATAL\0C28P01\0Mthe password is wrong\0\0');

interface Impostor {
  readonly what: string;
  readonly plays: (visitor: Visitor) => Promise<void>;
  /** Messages that it gets before it is left. */
  readonly heard: number;
  /** True if it is left by whoever meets it, also at the first sign-in. */
  readonly fromTheFirst: boolean;
}

const impostors: readonly Impostor[] = [
  {
    what: 'asks for the password in clear text',
    plays: async visitor => {
      visitor.send(asked(3));
      await visitor.message();
      visitor.send(letIn);
    },
    heard: 0,
    fromTheFirst: true,
  },
  {
    what: 'asks for MD5 of it',
    plays: async visitor => {
      visitor.send(asked(5, Buffer.from('salt')));
      await visitor.message();
      visitor.send(letIn);
    },
    heard: 0,
    fromTheFirst: false,
  },
  {
    what: 'asks for nothing',
    plays: async visitor => visitor.send(letIn),
    heard: 0,
    fromTheFirst: false,
  },
  {
    what: 'begins SCRAM and lets in after the first message',
    plays: async visitor => {
      await beginScram(visitor);
      visitor.send(letIn);
    },
    heard: 1,
    fromTheFirst: true,
  },
  {
    what: 'lets in after the proof, without one of its own',
    plays: async visitor => {
      await scramUntilProof(visitor, 4_096);
      visitor.send(letIn);
    },
    heard: 2,
    fromTheFirst: true,
  },
  {
    what: 'signs wrongly',
    plays: async visitor => {
      await scramUntilProof(visitor, 4_096);
      visitor.send(asked(12, `v=${randomBytes(32).toString('base64')}`), letIn);
    },
    heard: 2,
    fromTheFirst: true,
  },
  {
    what: 'asks for one round',
    plays: visitor => scramUntilProof(visitor, 1),
    heard: 1,
    fromTheFirst: true,
  },
  {
    what: 'asks for 4,095 rounds',
    plays: visitor => scramUntilProof(visitor, 4_095),
    heard: 1,
    fromTheFirst: true,
  },
  {
    what: 'sends the end of SCRAM before its middle',
    plays: async visitor => {
      await beginScram(visitor);
      visitor.send(asked(12, 'v='), letIn);
    },
    heard: 1,
    fromTheFirst: true,
  },
  {
    what: 'asks for clear text in the middle of SCRAM',
    plays: async visitor => {
      await beginScram(visitor);
      visitor.send(asked(3));
      await visitor.message();
    },
    heard: 1,
    fromTheFirst: true,
  },
  {
    what: 'says that it is ready and nothing else',
    plays: async visitor => visitor.send(letIn.subarray(9)),
    heard: 0,
    fromTheFirst: true,
  },
  asks('lets in, and then asks for clear text', asked(0), asked(3)),
  asks('lets in twice', asked(0), asked(0)),
  asks('asks for MD5 with half a salt', asked(5, Buffer.from('sa'))),
  asks('asks for Kerberos', asked(2)),
  asks('asks for GSSAPI', asked(7)),
  asks('asks for SSPI', asked(9)),
  asks('asks for something new', asked(99)),
  asks('offers OAuth alone', asked(10, 'OAUTHBEARER\0\0')),
  asks('offers what is bound to TLS without TLS', asked(10, 'SCRAM-SHA-256-PLUS\0\0')),
  asks('offers nothing', asked(10, '\0')),
  asks('asks for a third of a method', message('R', Buffer.from([0, 0]))),
  asks('tells its settings before it asks', message('S', 'client_encoding\0UTF8\0'), asked(0)),
  asks('gives a key to cancel by before it asks', message('K', int32(1), int32(2)), asked(0)),
  asks('sends a message of no length', Buffer.from([0x52, 0, 0, 0, 0])),
  asks('sends a message of two gigabytes', Buffer.from([0x52, 0x7f, 0xff, 0xff, 0xff])),
  answers('takes another nonce', () => `r=${'x'.repeat(30)},s=${salt},i=4096`),
  answers('adds nothing to the nonce', nonce => `r=${nonce},s=${salt},i=4096`),
  answers('puts its nonce before ours', nonce => `r=x${nonce},s=${salt},i=4096`),
  answers('has no salt', nonce => `r=${nonce}x,s=,i=4096`),
  answers('wants an extension', nonce => `m=x,r=${nonce}x,s=${salt},i=4096`),
  answers('asks for no rounds', nonce => `r=${nonce}x,s=${salt},i=0`),
  answers('asks for a round with a sign', nonce => `r=${nonce}x,s=${salt},i=-4096`),
  answers('asks for 2³¹ − 1 rounds', nonce => `r=${nonce}x,s=${salt},i=2147483647`),
  answers('asks for 2³¹ rounds', nonce => `r=${nonce}x,s=${salt},i=2147483648`),
  answers('asks for 2³² + 4,096 rounds', nonce => `r=${nonce}x,s=${salt},i=4294971392`),
  afterFirst('begins SCRAM twice', asked(10, 'SCRAM-SHA-256\0\0')),
  afterFirst('asks for MD5 in the middle of SCRAM', asked(5, Buffer.from('salt'))),
  afterFirst('reports an error in the middle of SCRAM, and lets in', error),
  afterFirst('says in the middle of SCRAM that it is ready', ready),
  afterProof('asks for clear text after the proof', asked(3)),
  afterProof('asks for the proof twice', asked(11, `r=x,s=${salt},i=4096`)),
  afterProof('says that the proof is wrong, and lets in', asked(12, 'e=invalid-proof')),
  afterProof('signs with nothing', asked(12, 'v=')),
  afterProof('signs with the start of a signature', asked(12, `v=${randomBytes(16).toString('base64')}`)),
  afterProof('reports an error after the proof, and lets in', error),
];

function playing({ plays }: Impostor): (visitor: Visitor) => Promise<void> {
  return async visitor => {
    await visitor.startUp(null);
    await plays(visitor);
    await visitor.hearOut();
  };
}

async function expectNothingTold(place: Place, home: Remembering, messages: number): Promise<void> {
  const { outcome } = await runOn(home.database, 'select 1', { timeoutSeconds: 3 });
  expect(outcome.kind).toBe('not_connected');
  expect(JSON.stringify(outcome)).not.toContain(password);
  expect(place.journal.text).not.toContain(password);
  expect(place.journal.letters.filter(letter => letter !== 'X')).toEqual(Array(messages).fill('p'));
}

describeWithPostgres('in the place of a PostgreSQL server, something that', suite => {
  const user = 'guarded';
  const here = (changes: Partial<Connection>): Partial<Connection> =>
    ({ ...endpointOf(suite.server), user, password: { kind: 'stored' }, ...changes }) as Partial<Connection>;

  const makeRole = () =>
    suite.server.psql(`drop role if exists ${user}; create role ${user} login password '${password}'`);
  const isServed = async ({ database }: Remembering) =>
    (await runOn(database, 'select current_user::text')).rows[0]?.[0] === user;

  test.each(impostors)('$what, after SCRAM was seen', async impostor => {
    await makeRole();
    const place = await placeAt({ host: '127.0.0.1', port: 0 });
    place.is(throughTo(suite.server.port));
    const home = await connectionTo(here({ port: place.port }));
    expect(await isServed(home)).toBe(true);
    place.is(playing(impostor));
    place.cut();
    await expectNothingTold(place, home, impostor.heard);
    place.is(throughTo(suite.server.port));
    expect(await isServed(home)).toBe(true);
  });

  test.each(impostors.filter(({ fromTheFirst }) => fromTheFirst))('$what, at the first sign-in', async impostor => {
    const place = await placeAt({ host: '127.0.0.1', port: 0 });
    place.is(playing(impostor));
    const home = await connectionTo(here({ port: place.port }));
    await expectNothingTold(place, home, impostor.heard);
    place.journal.clear();
    await home.asPerson(() => expectNothingTold(place, home, impostor.heard));
  });

  test('listens on the other family of localhost gets no call', async () => {
    await makeRole();
    const place = await placeAt({ host: '127.0.0.1', port: 0 });
    place.is(throughTo(suite.server.port));
    const home = await connectionTo(here({ host: 'localhost', port: place.port }));
    expect(await isServed(home)).toBe(true);
    await place.close();
    const other = await placeAt({ host: '::1', port: place.port });
    other.is(throughTo(suite.server.port));
    const { outcome } = await runOn(home.database, 'select 1', { timeoutSeconds: 3 });
    expect(outcome).toMatchObject({ kind: 'not_connected', message: expect.stringContaining('nothing listens there') });
    expect(other.journal.text).toBe('');
  });

  needsRoot.test('put a socket file of another user there gets nothing', async () => {
    await makeRole();
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-sockets-'));
    folders.push(folder);
    const path = join(folder, '.s.PGSQL.5432');
    const place = await placeAt({ path });
    place.is(throughTo(suite.server.port));
    const home = await connectionTo(here({ socketPath: path, host: null, port: null }));
    expect(await home.asPerson(() => isServed(home))).toBe(true);
    await place.close();
    const other = await placeAt({ path });
    const nobody = 65_534;
    chownSync(path, nobody, nobody);
    other.is(async visitor => {
      await visitor.startUp(null);
      visitor.send(asked(3));
      await visitor.hearOut();
    });
    await expectNothingTold(other, home, 0);
    // Who could pass the sign-in on to the server gets it no further.
    other.journal.clear();
    other.is(throughTo(suite.server.port));
    await expectNothingTold(other, home, 0);
    await other.close();
    (await placeAt({ path })).is(throughTo(suite.server.port));
    expect(await isServed(home)).toBe(true);
  });

  // It could lead to the server while we look, and elsewhere while we dial.
  needsRoot.test('put a link of another user there gets nothing', async () => {
    await makeRole();
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-sockets-'));
    folders.push(folder);
    const [path, elsewhere] = [join(folder, '.s.PGSQL.5432'), join(folder, 'elsewhere')];
    const place = await placeAt({ path });
    place.is(throughTo(suite.server.port));
    const home = await connectionTo(here({ socketPath: path, host: null, port: null }));
    expect(await home.asPerson(() => isServed(home))).toBe(true);
    await place.close();
    const other = await placeAt({ path: elsewhere });
    symlinkSync(elsewhere, path);
    const nobody = 65_534;
    lchownSync(path, nobody, nobody);
    other.is(async visitor => {
      await visitor.startUp(null);
      visitor.send(asked(3));
      await visitor.hearOut();
    });
    await expectNothingTold(other, home, 0);
    // Root's own may lead there.
    lchownSync(path, 0, 0);
    other.is(throughTo(suite.server.port));
    expect(await isServed(home)).toBe(true);
  });
});
