import { beforeEach, expect, test } from '@jest/globals';
import type { Principal } from '../../../daemon/access/tokens/token.ts';
import { legacySessionIds } from '../../../daemon/clients/http/legacy-session-id.ts';
import { type LegacySessions, legacySessions } from '../../../daemon/clients/http/legacy-sessions.ts';

const principal = (id: string): Principal => ({
  id,
  tokenId: id,
  tokenName: id,
  scope: 'readOnly',
  connections: 'all',
  confirmInClient: false,
  isBridge: false,
  isBox: false,
});
const [ann, ben] = [principal('ann'), principal('ben')];
const client = { client: 'old', canElicit: true };

let now: number;
let open: number;
let keys: Map<string, string>;
let sessions: LegacySessions;
let count = 0;
const newDaemon = (inAll = 3): LegacySessions =>
  legacySessions({
    ofPrincipal: 2,
    inAll,
    idleMilliseconds: 1_000,
    elapsed: () => now,
    ids: legacySessionIds(
      id => keys.get(id) ?? null,
      () => `${count++}`,
    ),
    opened: () => {
      open += 1;
      return () => {
        open -= 1;
      };
    },
  });
beforeEach(() => {
  [now, open] = [0, 0];
  keys = new Map([
    ['ann', 'key of ann'],
    ['ben', 'key of ben'],
  ]);
  sessions = newDaemon();
});

const idOf = (who: Principal): string => sessions.open(who, client)?.id ?? '';

test('another daemon with the same tokens takes it over with all its facts, once', () => {
  const id = idOf(ann);
  sessions = newDaemon();
  open = 0;
  expect(sessions.find(id, ben)).toBeNull();
  const found = sessions.find(id, ann);
  expect(found).toMatchObject({ id, principalId: 'ann', tokenId: 'ann', client: 'old', canElicit: true });
  expect(sessions.find(id, ann)).toBe(found);
  expect(open).toBe(1);
});

test('one forgotten while idle is restored', () => {
  const id = idOf(ann);
  now = 1_000;
  sessions.forgetIdle();
  expect(open).toBe(0);
  expect(sessions.find(id, ann)).toMatchObject({ id });
});

test('one with a stream isn’t idle; its end ends the stream', () => {
  const ends: string[] = [];
  const withStream = (who: Principal): string => {
    const session = sessions.open(who, client);
    if (session === null) throw new TypeError('There is a key');
    session.endStream = () => ends.push(session.id);
    return session.id;
  };
  const [first, second] = [withStream(ann), withStream(ann)];
  now = 1_000;
  sessions.forgetIdle();
  expect([open, ends]).toEqual([2, []]);
  const third = withStream(ann);
  expect(ends).toEqual([first]);
  withStream(ben);
  withStream(ben);
  expect(ends).toEqual([first, second]);
  sessions.endToken('ann');
  expect(ends).toEqual([first, second, third]);
  sessions.endAll();
  expect(ends).toHaveLength(5);
});

test('one displaced by others returns; one displaced by its own principal doesn’t', () => {
  const first = idOf(ann);
  idOf(ben);
  idOf(ben);
  idOf(principal('ann'));
  expect(sessions.find(first, ann)).toMatchObject({ id: first });
  for (const _ of [1, 2]) idOf(ann);
  expect(sessions.find(first, ann)).toBeNull();
  expect(open).toBeLessThanOrEqual(3);
});

test('not with a token that is gone, nor with another one’s key', () => {
  const id = idOf(ann);
  sessions = newDaemon();
  keys.set('ann', 'another key');
  expect(sessions.find(id, ann)).toBeNull();
  keys.delete('ann');
  expect(sessions.find(id, ann)).toBeNull();
  expect(sessions.open(ann, client)).toBeNull();
});

test('an id is visible ASCII, whatever the client calls itself, and any changed letter makes it unknown', () => {
  const id = sessions.open(ann, { client: 'é🙂'.repeat(32), canElicit: false })?.id ?? '';
  expect(id).toMatch(/^[!-~]+$/);
  expect(id.length).toBeLessThan(1_024);
  sessions = newDaemon();
  for (let at = 0; at < id.length; at++) {
    const letter = id[at] === 'A' ? 'B' : 'A';
    expect(sessions.find(`${id.slice(0, at)}${letter}${id.slice(at + 1)}`, ann)).toBeNull();
  }
  expect(sessions.find(id, ann)).not.toBeNull();
});
