/**
 * Messages that a client's library would never send, and texts that two readers could read in two
 * ways. Each is sent raw in a session of its own.
 */

import { bind, closeStatement, describePortal, execute, extended, message, parse, query, sync } from './raw-client.ts';

export interface RawAttack {
  readonly name: string;
  readonly sent: Buffer;
  /** How many ReadyForQuery a server sends for it if it stays. */
  readonly readies: number;
}

const insert = "insert into m values ('x')";
const wallDown = 'set default_transaction_read_only=off';
const one = (name: string, ...sent: Buffer[]): RawAttack => ({ name, sent: Buffer.concat(sent), readies: 1 });
const many = (readies: number, name: string, ...sent: Buffer[]): RawAttack => ({
  name,
  sent: Buffer.concat(sent),
  readies,
});
const integers = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeInt32BE(value, index * 4);
  return bytes;
};
/** A message that says another length than it has. */
const lying = (type: string, length: number, body: string): Buffer =>
  Buffer.concat([Buffer.from(type), integers(length), Buffer.from(body)]);
/** Latin-1, so that `\x83` is one byte. */
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Texts whose string ends elsewhere in another encoding or with another setting. */
export const twoReadings: readonly RawAttack[] = [
  one('invalid UTF-8 in a text', query(bytes(`select '\xff'; ${insert}`))),
  one('invalid UTF-8 before the end of a comment', query(bytes(`select 1 --\xc3\n;${insert}`))),
  one('an overlong quote', query(bytes(`select '\xc0\xa7; ${insert} --'`))),
  one('half a surrogate', query(bytes(`select '\xed\xa0\x80'; ${insert}`))),
  one('invalid UTF-8 in Parse', parse(bytes(`select e'\x83\\'; ${insert} --'`)), bind(), execute(), sync),
  many(2, 'SJIS', query("set client_encoding='SJIS'"), query(bytes(`select '\x83\\'; ${insert}; --'`))),
  many(2, 'GBK', query("set client_encoding='GBK'"), query(bytes(`select '\x81'; ${insert}; --'`))),
  many(2, 'SJIS in an E string', query("set client_encoding='SJIS'"), query(bytes(`select e'\x83\\'; ${insert} --'`))),
  many(2, 'SJIS by set names', query("set names 'SJIS'"), query(bytes(`select e'\x83\\'; ${insert} --'`))),
  many(
    2,
    'SJIS by set_config',
    query("select set_config('client_encoding','SJIS',false)"),
    query(bytes(`select e'\x83\\'; ${insert} --'`)),
  ),
  many(
    2,
    'SJIS by a computed name',
    query("select set_config('client'||'_encoding','SJIS',false)"),
    query(bytes(`select e'\x83\\'; ${insert} --'`)),
  ),
  many(
    3,
    'SJIS, wall down, write',
    query("set client_encoding='SJIS'"),
    query(bytes(`select e'\x83\\'; ${wallDown} --'`)),
    query(bytes(`select e'\x83\\'; ${insert} --'`)),
  ),
  many(
    3,
    'GBK, wall down, write',
    query("set client_encoding='GBK'"),
    query(bytes(`select e'\x81\\'; ${wallDown} --'`)),
    query(bytes(`select e'\x81\\'; ${insert} --'`)),
  ),
  many(2, 'BIG5', query("set client_encoding to 'BIG5'"), query(bytes(`select e'\xa5\\'; ${insert} --'`))),
  many(2, 'GB18030', query('set client_encoding to GB18030'), query(bytes(`select e'\x81\\'; ${insert} --'`))),
  many(2, 'JOHAB', query('set client_encoding to JOHAB'), query(bytes(`select e'\x84\\'; ${insert} --'`))),
  many(2, 'UHC', query('set client_encoding to UHC'), query(bytes(`select e'\x81\\'; ${insert} --'`))),
  many(
    2,
    'SHIFT_JIS_2004',
    query('set local client_encoding to SHIFT_JIS_2004'),
    query(bytes(`select e'\x83\\'; ${insert} --'`)),
  ),
  many(
    2,
    'strings with backslashes',
    query('set standard_conforming_strings=off'),
    query(`select 'a\\'; ${insert}; --'`),
  ),
  many(
    3,
    'strings with backslashes, wall down',
    query('set standard_conforming_strings=off'),
    query(`select 'a\\''; ${wallDown}; --'`),
    query(`select 'a\\''; ${insert}; --'`),
  ),
  many(
    2,
    'strings with backslashes by set_config',
    query("select set_config('standard_conforming_strings','off',false)"),
    query(`select 'a\\'; ${insert}; --'`),
  ),
  many(2, 'backslash_quote', query('set backslash_quote=on'), query(`select e'a\\'; ${insert}; --'`)),
  many(2, 'escape_string_warning', query('set escape_string_warning=off'), query(`select 'a\\'; ${insert}; --'`)),
  many(2, 'quote_all_identifiers', query('set quote_all_identifiers=on'), query(`select 1; ${insert}`)),
  many(2, 'array_nulls', query('set array_nulls=off'), query(`select '{null}'::text[]; ${insert}`)),
  many(2, 'transform_null_equals', query('set transform_null_equals=on'), query(`select null = null; ${insert}`)),
];

export const comments: readonly RawAttack[] = [
  one('CR ends a comment', query(`select 1 --\r;${insert}`)),
  one('U+2028 in a comment', query(`select 1 --\u2028;${insert}`)),
  one('U+0085 in a comment', query(`select 1 --\u0085;${insert}`)),
  one('FF in a comment', query(`-- \f\n${insert}`)),
  one('CR after an empty comment', query(`--a\r${insert}`)),
  one('nested comments', query(`/* /* */ ${insert} */ select 1`)),
  one('nested comments that end early', query(`/* /* */ */ ${insert}`)),
  one('an open comment', query(`select 1 /* ${insert}`)),
  one('nothing, then something', query(` ; ; ${insert}`)),
  one('a byte order mark', query(`\ufeff${insert}`)),
  one('no-break space', query(`select\u00a01; ${insert}`)),
  one('a dollar quote in a name', query(`select 1 as a$b$; ${insert}; select 2 as c$b$`)),
  one('a tagged dollar quote', query(`select $a$ $b$ $a$; ${insert}; select $b$ $b$`)),
  one('a dollar quote of letters beyond ASCII', query(`select $ä$x$ä$; ${insert}`)),
  one('a continued string', query(`select 'a'\n'b'; ${insert}`)),
  one('a string continued over a comment', query(`select 'a' -- '\n'; ${insert}; --'`)),
  one('U& with its own escape', query(`select U&'a!0027' uescape '!'; ${insert} --'`)),
  one('U& with a quote as escape', query(`select U&'a' uescape ''''; ${insert} --'`)),
  one('a bit string', query(`select b'0'; ${insert}`)),
  one('an operator that begins a comment', query(`select 1 +-- 2\n1; ${insert}`)),
  one('an operator that begins a long comment', query(`select 1 */* */ 2; ${insert}`)),
  one('a doubled quote in a name', query(`select 1 as "a"";"; ${insert}`)),
  one('a long name, then more', query(`select 1 from ${'a'.repeat(60)}; ${insert}`)),
];

export const framing: readonly RawAttack[] = [
  one('NUL inside a Query', message('Q', `select 1\0${insert}\0`)),
  one('a Query without NUL', message('Q', insert)),
  one('an empty Query message', message('Q')),
  one('a Parse with a text after NUL', message('P', `\0select 1\0\0\0${insert}\0`)),
  one('a Parse without NUL', message('P', insert), sync),
  one('a Parse with a name alone', message('P', 'a\0'), sync),
  one('a Parse with negative count of types', message('P', `\0${insert}\0\xff\xff`), bind(), execute(), sync),
  one('a Bind cut short', parse('select 1'), message('B', '\0'), sync),
  one('a Describe of nothing', message('D'), sync),
  one('a Describe of an unknown kind', message('D', 'X\0'), sync),
  one('a Close of an unknown kind', message('C', 'X\0'), sync),
  one('an Execute without NUL', parse(insert), bind(), message('E', 'a'), sync),
  one('a Sync with a body', extended(insert), message('S', `Q${insert}\0`)),
  one('a Flush with a body', message('H', query(insert)), query('select 1')),
  one('a function call', message('F', integers(1, 0, 0, 0))),
  one('a function call of lo_creat', message('F', Buffer.concat([integers(957), Buffer.alloc(10)]))),
  one('rows that nobody asked for', message('d', 'x'), message('c'), query('select 1')),
  one('a failed copy that nobody began', message('f', 'x\0'), query('select 1')),
  one('a negative length', lying('Q', -1, 'aaaa')),
  one('the least length', lying('Q', -2147483648, 'aaaa')),
  one('length 0', lying('Q', 0, 'aaaa')),
  one('length 2', lying('Q', 2, 'aaaa')),
  one('length 3', lying('Q', 3, 'aaaa')),
  one('length 4', lying('Q', 4, '')),
  one('the most length', lying('Q', 0x7fffffff, 'a')),
  one('a GB announced', lying('P', 0x40000000, 'a')),
  one('length 2 of a Sync', lying('S', 2, ''), query('select 1')),
  one('an unknown type', message('@', 'zz'), query('select 1')),
  one('type NUL', message('\0', 'zz'), query('select 1')),
  one("a server's message", message('Z', 'I'), query('select 1')),
  one("a server's message of rows", message('D', Buffer.alloc(8)), query('select 1')),
  one('a second start-up', integers(8, 80877103), query('select 1')),
  one('a password', message('p', 'x\0'), query('select 1')),
  one('a Query inside a cycle', parse('select 1'), bind(), execute(), query(insert)),
  one('an end inside a cycle', extended(insert), message('X'), sync),
];

export const prepared: readonly RawAttack[] = [
  one('the empty name re-used', extended('select 1'), extended(insert), sync),
  many(2, 'a refused name bound', parse(insert, 'a'), sync, bind('a'), execute(), sync),
  many(
    2,
    'a refused name bound without Sync between',
    parse(insert, 'a'),
    bind('a'),
    execute(),
    sync,
    bind('a'),
    execute(),
    sync,
  ),
  many(
    3,
    'an old name kept after a refusal',
    parse('select 1', 'k'),
    sync,
    parse(insert, 'k'),
    sync,
    bind('k'),
    execute(),
    sync,
  ),
  many(2, 'PREPARE, then Bind', query('prepare z as select 1'), bind('z'), execute(), sync),
  many(2, 'PREPARE of a write, then Bind', query(`prepare z2 as ${insert}`), bind('z2'), execute(), sync),
  many(2, 'Parse of a write, then EXECUTE', parse(insert, 'z3'), sync, query('execute z3')),
  one('EXECUTE of nothing', query('execute nothere')),
  many(
    3,
    'a name closed and given again',
    parse('select 1', 'n'),
    sync,
    closeStatement('n'),
    parse(insert, 'n'),
    sync,
    query('execute n'),
  ),
  one("a refused portal's rows", parse('select * from orders'), bind('', 'p'), execute('p', 1), execute('p', 1), sync),
  one('a portal under the name of a cursor', parse(insert), bind('', 'c'), sync),
  many(
    3,
    'a portal over transactions',
    query('begin'),
    parse('select f_write()', 'w'),
    bind('w', 'held'),
    execute('held', 1),
    sync,
    execute('held', 1),
    sync,
  ),
  many(
    3,
    'a read judged under one path, run under another',
    parse('select * from customers', 's'),
    sync,
    query('set search_path = shadow, public'),
    bind('s'),
    execute(),
    sync,
  ),
  many(
    3,
    'a function judged under one path, run under another',
    query("prepare low as select lower('A')"),
    query('set search_path = shadow, pg_catalog, public'),
    query('execute low'),
  ),
  many(2, 'a path that shadows', query('set search_path = shadow, public'), query('select * from customers')),
  many(2, 'a path that shadows pg_catalog', query('set search_path = shadow, pg_catalog'), query("select lower('A')")),
  many(2, 'a temporary table in the path', query('set search_path=pg_temp,public'), query(insert)),
  many(
    2,
    'a path by set_config in the same cycle',
    extended("select set_config('search_path','shadow,pg_catalog',false)"),
    extended("select lower('A')"),
    sync,
    query('select 1'),
  ),
  many(
    2,
    'a path by set_config from rows',
    query("select set_config('search_path', x, false) from (values ('shadow,pg_catalog')) v(x)"),
    query("select lower('A')"),
  ),
  one('a path and its use in one Query', query("set search_path = shadow, pg_catalog; select lower('A')")),
  many(
    4,
    'a path taken back by ROLLBACK',
    query('set search_path = shadow, pg_catalog'),
    query('begin; set search_path = pg_catalog, public'),
    query('rollback'),
    query("select lower('A')"),
  ),
  many(
    5,
    'a path taken back by a savepoint',
    query('begin'),
    query('set search_path = shadow, pg_catalog'),
    query('savepoint a; set search_path = public'),
    query('rollback to a'),
    query("select lower('A')"),
  ),
  many(
    3,
    'a path taken back by RESET',
    query('set search_path = public'),
    query('reset search_path'),
    query("select lower('A')"),
  ),
  many(
    3,
    'a local path after COMMIT',
    query('set search_path = shadow, pg_catalog'),
    query('begin; set local search_path = public; commit'),
    query("select lower('A')"),
  ),
  many(3, 'DISCARD ALL, then a Bind', parse('select 1', 'd'), sync, query('discard all'), bind('d'), execute(), sync),
  many(2, 'a Describe of a refused text', parse(insert), describePortal(), sync, query('select 1')),
];

export const marks: readonly RawAttack[] = [
  many(2, 'a mark guessed', query(insert), query('sallyport_refused_1')),
  many(2, 'a mark in a name of a read', query(insert), query('select "sallyport_refused_1" from orders')),
  many(2, 'a mark in an error', query(insert), query("select 'sallyport_refused_1'::integer")),
];
