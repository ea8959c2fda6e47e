/**
 * A database that the person kept from clients, reached by another way: its connection is removed
 * and saved anew, or the same database is saved again under another name or by another path or
 * host.
 */

import { linkSync, mkdirSync, symlinkSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CommandParams, ControlMethod } from '../../../daemon/shells/commands.ts';
import { postgresAt, sqliteAt } from '../../shells/asking.ts';
import { file } from './asks.ts';

type Step = readonly [ControlMethod, CommandParams<ControlMethod>] | number;

export interface PlaceRow {
  readonly what: string;
  /** The person's steps before they choose a passphrase; a number waits so many milliseconds. */
  readonly before: readonly Step[];
  /** The agent's steps, without asking. */
  readonly after: readonly Step[];
  readonly asks: () => readonly [ControlMethod, CommandParams<ControlMethod>];
  /** Part of the sentence; null if nobody has to confirm it. */
  readonly gives: string | null;
}

const save = (params: CommandParams<'connections.save'>) => ['connections.save', params] as const;
const remove = (connection: string) => ['connections.delete', { connection }] as const;
const again = (name: string, endpoint: CommandParams<'connections.save'>['endpoint']) => save({ name, endpoint });

function row(
  what: string,
  gives: string | null,
  before: readonly Step[],
  after: readonly Step[],
  asks: Step | (() => Step),
): PlaceRow {
  return { what, gives, before, after, asks: (typeof asks === 'function' ? asks : () => asks) as PlaceRow['asks'] };
}

const blocked = { externalClients: { level: 'blocked' } } as const;
const kept = [
  ['blocked', blocked],
  ['never', { aiPolicy: 'never' }],
  ['ask each time', { aiPolicy: 'askEachTime' }],
  ['hidden tables', { hide: ['audit_log'] }],
  ['masked columns', { mask: ['audit_log.note'] }],
] as const;

const keptFiles = kept.flatMap(([word, rule], index) => {
  const path = file(`kept-${index}.db`);
  const shop = save({ name: 'Shop', endpoint: sqliteAt(path), ...rule });
  const mine = again('Mine', sqliteAt(file('mine.db')));
  return [
    row(`${word}: saved a second time`, '"Shop"', [shop], [], again('Copy', sqliteAt(path))),
    row(
      `${word}: removed and saved anew`,
      'which was removed',
      [shop],
      [remove('Shop')],
      again('Shop', sqliteAt(path)),
    ),
    row(
      `${word}: removed and saved under another name`,
      'which was removed',
      [shop],
      [remove('Shop')],
      again('Other', sqliteAt(path)),
    ),
    row(
      `${word}: brought back`,
      'brings back "Shop", which was removed',
      [shop],
      [remove('Shop')],
      ['connections.restore', { connection: 'Shop' }],
    ),
    row(
      `${word}: another is moved to it`,
      '"Shop"',
      [shop, mine],
      [],
      save({ connection: 'Mine', endpoint: sqliteAt(path) }),
    ),
  ];
});

let links = 0;
function linked(path: string, link: (at: string) => void): string {
  const at = `${path}.link-${links++}`;
  link(at);
  return at;
}
const nameIn = (path: string): string => path.slice(dirname(path).length + 1);

const otherPaths: readonly [string, (path: string) => string][] = [
  ['a symbolic link', path => linked(path, at => symlinkSync(path, at))],
  ['a hard link', path => linked(path, at => linkSync(path, at))],
  [
    'a folder that is a symbolic link',
    path =>
      join(
        linked(path, at => symlinkSync(dirname(path), at)),
        nameIn(path),
      ),
  ],
  [
    'dots in its path',
    path => {
      mkdirSync(join(dirname(path), 'x'), { recursive: true });
      return join(dirname(path), 'x').concat('/../', nameIn(path));
    },
  ],
];
const linkedFiles = otherPaths.flatMap(([how, otherPath]) => {
  const path = file('linked.db');
  const shop = save({ name: 'Shop', endpoint: sqliteAt(path), ...blocked });
  const copy = () => again('Copy', sqliteAt(otherPath(path)));
  return [
    row(`a blocked file by ${how}`, '"Shop"', [shop], [], copy),
    row(`a blocked file by ${how}, once it was removed`, '"Shop", which was removed', [shop], [remove('Shop')], copy),
  ];
});

const atHost = (host: string, port: number | null = null) => postgresAt(host, port);
const socket = { ...postgresAt('x'), host: null, socketPath: '/run/postgresql/.s.PGSQL.5432' };
const servers = [
  ['localhost', atHost('localhost'), atHost('127.0.0.1')],
  ['localhost, at its port', atHost('localhost'), atHost('127.0.0.1', 5432)],
  ['::1', atHost('127.0.0.1'), atHost('::1')],
  ['a socket', atHost('localhost'), socket],
  ['an address in short', atHost('localhost'), atHost('127.1')],
  ['an address as a number', atHost('127.0.0.1'), atHost('2130706433')],
  ['an address within IPv6', atHost('127.0.0.1'), atHost('::ffff:127.0.0.1')],
  ['an address with a zone', atHost('127.0.0.1'), atHost('::1%lo')],
  ['the address of any', atHost('localhost'), atHost('0.0.0.0')],
  ['another case', atHost('db.example'), atHost('DB.Example')],
  ['a dot at the end', atHost('db.example'), atHost('db.example.')],
  ['a list', atHost('db.example'), atHost('other.example:6000,db.example:5432', 6_000)],
  ['one of a list', atHost('one.example,two.example:6000'), atHost('two.example', 6_000)],
  ['another database and user', atHost('h'), { ...atHost('h'), database: 'other', user: 'bob' }],
] as const;
const blockedServers = servers.flatMap(([how, endpoint, other]) => {
  const shop = save({ name: 'Shop', endpoint, ...blocked });
  return [
    row(`a blocked server as ${how}`, '"Shop"', [shop], [], again('Copy', other)),
    row(
      `a blocked server as ${how}, once it was removed`,
      'which was removed',
      [shop],
      [remove('Shop')],
      again('Shop', other),
    ),
  ];
});

const local = save({ name: 'Shop', endpoint: atHost('localhost'), ...blocked });
const free = [
  ['another host', { name: 'Host', endpoint: atHost('db.example') }],
  ['another port', { name: 'Port', endpoint: atHost('localhost', 5433) }],
  ['another engine', { name: 'Engine', endpoint: { ...atHost('localhost', 5432), engine: 'mysql' } }],
  ['the same, blocked too', { name: 'Blocked too', endpoint: atHost('localhost'), ...blocked }],
  ['the same, whose policy is never', { name: 'Never', endpoint: atHost('localhost'), aiPolicy: 'never' }],
] as const;

const day = 86_400_000;
const removedFile = file('removed.db');
const setUpFile = file('set-up.db');
const missing = file('missing.db');
const [shopAtH, shopAtRemoved, shopAtSetUp] = [atHost('h'), sqliteAt(removedFile), sqliteAt(setUpFile)].map(endpoint =>
  again('Shop', endpoint),
) as [Step, Step, Step];
const blockedAtH = save({ name: 'Shop', endpoint: atHost('h'), ...blocked });
const demo = ['demo.create', {}] as const;

export const placeRows: readonly PlaceRow[] = [
  ...keptFiles,
  ...linkedFiles,
  row(
    'a file that the person removed after an hour, though clients could read it',
    'which was removed',
    [shopAtRemoved],
    [3_600_000, remove('Shop')],
    shopAtRemoved,
  ),
  row('a file that was just added, did not answer and was removed', null, [shopAtSetUp], [remove('Shop')], shopAtSetUp),
  row(
    'a blocked file that is missing, by its path',
    '"Shop"',
    [save({ name: 'Shop', endpoint: sqliteAt(missing), ...blocked })],
    [],
    () => {
      unlinkSync(missing);
      return save({ name: 'Copy', endpoint: sqliteAt(missing), create: true });
    },
  ),
  ...blockedServers,
  ...free.map(([what, params]) => row(`beside a blocked server, ${what}`, null, [local], [], save(params))),
  row(
    'a blocked server within seven days after it was removed',
    'which was removed',
    [blockedAtH],
    [remove('Shop'), 7 * day - 1],
    shopAtH,
  ),
  row('a blocked server seven days after it was removed', null, [blockedAtH], [remove('Shop'), 7 * day], shopAtH),
  row('a database that clients may read, a second time', null, [shopAtH], [], again('Copy', atHost('h'))),
  row('a database that clients may read, removed and saved anew', null, [shopAtH], [remove('Shop')], shopAtH),
  row(
    'Demo that was blocked and removed',
    '"Demo", which was removed',
    [demo, save({ connection: 'Demo', ...blocked })],
    [remove('Demo')],
    demo,
  ),
  row(
    'Demo that is blocked stays so',
    null,
    [demo, save({ connection: 'Demo', ...blocked, aiPolicy: 'never' })],
    [],
    demo,
  ),
];
