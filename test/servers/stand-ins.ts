/**
 * Servers that are almost PostgreSQL or MySQL, by relays before real ones: what each does, and what
 * a client and its person are told. Their words are from their manuals and trackers. Facts alone;
 * `test/attacks/stand-ins.test.ts` asks.
 */

import {
  fine,
  type Instead,
  lackingXa,
  type MysqlLie,
  once,
  type PostgresLie,
  refusal,
  refusingReadOnly,
  withoutReadOnly,
} from './lying-relays.ts';

export interface StandIn<Lie> {
  /** A product that answers so, or a fault that any may have. */
  readonly name: string;
  readonly does: string;
  /** Made anew for each test, as some lie only once. */
  readonly lie: () => Lie;
  /** `connections test` names it so; if absent, as what it stands before. */
  readonly version?: string;
  /** What a client is told of a read; if absent it is done. The first, if they differ. */
  readonly read?: RegExp;
  /** Of the reads behind it; if absent, as the first. */
  readonly nextRead?: RegExp | 'done';
  /** Of an update of one row; if absent it is done and stays. */
  readonly write?: RegExp;
  /** Of an update of several rows; if absent as of one. */
  readonly several?: RegExp;
  /** Of a statement whose own answer doesn't say how many rows it changed. */
  readonly unsaid?: RegExp;
  /** `connections test` warns of it. */
  readonly warning?: RegExp;
  /** The person has accepted that the guard alone holds reads. */
  readonly isAccepted?: true;
}

/** The function of the server before which it stands; see `setUpPostgres`. */
const refuse = (code: string, said: string): string => `public.refuse('${code}', '${said.replaceAll("'", "''")}')`;

export const setUpPostgres = `create table kept (id int primary key, n int);
insert into kept select g, 0 from generate_series(1, 9) as g;
create function refuse(code text, said text) returns int language plpgsql as $$ begin raise exception using errcode = code, message = said; end $$`;

const of =
  (pairs: readonly (readonly [string, string])[]) =>
  (sql: string): string =>
    pairs.reduce((text, [from, to]) => text.replaceAll(from, to), sql);

const named = (whole: string): readonly [string, string] => ['pg_catalog.version()', `CAST('${whole}' AS text)`];
const refusing =
  (begin: RegExp, code: string, said: string) =>
  (sql: string): string =>
    begin.test(sql) ? `SELECT ${refuse(code, said)}` : sql;

const uncounted = (why: string): RegExp =>
  new RegExp(`^denied: Nothing was changed: not all that it changes can be counted, because .*${why}`);
const cannotSetUp = (said: string): RegExp =>
  new RegExp(`^query_failed: The server can't set up the session as Sallyport needs it, so nothing ran. .*${said}`);
/** Its trial ends without a finding, or the server does end what it should. */
export const noWarning = /^(?!.*The server doesn't end)/s;
const noWall = /^denied: Nothing ran: the server of ".*" doesn't refuse writes in a transaction that only reads/;
/** @param words of the server, as a pattern. */
const noWallAndSaid = (words: string) => new RegExp(`${noWall.source}.* The server said: ${words}$`);

const noXmin = 'system column "xmin" is not supported yet';

export const postgresStandIns: readonly StandIn<PostgresLie>[] = [
  {
    name: 'CockroachDB',
    does: 'it names itself in version() alone, and knows neither the counters nor the locks',
    lie: () => ({
      version: '13.0.0',
      rewrite: of([
        named('CockroachDB CCL v24.3.1 (x86_64-pc-linux-gnu, built 2024/12/03 19:05:33, go1.22.8)'),
        ['pg_stat_get_xact_tuples_', 'pg_stat_get_xact_tuplez_'],
        ['pg_lock_status', 'pg_lock_statuz'],
      ]),
    }),
    version: 'CockroachDB CCL v24.3.1',
    write: uncounted('the server does not say \\(function pg_catalog.pg_stat_get_xact_tuplez_updated'),
  },
  {
    name: 'CockroachDB, with SET CONSTRAINTS',
    does: 'it has no deferred constraints',
    lie: () => ({ rewrite: refusing(/^SET CONSTRAINTS/, '0A000', 'SET CONSTRAINTS is not supported') }),
    write: uncounted('the server does not say \\(SET CONSTRAINTS is not supported\\)'),
  },
  {
    name: 'YugabyteDB',
    does: 'it has no system columns',
    lie: () => ({
      version: '15.2-YB-2.25.0.0-b489',
      rewrite: of([
        ["pg_catalog.current_setting('server_version')", "'15.2-YB-2.25.0.0-b489'"],
        ['c.xmin', `CAST(CAST(${refuse('0A000', noXmin)} AS text) AS xid)`],
      ]),
    }),
    version: 'PostgreSQL 15.2-YB-2.25.0.0-b489',
    write: uncounted('the server does not say \\(system column "xmin" is not supported yet\\)'),
  },
  {
    name: 'Redshift',
    does: 'it names itself at the end of version(), has no DO, and READ ONLY breaks the first read',
    lie: () => ({
      version: '8.0.2',
      rewrite: of([
        ["pg_catalog.current_setting('server_version')", "'8.0.2'"],
        named('PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC gcc (GCC) 3.4.2, Redshift 1.0.12103'),
        ['DO $wall$', 'NO $wall$'],
        ['pg_stat_get_xact_tuples_', 'pg_stat_get_xact_tuplez_'],
      ]),
    }),
    version: 'Redshift 1.0.12103, almost PostgreSQL 8.0.2',
    write: uncounted('the server does not say'),
  },
  {
    name: 'Materialize',
    does: 'its version is no version',
    lie: () => ({ version: '', rewrite: of([["pg_catalog.current_setting('server_version')", "'devel'"]]) }),
    version: 'PostgreSQL devel',
  },
  {
    name: 'no xmin',
    does: 'a table has no column xmin',
    lie: () => ({ rewrite: of([['t.xmin', 't.xmim']]) }),
    several: uncounted("the tables can't be looked at \\(column t.xmim does not exist\\)"),
  },
  {
    name: 'xmin stands still',
    does: 'each row shows the oldest xmin',
    lie: () => ({ rewrite: of([['pg_catalog.age(t.xmin)', '2147483647']]) }),
    several: uncounted('the rows of "public.kept" that it updated can\'t be seen'),
  },
  {
    name: 'counters that stand still',
    does: 'the counters answer, and never move (DSQL, Citus for rows on workers)',
    lie: () => ({ rewrite: of([['pg_stat_get_xact_tuples_', 'pg_stat_get_tuples_']]) }),
    write: uncounted('the server says that it changed 1 rows, and its counters say 0'),
    several: uncounted('the server says that it changed 4 rows, and its counters say 0'),
    unsaid: uncounted('it wrote, and the counters of the server say nothing of it'),
  },
  {
    name: 'locks that nobody sees',
    does: 'pg_locks is there, and empty',
    lie: () => ({ rewrite: of([['l.pid = pg_backend_pid()', 'l.pid = 0']]) }),
    write: uncounted('the server does not show which tables it locked'),
  },
  {
    name: 'no counters',
    does: 'track_counts is off',
    lie: () => ({ rewrite: of([["current_setting('track_counts') = 'on'", 'false']]) }),
    write: uncounted('the server keeps no counts'),
  },
  {
    name: 'no savepoints',
    does: 'it refuses SAVEPOINT',
    lie: () => ({ rewrite: refusing(/^SAVEPOINT/, '0A000', 'SAVEPOINT is not supported') }),
    write: uncounted('the server does not say \\(SAVEPOINT is not supported\\)'),
  },
  {
    name: 'READ ONLY is swallowed',
    does: 'a transaction that was begun to read only writes',
    lie: () => ({ rewrite: of([[' READ ONLY', '']]) }),
    read: noWall,
  },
  {
    name: 'READ ONLY is refused',
    does: 'it knows no READ ONLY, so not even a look at its catalog begins',
    lie: () => ({ rewrite: refusing(/^BEGIN .*READ ONLY/, '0A000', 'READ ONLY is not supported') }),
    read: cannotSetUp('READ ONLY is not supported \\(0A000\\)'),
    write: cannotSetUp('READ ONLY is not supported \\(0A000\\)'),
  },
  {
    name: 'READ ONLY is refused to a read',
    does: 'it knows READ ONLY beside an isolation level alone, as our looks at its catalog begin',
    lie: () => ({ rewrite: refusing(/^BEGIN TRANSACTION READ ONLY/, '0A000', 'READ ONLY is not supported') }),
    read: noWallAndSaid('READ ONLY is not supported \\(0A000\\)'),
  },
  {
    name: 'READ ONLY is refused to a read, accepted by its person',
    does: 'the same: a read begins so all the same',
    lie: () => ({ rewrite: refusing(/^BEGIN TRANSACTION READ ONLY/, '0A000', 'READ ONLY is not supported') }),
    read: cannotSetUp('READ ONLY is not supported \\(0A000\\)'),
    isAccepted: true,
  },
  {
    name: 'READ ONLY is refused once',
    does: 'the first transaction that only reads fails, the next works (Redshift)',
    lie: () => ({ rewrite: once(refusing(/^BEGIN .*READ ONLY/, '0A000', 'warming up')) }),
    read: cannotSetUp('warming up \\(0A000\\)'),
    nextRead: 'done',
  },
  {
    name: 'READ ONLY is refused once to a read',
    does: 'the same behind our looks at its catalog: it is asked again at once',
    lie: () => ({ rewrite: once(refusing(/^BEGIN TRANSACTION READ ONLY/, '0A000', 'warming up')) }),
  },
  {
    name: '40001 in a read',
    does: 'an ordinary read meets a conflict, once (CockroachDB, YugabyteDB, DSQL)',
    lie: () => ({
      rewrite: once(refusing(/^select id/, '40001', 'restart transaction: ReadWithinUncertaintyInterval')),
    }),
    read: /^query_failed: restart transaction: ReadWithinUncertaintyInterval\nAnother session was in its way. Send it again. \(40001\)/,
    nextRead: 'done',
  },
  {
    name: '40001 at COMMIT',
    does: 'the COMMIT meets a conflict, so nothing stays (CockroachDB, DSQL: OC000)',
    lie: () => ({ rewrite: refusing(/^COMMIT/, '40001', 'change conflicts with another transaction') }),
    write: /^query_failed: change conflicts with another transaction\n.*Send it again. \(40001\)/,
  },
  {
    name: 'no DISCARD ALL',
    does: 'a session can’t be cleaned (poolers in front of PGlite, DSQL)',
    lie: () => ({ rewrite: refusing(/^DISCARD ALL/, '0A000', 'DISCARD is not supported') }),
  },
  {
    name: 'early close at the statement',
    does: 'the line ends where the statement comes (Neon, load balancers)',
    lie: () => ({ rewrite: (sql: string): Instead => (/^select id|^update/.test(sql) ? 'close' : sql) }),
    read: /^not_connected: ".*" can't be reached: The connection to PostgreSQL at .* was lost: /,
    write:
      /^not_connected: .*was lost: .*; nothing of the statement stays, as the server takes back what was not committed/,
  },
  {
    name: 'early close at COMMIT',
    does: 'the line ends where the COMMIT comes',
    lie: () => ({ rewrite: (sql: string): Instead => (sql === 'COMMIT' ? 'close' : sql) }),
    write: /^outcome_unknown: .*the connection was lost while the server was committing/,
  },
  {
    name: 'no end',
    does: 'it passes over time limits and cancels (PGlite)',
    lie: () => ({ ignoresCancel: true, rewrite: of([['statement_timeout = 200', 'statement_timeout = 0']]) }),
    warning:
      /^The server doesn't end a statement at its time limit, nor one that is cancelled: Sallyport leaves it then/m,
  },
  {
    name: 'no cancel',
    does: 'cancels are lost (poolers, load balancers)',
    lie: () => ({ ignoresCancel: true }),
    warning: /^The server doesn't end a statement that is cancelled: Sallyport leaves it then/m,
  },
  {
    name: 'slow wake',
    does: 'it sleeps, and wakes up for a second (Neon, Aurora Serverless)',
    lie: () => ({ wakesAfterMilliseconds: 1_000 }),
    warning: noWarning,
  },
  {
    name: 'catalogs are missing',
    does: 'our question to its catalog fails',
    lie: () => ({ rewrite: of([['pg_catalog.pg_class', 'pg_catalog.pg_clazz']]) }),
    read: /^query_failed: The server can't answer a question about its catalog. It said: .*pg_clazz[\s\S]* \(42P01\)/,
    write: /^query_failed: The server can't answer a question about its catalog. It said: .*pg_clazz[\s\S]* \(42P01\)/,
  },
];

const allOf =
  (...rewrites: ((sql: string) => Instead | Buffer)[]) =>
  (sql: string): Instead | Buffer =>
    rewrites.reduce<Instead | Buffer>((text, rewrite) => (typeof text === 'string' ? rewrite(text) : text), sql);

const answering =
  (asked: RegExp, number: number, said: string) =>
  (sql: string): string | Buffer =>
    asked.test(sql) ? refusal(number, 'HY000', said) : sql;

const saying = (version: string, comment: string) => (sql: string) =>
  sql.replace('VERSION()', `'${version}'`).replace('@@version_comment', `'${comment}'`);

const readOnly = 'START TRANSACTION READ ONLY';
const asMysql = 'MySQL Community Server - GPL';
const noop = 'function READ ONLY has only noop implementation in tidb now';

export const mysqlStandIns: readonly StandIn<MysqlLie>[] = [
  {
    name: 'TiDB',
    does: 'it has no XA, refuses READ ONLY, and knows no Handler counters',
    lie: () => ({
      version: '8.0.11-TiDB-v8.5.3',
      rewrite: allOf(
        saying('8.0.11-TiDB-v8.5.3', 'TiDB Server (Apache License 2.0) Community Edition, MySQL 8.0 compatible'),
        lackingXa,
        refusingReadOnly(1235, noop),
        sql => sql.replaceAll('Handler_', 'Handlez_'),
      ),
    }),
    version: '8.0.11-TiDB-v8.5.3',
    read: noWallAndSaid(`${noop} \\(1235\\)`),
    write: uncounted('the server does not tell what its session changed'),
  },
  {
    name: 'TiDB, noop functions on',
    does: 'it takes READ ONLY for nothing',
    lie: () => ({ version: '8.0.11-TiDB-v8.5.3', rewrite: allOf(lackingXa, withoutReadOnly) }),
    read: noWall,
  },
  {
    name: 'TiDB, accepted by its person',
    does: 'the same, and the guard alone holds reads',
    lie: () => ({ version: '8.0.11-TiDB-v8.5.3', rewrite: allOf(lackingXa, refusingReadOnly(1235, noop)) }),
    isAccepted: true,
  },
  {
    name: 'TiDB, a conflict',
    does: 'a read meets 9007 once',
    lie: () => ({ version: '8.0.11-TiDB-v8.5.3', rewrite: once(answering(/^select id/, 9007, 'Write conflict')) }),
    read: /^query_failed: Write conflict\nAnother session was in its way. Send it again. \(9007\)/,
    nextRead: 'done',
  },
  {
    name: 'Vitess, PlanetScale',
    does: 'no XA; an older one takes READ ONLY for nothing, and clients share sessions whose counters stand still',
    lie: () => ({
      version: '8.0.30-Vitess',
      rewrite: allOf(saying('8.0.30-Vitess', asMysql), lackingXa, withoutReadOnly, sql =>
        sql.replace('SHOW SESSION STATUS', 'SHOW GLOBAL STATUS').replace("('Handler_update'", "('Handler_delete'"),
      ),
    }),
    version: '8.0.30-Vitess',
    read: noWall,
    write: uncounted('the server does not tell what its session changed'),
  },
  {
    name: 'Vitess, a scatter read',
    does: 'it refuses a read over several shards in its own words',
    lie: () => ({ version: '8.0.30-Vitess', rewrite: answering(/^select id/, 1105, 'multi-db transaction attempted') }),
    read: /^query_failed: multi-db transaction attempted \(1105\)/,
  },
  {
    name: 'SingleStore',
    does: 'READ ONLY is a syntax error; its name is in the comment alone',
    lie: () => ({
      version: '5.7.32',
      rewrite: allOf(
        saying('5.7.32', 'SingleStoreDB source distribution (compatible; MySQL Enterprise & MySQL Commercial)'),
        lackingXa,
        refusingReadOnly(1064, 'You have an error in your SQL syntax near "READ ONLY"'),
      ),
    }),
    version: '5.7.32 (SingleStoreDB source distribution (compatible; MySQL Enterprise & MySQL Commercial))',
    read: noWallAndSaid('You have an error in your SQL syntax near "READ ONLY" \\(1064\\)'),
  },
  {
    name: 'StarRocks',
    does: 'it says 1064 of a variable that it doesn’t know',
    lie: () => ({
      version: '8.0.33',
      rewrite: allOf(
        saying('8.0.33', 'StarRocks version 3.1.2'),
        lackingXa,
        refusingReadOnly(
          1064,
          "Getting analyzing error. Detail message: Unknown system variable 'transaction_read_only'",
        ),
      ),
    }),
    version: '8.0.33 (StarRocks version 3.1.2)',
    read: noWall,
  },
  {
    name: 'Doris',
    does: 'it takes READ ONLY for nothing, and its version is 5.7.99',
    lie: () => ({
      version: '5.7.99',
      rewrite: allOf(saying('5.7.99', 'Doris version doris-2.1.0'), lackingXa, withoutReadOnly),
    }),
    version: '5.7.99 (Doris version doris-2.1.0)',
    read: noWall,
  },
  {
    name: 'READ ONLY loses its flag',
    does: 'a transaction is begun, but not as one that only reads',
    lie: () => ({
      version: '8.0.36',
      rewrite: allOf(lackingXa, sql => (sql === readOnly ? 'START TRANSACTION READ WRITE' : sql)),
    }),
    read: noWall,
  },
  {
    name: 'READ ONLY loses its flag later',
    does: 'the first transaction only reads, the later ones write',
    lie: () => {
      const honest = once(sql => (sql === readOnly ? `${readOnly} ` : sql));
      return {
        version: '8.0.36',
        rewrite: allOf(lackingXa, honest, sql => (sql === readOnly ? 'START TRANSACTION READ WRITE' : sql)),
      };
    },
    nextRead: noWall,
  },
  {
    name: 'READ ONLY hides its flag',
    does: 'it refuses writes, and its answers do not show that the transaction only reads',
    lie: () => ({
      version: '8.0.36',
      rewrite: allOf(lackingXa, sql => (sql === readOnly ? fine : sql)),
    }),
  },
  {
    name: 'READ ONLY fails once',
    does: 'the first transaction that only reads fails for want of memory, the next works',
    lie: () => ({
      version: '8.0.36',
      rewrite: allOf(
        lackingXa,
        once<string | Buffer>(answering(/^START TRANSACTION READ ONLY/, 1041, 'Out of memory')),
      ),
    }),
    read: /^query_failed: Out of memory \(1041\)/,
    nextRead: 'done',
  },
  {
    name: 'counters that stand still',
    does: 'the counters answer, and never move',
    lie: () => ({ version: '8.0.36', rewrite: stillCounters }),
    write: uncounted('the server says that it changed 1 rows, and its counters say 0'),
    several: uncounted('the server says that it changed 4 rows, and its counters say 0'),
    unsaid: uncounted("the server's counters stand still"),
  },
  {
    name: 'no end',
    does: 'it knows no time limit, and KILL does nothing',
    lie: () => ({ version: '8.0.36', rewrite: sql => (sql.startsWith('KILL') ? fine : sql) }),
    warning:
      /^The server doesn't end a statement at its time limit, nor one that is cancelled: Sallyport leaves it then/m,
  },
  {
    name: 'early close at the trial',
    does: 'the line ends where connections test sets a limit',
    lie: () => ({
      version: '8.0.36',
      rewrite: (sql: string): Instead => (sql === 'SET SESSION max_execution_time = 200' ? 'close' : sql),
    }),
    warning: noWarning,
  },
  {
    name: 'no comment to its version',
    does: 'it has no @@version_comment',
    lie: () => ({
      version: '8.0.36',
      rewrite: allOf(
        sql => sql.replace('VERSION()', "'8.0.36'"),
        answering(/@@version_comment/, 1193, "Unknown system variable 'version_comment'"),
      ),
    }),
    version: 'MySQL 8.0.36',
  },
  {
    name: 'a set-up in its own words',
    does: 'it refuses NAMES',
    lie: () => ({ version: '8.0.36', rewrite: answering(/^SET NAMES/, 1115, "Unknown character set: 'utf8mb4'") }),
    read: /^not_connected: .*The server refused to set up the session: Unknown character set: 'utf8mb4' \(1115\)/,
    write: /^not_connected: .*The server refused to set up the session: Unknown character set: 'utf8mb4' \(1115\)/,
  },
  {
    name: 'early close at COMMIT',
    does: 'the line ends where the COMMIT comes',
    lie: () => ({ version: '8.0.36', rewrite: (sql: string): Instead => (sql === 'COMMIT' ? 'close' : sql) }),
    write: /^outcome_unknown: .*the connection was lost while the server was committing/,
  },
  {
    name: 'early close at the statement',
    does: 'the line ends where the statement comes',
    lie: () => ({
      version: '8.0.36',
      rewrite: (sql: string): Instead => (/^(?:select id|update)/.test(sql) ? 'close' : sql),
    }),
    read: /^not_connected: .*The server closed the connection/,
    write: /^outcome_unknown: .*its session was gone before the server had said what it took back/,
  },
  {
    name: 'a COMMIT that fails',
    does: 'the COMMIT is refused in its own words',
    lie: () => ({ version: '8.0.36', rewrite: answering(/^COMMIT/, 1105, 'vttablet: transaction timed out') }),
    write: /^outcome_unknown: .*the server failed to commit: vttablet: transaction timed out \(1105\)/,
  },
];

/** Its first answer about the counters, again and again. */
function stillCounters(sql: string): string {
  return sql.startsWith('SHOW SESSION STATUS')
    ? "SELECT 'Handler_update', '7' UNION ALL SELECT 'Handler_delete', '7' UNION ALL SELECT 'Handler_write', '7'"
    : sql;
}
