/** Changed and new connections: which of them give clients more access. */

import { expect } from '@jest/globals';
import type { Connection } from '../../../daemon/access/connection.ts';
import { connectionIncrease } from '../../../daemon/access/privilege-increases/connection-increase.ts';
import { noSecrets } from '../../../daemon/access/privilege-increases/credentials-increase.ts';
import { instantWords } from '../../../daemon/access/privilege-increases/increase-words.ts';
import { connectionWith } from '../../access/principals.ts';
import type { RuleRow } from './row.ts';

const hiding = { hide: ['audit.*', '*_secret'], only: [], show: ['audit.public'] };

const now = Date.parse('2026-11-20T12:00:00.000Z');
const base = connectionWith({
  engine: 'postgres',
  host: 'db.example',
  port: 5432,
  filePath: null,
  database: 'shop',
  user: 'anna',
  tls: { mode: 'require', caFile: null },
  password: { kind: 'stored' },
  aiPolicy: 'askEachTime',
});
const writable = (writeUntil: string | null): Partial<Connection> => ({
  externalClients: { level: 'readWrite', writeUntil },
});
const level = (wanted: 'blocked' | 'readOnly'): Partial<Connection> => ({
  externalClients: { level: wanted, writeUntil: null },
});

const isOpen = '2026-11-20T13:00:00.000Z';
/**
 * Its title, the connection before, the changes, the rest of the phrase, and the fact that has the
 * value in full: label, value, former value.
 */
type Case = [string, Partial<Connection>, Partial<Connection>, string, [string, string, string | null]];
const withEnd = `read and write, until ${instantWords(isOpen)}`;
const later = '2026-11-20T14:00:00.000Z';
const longHost = `db.example.${'a'.repeat(200)}.evil.example`;
const increases: Case[] = [
  [
    'a higher level',
    {},
    writable(null),
    'lets clients write to "Shop"',
    ['Clients may', 'read and write, until you end it', 'read'],
  ],
  [
    'a higher level for a time',
    {},
    writable(isOpen),
    `lets clients write to "Shop" until ${instantWords(isOpen)}`,
    ['Clients may', withEnd, 'read'],
  ],
  [
    ...(['a longer time', writable(isOpen), writable(later)] as const),
    `lets clients write to "Shop" until ${instantWords(later)}`,
    ['Clients may', `read and write, until ${instantWords(later)}`, withEnd],
  ],
  [
    ...(['no end to the time', writable(isOpen), writable(null), 'lets clients write to "Shop"'] as const),
    ['Clients may', 'read and write, until you end it', withEnd],
  ],
  [
    ...(['another time after the first has passed', writable('2026-11-20T11:00:00.000Z'), writable(isOpen)] as const),
    `lets clients write to "Shop" until ${instantWords(isOpen)}`,
    ['Clients may', withEnd, 'read'],
  ],
  [
    'no longer blocked',
    level('blocked'),
    level('readOnly'),
    'lets clients read "Shop"',
    ['Clients may', 'read', 'nothing'],
  ],
  [
    ...(['a higher policy', {}, { aiPolicy: 'always' }] as const),
    'sets the AI policy of "Shop" from ask each time to always',
    ['AI policy', 'always', 'ask each time'],
  ],
  [
    ...(['a policy above never', { aiPolicy: 'never' }, { aiPolicy: 'askEachTime' }] as const),
    'sets the AI policy of "Shop" from never to ask each time',
    ['AI policy', 'ask each time', 'never'],
  ],
  [
    ...(['a password command', {}, { password: { kind: 'command', command: 'pass "x" | tee /tmp/y' } }] as const),
    'runs a command on this computer, as you, for the password of "Shop"',
    ['Password command', 'pass "x" | tee /tmp/y', 'a stored password, no command'],
  ],
  [
    'another command',
    { password: { kind: 'command', command: 'a' } },
    { password: { kind: 'command', command: 'a\nb' } },
    'runs another command on this computer, as you, for the password of "Shop"',
    ['Password command', 'a\nb', 'a'],
  ],
  [
    ...(['no password any more', {}, { password: { kind: 'none' } }, 'forgets the password of "Shop"'] as const),
    ['Password', 'none', 'a stored password, no command'],
  ],
  [
    ...(['no command any more', { password: { kind: 'command', command: 'a' } }] as const),
    ...([{ password: { kind: 'none' } }, 'forgets the command that prints the password of "Shop"'] as const),
    ['Password', 'none', 'a'],
  ],
  [
    ...(['all databases', {}, { databases: 'all' }, 'opens all databases of "Shop" to an argument'] as const),
    ['Databases', 'every one on its server', 'only its own'],
  ],
  [
    ...(['all databases on MySQL', { engine: 'mysql' }, { engine: 'mysql', databases: 'all' }] as const),
    'opens all databases of "Shop" to an argument',
    ['Databases', 'every one on its server', 'only its own'],
  ],
  [
    ...(['another host', {}, { host: 'other.example' }] as const),
    'points "Shop" to the host "other.example" instead of "db.example"',
    ['Host', 'other.example', 'db.example'],
  ],
  [
    ...(['one more host', {}, { host: 'db.example,evil.example:5433' }] as const),
    'points "Shop" to the host "db.example,evil.example:5433" instead of "db.example"',
    ['Host', 'db.example,evil.example:5433', 'db.example'],
  ],
  [
    ...(['another kind of server', {}, { targetServers: 'primary' }] as const),
    'points "Shop" to the kind of server "primary"',
    ['Which servers', 'primary', '(none)'],
  ],
  [
    ...(['another host, of which the end is what counts', {}, { host: longHost }] as const),
    `points "Shop" to the host "db.example.aaaaaaaaaaaaaaaaaaaaa … 160 characters more … aaaaaaaaaaaaaaaaaaa.evil.example" instead of "db.example"`,
    ['Host', longHost, 'db.example'],
  ],
  ['another port', {}, { port: 5433 }, 'points "Shop" to the port "5433" instead of "5432"', ['Port', '5433', '5432']],
  [
    ...(['a socket', { port: null }, { host: null, port: null, socketPath: '/run/x' }] as const),
    'points "Shop" to no host, which was "db.example" and to the socket "/run/x"',
    ['Socket', '/run/x', '(none)'],
  ],
  [
    ...(['a file', { engine: 'sqlite', filePath: '/a.db' }, { engine: 'sqlite', filePath: '/b.db' }] as const),
    'points "Shop" to the file "/b.db" instead of "/a.db"',
    ['File', '/b.db', '/a.db'],
  ],
  [
    ...(['another user', {}, { user: 'postgres' }] as const),
    'points "Shop" to the user "postgres" instead of "anna"',
    ['User', 'postgres', 'anna'],
  ],
  [
    ...(['another database', {}, { database: 'payroll' }] as const),
    'points "Shop" to the database "payroll" instead of "shop"',
    ['Database', 'payroll', 'shop'],
  ],
  [
    ...(['another host without a password', { password: { kind: 'none' } }] as const),
    { password: { kind: 'none' }, host: 'other' },
    'points "Shop" to the host "other" instead of "db.example"',
    ['Host', 'other', 'db.example'],
  ],
  [
    ...(['weaker TLS', {}, { tls: { mode: 'prefer', caFile: null } }] as const),
    'weakens the TLS of "Shop" from require to prefer',
    ['TLS', 'prefer', 'require'],
  ],
  [
    ...(['no TLS', {}, { tls: { mode: 'disable', caFile: null } }] as const),
    'weakens the TLS of "Shop" from require to disable',
    ['TLS', 'disable', 'require'],
  ],
  [
    ...(['any sign-in', { signInMethods: ['scram-sha-256'] }, {}] as const),
    'signs "Shop" in by other methods too: none, password, md5',
    ['Sign-in', 'by any method', 'scram-sha-256'],
  ],
  [
    ...(['one more sign-in', { signInMethods: ['scram-sha-256-plus'] }] as const),
    ...([{ signInMethods: ['scram-sha-256'] }, 'signs "Shop" in by other methods too: scram-sha-256'] as const),
    ['Sign-in', 'scram-sha-256', 'scram-sha-256-plus'],
  ],
  [
    ...(['a pattern less', { sight: hiding }, { sight: { ...hiding, hide: ['audit.*'] } }] as const),
    'lets clients see more tables of "Shop": it no longer hides *_secret',
    ['Tables in sight', 'hides audit.*; shows audit.public', 'hides audit.*, *_secret; shows audit.public'],
  ],
  [
    ...(['nothing hidden', { sight: { ...hiding, show: [] } }, {}] as const),
    'lets clients see more tables of "Shop": it no longer hides audit.*, it no longer hides *_secret',
    ['Tables in sight', 'all', 'hides audit.*, *_secret'],
  ],
  [
    ...(['a shown view', { sight: { ...hiding, show: [] } }, { sight: hiding }] as const),
    'lets clients see more tables of "Shop": it shows audit.public',
    ['Tables in sight', 'hides audit.*, *_secret; shows audit.public', 'hides audit.*, *_secret'],
  ],
  [
    ...(['a masked column less', { masks: ['users.email', '/token/'] }, { masks: ['users.email'] }] as const),
    'lets clients read more columns of "Shop": it no longer masks /token/',
    ['Masked columns', 'users.email', 'users.email, /token/'],
  ],
  [
    ...(['no masked column', { masks: ['users.email'] }, {}] as const),
    'lets clients read more columns of "Shop": it no longer masks users.email',
    ['Masked columns', 'none', 'users.email'],
  ],
  ['another name', {}, { name: 'Staging' }, 'renames "Shop" to "Staging"', ['New name', 'Staging', null]],
  [
    ...(['another CA', {}, { tls: { mode: 'verify-full', caFile: '/tmp/ca.pem' } }] as const),
    'lets other certificates vouch for "Shop": those of "/tmp/ca.pem"',
    ['Certificates', '/tmp/ca.pem', '(those this computer trusts)'],
  ],
];

const free: [string, Partial<Connection>, Partial<Connection>][] = [
  ['nothing', {}, {}],
  ['a lower level', writable(null), level('readOnly')],
  ['blocked', {}, level('blocked')],
  ['a shorter time', writable(null), writable('2026-11-20T13:00:00.000Z')],
  ['a time that has passed', {}, writable('2026-11-20T11:00:00.000Z')],
  ['a lower policy', {}, { aiPolicy: 'never' }],
  ['own databases', { databases: 'all' }, {}],
  ['stronger TLS', {}, { tls: { mode: 'verify-full', caFile: null } }],
  ['fewer ways to sign in', {}, { signInMethods: ['scram-sha-256'] }],
  ['what is bound alone', { signInMethods: ['scram-sha-256'] }, { signInMethods: ['scram-sha-256-plus'] }],
  ['hidden tables', {}, { sight: { ...hiding, show: [] } }],
  ['more hidden, less shown', { sight: hiding }, { sight: { hide: [...hiding.hide, 'x'], only: ['a.*'], show: [] } }],
  ['masked columns', { masks: ['*.ssn'] }, { masks: ['*.SSN', 'users.email'] }],
  ['a colour, tags', {}, { colour: 'red', tags: ['x'], group: 'g' }],
  ['fewer rows changed unasked', { writeRowLimit: 2_000 }, { writeRowLimit: 1_999 }],
  ['the limit of the setting instead of a higher one', { writeRowLimit: 2_000 }, {}],
  ['less time and fewer rows', {}, { statementTimeoutSeconds: 1, rowLimit: 1 }],
];

const ofShop = { label: 'Connection', value: 'Shop' };

function changed(
  what: string,
  [former, next]: readonly [Partial<Connection>, Partial<Connection>],
  gives: RuleRow['gives'],
  facts: RuleRow['facts'] = [],
  given = noSecrets,
): RuleRow {
  const judged = connectionIncrease({ ...base, ...former }, { ...base, ...next }, now, given);
  return { what, judged, gives, facts: gives === null ? [] : [ofShop, ...facts] };
}

function rowLimit(
  what: string,
  former: number | null,
  next: number | null,
  byDefault: number,
  gives: RuleRow['gives'],
  ...facts: RuleRow['facts']
): RuleRow {
  const [before, after] = [former, next].map(writeRowLimit => ({ ...base, writeRowLimit })) as [Connection, Connection];
  return { what, judged: connectionIncrease(before, after, now, noSecrets, byDefault), gives, facts };
}

function added(next: Partial<Connection>, gives: true | null): RuleRow {
  const facts = gives === null ? [] : [{ label: 'Host', value: 'db.example', former: null, form: 'line' as const }];
  return {
    what: `a new one with ${JSON.stringify(next)}`,
    judged: connectionIncrease(null, { ...base, ...next }, now),
    gives,
    facts,
  };
}

const passwordGiven = { ...noSecrets, password: true };
const givenPassword = (former: string) => [{ label: 'Password', value: 'the one that is given with this', former }];
const command: Partial<Connection> = { password: { kind: 'command', command: 'a' } };
const place = [
  { label: 'Host', value: 'db.example' },
  { label: 'Port', value: '5432' },
  { label: 'Database', value: 'shop' },
  { label: 'User', value: 'anna' },
  { label: 'TLS', value: 'require' },
];
const goesThere = (value: string) => [{ label: 'Password', value }];

const tunnel = { kind: 'command', command: 'kubectl port-forward svc/db {port}:5432' } as const;
const shownTunnel = (former: string | null): RuleRow['facts'] => [
  { label: 'Tunnel command', value: tunnel.command, former, form: 'lines' },
  { label: 'Tunnel command length', value: '39 characters, 1 line' },
];
const runs = (which: string) => `runs ${which} on this computer, as you, for the tunnel of "Shop"`;
const tunnelRows: readonly RuleRow[] = [
  changed('a tunnel command where there was none', [{}, { tunnel }], runs('a command'), shownTunnel('(none)')),
  changed(
    'another tunnel command',
    [{ tunnel: { ...tunnel, command: 'ssh x' } }, { tunnel }],
    runs('another command'),
    shownTunnel('ssh x'),
  ),
  changed('a colour of one with a tunnel command', [{ tunnel }, { tunnel, colour: 'red' }], null),
  changed(
    'another place behind the same tunnel command',
    [{ tunnel }, { tunnel, host: 'x' }],
    'points "Shop" to the host "x" instead of "db.example"',
  ),
  {
    what: 'an SSH tunnel of a new connection, whose alias may name a program',
    judged: connectionIncrease(
      null,
      { ...base, tunnel: { kind: 'ssh', destination: 'alias', jumps: [], keyFile: null } },
      now,
    ),
    gives: 'runs ssh on this computer, as you, with what ~/.ssh/config says, for the tunnel of "Shop"',
    facts: [{ label: 'Tunnel' }],
  },
  {
    what: 'a tunnel command of a new connection',
    judged: connectionIncrease(null, { ...base, tunnel }, now),
    gives: true,
    facts: shownTunnel(null),
  },
];

const marked: Partial<Connection> = { colour: 'red', tags: ['production', 'eu'] };
const takes = (what: string) => `takes ${what} from "Shop", which questions show`;
const markRows: readonly RuleRow[] = [
  changed('no colour', [marked, { ...marked, colour: null }], takes('the colour "red"'), [
    { label: 'Colour', value: '(none)', former: 'red' },
  ]),
  changed('another colour', [marked, { ...marked, colour: 'green' }], takes('the colour "red"'), [
    { label: 'Colour', value: 'green', former: 'red' },
  ]),
  changed('a tag less', [marked, { ...marked, tags: ['eu'] }], takes('the tag "production"'), [
    { label: 'Tags', value: 'eu', former: 'production, eu' },
  ]),
  changed('a tag in other letters', [marked, { ...marked, tags: ['Production', 'eu'] }], takes('the tag "production"')),
  changed(
    'neither colour nor tags',
    [marked, { ...marked, colour: null, tags: [] }],
    takes('the colour "red" and the tags "production", "eu"'),
  ),
  changed('a first colour', [{ tags: ['eu'] }, { tags: ['eu'], colour: 'green' }], null),
  changed('one more tag, in another order', [marked, { ...marked, tags: ['eu', 'new', 'production'] }], null),
  changed('a group', [marked, { ...marked, group: 'Staging' }], null),
];

const production = connectionWith({ ...base, id: 'other', name: 'Billing Prod 01', host: 'prod.example' });
const beside = (next: Connection, former: Connection | null = null, isRemoved = false): RuleRow['judged'] =>
  connectionIncrease(former, next, now, noSecrets, undefined, {
    others: [{ connection: production, isRemoved, wasTakenAway: false }],
    fileIdentity: path => ({ realPath: path, inode: null }),
  });
const looksLike = (name: string) => `gives a connection the name "${name}", which looks like that of "Billing Prod 01"`;
const lookAlikes = [
  'billing-prod-01',
  'BILLING  PROD 01',
  'BillingProd01',
  'Bi11ing Prod 01',
  'BiIIing Prod O1',
  'Billing Pr\u043ed 01',
  '\u0412illing \u0420rod 01',
  'Bi\u04cf\u04cfing Prod 01',
  'Billing\u00a0Prod\u200b 01',
  'Bill\u00efng Pr\u00f8d 01',
  '\uff22illing Prod 01',
  'B\u026alling Prod 01',
  '\ua4d0illing \ua4d1rod 01',
  'Billing \u13e2rod 01',
  'Billing Pr\u2c9ed 01',
];
const nameRows: readonly RuleRow[] = [
  ...lookAlikes.map(
    (name): RuleRow => ({
      what: `a new connection called ${JSON.stringify(name)}`,
      judged: beside({ ...base, name }),
      gives: looksLike(name),
      facts: [{ label: 'Looks like', value: expect.stringContaining('host "prod.example"') as never }],
    }),
  ),
  {
    what: 'a rename to a name that looks like another one',
    judged: beside({ ...base, name: 'billing prod O1' }, base),
    gives: `${looksLike('billing prod O1')}, and renames "Shop" to "billing prod O1"`,
    facts: [{ label: 'Looks like' }, { label: 'New name' }],
  },
  ...['Billing Prod 02', 'Billing Test 01', 'Billing', '\u8acb\u6c42'].map(
    (name): RuleRow => ({
      what: `a new connection called ${name}`,
      judged: beside({ ...base, name }),
      gives: null,
      facts: [],
    }),
  ),
  {
    what: 'a name like that of one that was removed',
    judged: beside({ ...base, name: 'billing prod 01' }, null, true),
    gives: null,
    facts: [],
  },
];

export const connectionRows: readonly RuleRow[] = [
  ...markRows,
  ...nameRows,
  ...increases.map(([what, former, next, gives, [label, value, before]]) =>
    changed(what, [former, next], gives, [{ label, value, former: before }]),
  ),
  ...free.map(([what, former, next]) => changed(what, [former, next], null)),
  changed('a level, with all of where the connection goes', [{}, writable(null)], true, place),
  changed(
    'another host, where the stored password is sent',
    [{}, { host: 'x' }],
    true,
    goesThere('the one that is stored, which is sent there'),
  ),
  changed(
    'another host, with a password for it',
    [{}, { host: 'x' }],
    true,
    goesThere('the one that is given with this'),
    passwordGiven,
  ),
  changed(
    'a command, whose password is sent',
    [{}, command],
    true,
    goesThere('what its command prints, which is sent there'),
  ),
  changed(
    'another stored password',
    [{}, {}],
    'replaces the password of "Shop"',
    givenPassword('a stored password, no command'),
    passwordGiven,
  ),
  changed(
    'a first stored password',
    [{ password: { kind: 'none' } }, {}],
    'sets a password for "Shop", which had none',
    givenPassword('no password'),
    passwordGiven,
  ),
  changed(
    'a stored password for a command',
    [command, {}],
    'stores a password for "Shop" in place of the command that printed it',
    givenPassword('a'),
    passwordGiven,
  ),
  changed('another passphrase of the client key', [{}, {}], 'sets the passphrase of the client key of "Shop"', [], {
    ...noSecrets,
    keyPassphrase: true,
  }),
  ...tunnelRows,
  changed(
    'several at once, each named',
    [{}, { ...writable(null), host: 'x', user: 'y' }],
    'lets clients write to "Shop", and points "Shop" to the host "x" instead of "db.example" and to the user "y" instead of "anna"',
    [{ label: 'Clients may' }, { label: 'Host' }, { label: 'User' }],
  ),
  rowLimit(
    'more rows changed unasked',
    null,
    1_001,
    1_000,
    'lets clients change 1001 rows of a table of "Shop" in an hour, unasked, instead of 1000',
  ),
  rowLimit('the setting in place of a lower limit', 10, null, 1_000, true, {
    label: 'Rows changed unasked',
    value: '1000 of a table in an hour',
    former: '10',
  }),
  rowLimit('a limit below the setting', null, 1_000, 5_000, null),
  rowLimit('a limit that would outlive a setting that is high for now', null, 1_001, 5_000, true),
  added({ aiPolicy: 'always' }, null),
  added({ engine: 'mysql', databases: 'all' }, null),
  added({ writeRowLimit: 1_001 }, true),
  added(writable(null), true),
  added(writable('2026-11-20T13:00:00.000Z'), true),
  added({ databases: 'all' }, true),
  added({ password: { kind: 'command', command: 'pass x' } }, true),
];
