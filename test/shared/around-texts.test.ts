/**
 * Connections as people have them in programs, files and mails: what is read of each, or which kind
 * of refusal it gets. No refusal repeats the password.
 */

import { expect, test } from '@jest/globals';
import { parseConnectionUrl } from '../../shared/connection-url.ts';
import { guessSentence } from '../../shared/url-parts.ts';

const base = { cwd: '/project', home: '/home/me' };
type Mode = 'disable' | 'prefer' | 'require' | 'verify-ca' | 'verify-full' | null;

test.each<[text: string, place: string, password: string | null, mode: Mode, ignored: string]>([
  ['postgres://me:p%40ss@[fe80::1%25eth0]:5432/shop', 'postgres me@fe80::1%eth0:5432/shop', 'p@ss', null, ''],
  ['postgresql://me@[::1]/shop?sslmode=disable', 'postgres me@::1/shop', null, 'disable', ''],
  [
    'jdbc:postgresql://h1:5432,h2:5433/shop?targetServerType=primary&user=me&password=Pw1',
    'postgres me@h1:5432,h2:5433/shop',
    'Pw1',
    null,
    '',
  ],
  ['jdbc:postgresql:///shop?user=me', 'postgres me@localhost/shop', null, null, ''],
  ['jdbc:mysql:replication://m:3306,r:3306/shop?user=me', 'mysql me@m:3306,r:3306/shop', null, null, ''],
  ['jdbc:mariadb:aurora://c.example/shop', 'mysql c.example/shop', null, null, ''],
  ['jdbc:p6spy:postgresql://h/shop', 'postgres h/shop', null, null, ''],
  ['jdbc:log4jdbc:mysql://h/shop', 'mysql h/shop', null, null, ''],
  ['jdbc:sqlite:/tmp/a.db', 'sqlite /tmp/a.db', null, null, ''],
  ['r2dbc:postgresql://me:Pw1@h:5432/shop', 'postgres me@h:5432/shop', 'Pw1', null, ''],
  ['r2dbc:pool:mysql://h/shop', 'mysql h/shop', null, null, ''],
  ['postgresql+asyncpg://me:Pw1@h/shop?ssl=require', 'postgres me@h/shop', 'Pw1', 'require', ''],
  ['postgresql+psycopg://me:Pw1@h/shop', 'postgres me@h/shop', 'Pw1', null, ''],
  ['mysql+pymysql://me:Pw1@h/shop?charset=utf8mb4', 'mysql me@h/shop', 'Pw1', null, 'charset'],
  ['mysql+aiomysql://me:Pw1@h/shop', 'mysql me@h/shop', 'Pw1', null, ''],
  ['mariadb+mariadbconnector://me:Pw1@h:3307/shop', 'mysql me@h:3307/shop', 'Pw1', null, ''],
  ['mysql2://me:Pw1@h/shop?encoding=utf8mb4&pool=5', 'mysql me@h/shop', 'Pw1', null, 'encoding pool'],
  ['trilogy://me:Pw1@h/shop', 'mysql me@h/shop', 'Pw1', null, ''],
  [
    'cockroachdb://root@h:26257/defaultdb?sslmode=verify-full',
    'postgres root@h:26257/defaultdb',
    null,
    'verify-full',
    '',
  ],
  ['postgis://me:Pw1@h/shop', 'postgres me@h/shop', 'Pw1', null, ''],
  ['sqlite3:///tmp/x.db', 'sqlite /tmp/x.db', null, null, ''],
  ['sqlite+aiosqlite:////tmp/x.db', 'sqlite /tmp/x.db', null, null, ''],
  ['export DATABASE_URL="postgres://me:Pw1@h/shop"', 'postgres me@h/shop', 'Pw1', null, ''],
  ['ENV DATABASE_URL=postgres://me:Pw1@h/shop', 'postgres me@h/shop', 'Pw1', null, ''],
  ['$env:DATABASE_URL = "postgres://me:Pw1@h/shop"', 'postgres me@h/shop', 'Pw1', null, ''],
  ['set -gx DATABASE_URL postgres://me:Pw1@h/shop', 'postgres me@h/shop', 'Pw1', null, ''],
  ['  DATABASE_URL: "postgres://me:Pw1@h/shop"', 'postgres me@h/shop', 'Pw1', null, ''],
  ['psql "postgres://me:Pw1@h/shop"', 'postgres me@h/shop', 'Pw1', null, ''],
  ['pgcli postgres://me:Pw1@h/shop', 'postgres me@h/shop', 'Pw1', null, ''],
  ['<postgres://me:Pw1@h/shop>', 'postgres me@h/shop', 'Pw1', null, ''],
  ['`postgres://me:Pw1@h/shop`', 'postgres me@h/shop', 'Pw1', null, ''],
  ['\u201cpostgres://me:Pw1@h/shop\u201d', 'postgres me@h/shop', 'Pw1', null, ''],
  ['postgres://me:Pw1@h/shop\n', 'postgres me@h/shop', 'Pw1', null, ''],
  ['postgres://me:Pw1@h/shop\u200b', 'postgres me@h/shop', 'Pw1', null, ''],
  ['postgres://me:Pw1@h/shop,', 'postgres me@h/shop', 'Pw1', null, ''],
  ['postgres://me:Pw1@h/shop;', 'postgres me@h/shop', 'Pw1', null, ''],
  [
    'host=h port=5432 dbname=shop user=me password=Pw1 sslmode=require',
    'postgres me@h:5432/shop',
    'Pw1',
    'require',
    '',
  ],
  ["host='h' dbname='my shop' user=me password='it\\'s'", 'postgres me@h/my shop', "it's", null, ''],
  ['postgres://%2Fvar%2Frun%2Fpostgresql/shop', 'postgres /var/run/postgresql/.s.PGSQL.5432/shop', null, null, ''],
  [
    'postgres://me:Pw1@h:5432/shop?pgbouncer=true&connection_limit=1&schema=public',
    'postgres me@h:5432/shop',
    'Pw1',
    null,
    'pgbouncer connection_limit schema',
  ],
  ['postgres://me:Pw1@h/shop?sslmode=require&sslrootcert=system', 'postgres me@h/shop', 'Pw1', 'verify-full', ''],
  ['postgres://me:Pw1@h/shop?sslmode=no-verify', 'postgres me@h/shop', 'Pw1', 'require', ''],
  [
    'postgres://me:Pw1@h/shop?sslnegotiation=direct&sslmode=require',
    'postgres me@h/shop',
    'Pw1',
    'require',
    'sslnegotiation',
  ],
  [
    'postgres://me:[YOUR-PASSWORD]@db.x.supabase.co:5432/postgres',
    'postgres me@db.x.supabase.co:5432/postgres',
    'asked',
    null,
    '',
  ],
  ['postgres://me:$DB_PASS@h/shop', 'postgres me@h/shop', 'asked', null, ''],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: so a person pastes it
  ['postgres://me:${PW}@h/shop', 'postgres me@h/shop', 'asked', null, ''],
  ['me:Pw1@tcp(h:3306)/shop?parseTime=true', 'mysql me@h:3306/shop', 'Pw1', null, 'parseTime'],
  ['me:Pw1@unix(/tmp/mysql.sock)/shop', 'mysql me@/tmp/mysql.sock/shop', 'Pw1', null, ''],
  ['me@/shop', 'sqlite /project/me@/shop', null, null, ''],
  [
    'Server=h;Port=3306;Database=shop;User=me;Password=Pw1;SslMode=VerifyFull',
    'mysql me@h:3306/shop',
    'Pw1',
    'verify-full',
    '',
  ],
  ['Host=h;Database=shop;Username=me;Password=Pw1', 'postgres me@h/shop', 'Pw1', null, ''],
  ['Server=h;Database=shop;Uid=me;Pwd=Pw1;', 'mysql me@h/shop', 'Pw1', null, ''],
  [
    'Driver={MySQL ODBC 9.0 Unicode Driver};Server=h;Port=3307;Database=shop;User=me;Password={a;b};',
    'mysql me@h:3307/shop',
    'a;b',
    null,
    '',
  ],
  ['Data Source=/tmp/a.db;Version=3;', 'sqlite /tmp/a.db', null, null, 'Version'],
  ['postgres//me@h/shop', 'sqlite /project/postgres/me@h/shop', null, null, ''],
  ['POSTGRES://ME@H/Shop', 'postgres ME@H/Shop', null, null, ''],
  ['postgres://me@m\u00fcnchen.example/shop', 'postgres me@m\u00fcnchen.example/shop', null, null, ''],
  ['postgres://me@h/%E2%82%AC', 'postgres me@h/\u20ac', null, null, ''],
  ['mysql://me@h/shop?ssl-mode=REQUIRED', 'mysql me@h/shop', null, 'require', ''],
  ['mysql://me@h/shop?sslmode=verify_identity&sslca=/ca.pem', 'mysql me@h/shop', null, 'verify-full', ''],
  ['mysql://me@h/shop?ssl={"rejectUnauthorized":true}', 'mysql me@h/shop', null, 'verify-full', ''],
  [
    'mysql://me@h/shop?useSSL=false&allowPublicKeyRetrieval=true',
    'mysql me@h/shop',
    null,
    'disable',
    'allowPublicKeyRetrieval',
  ],
])('%j is %s', (text, place, password, mode, ignored) => {
  const read = parseConnectionUrl(text, base);
  if (read.kind === 'refused') throw new Error(read.problem);
  const { engine, user, host, port, socketPath, filePath, database } = read.endpoint;
  const at = socketPath ?? filePath ?? `${host}${port === null ? '' : `:${port}`}`;
  expect(`${engine} ${user === null ? '' : `${user}@`}${at}${database === null ? '' : `/${database}`}`).toBe(place);
  expect([read.passwordIsPlaceholder === true ? 'asked' : read.password, read.tls.mode]).toEqual([password, mode]);
  expect(read.ignored.join(' ')).toBe(ignored);
});

test.each<[text: string, says: string]>([
  ['jdbc:mysql://(host=h1,port=3307,user=me,password=Pw1)/shop', "host in the URL can't be read"],
  ['jdbc:mysql://me:Pw1@[(host=h1,port=1),(host=h2,port=2)]/shop', "host in the URL can't be read"],
  ['jdbc:sqlserver://h:1433;databaseName=x', 'SQL Server'],
  ['jdbc:oracle:thin:@h:1521/x', 'Oracle'],
  ['ecto://me:Pw1@h/shop', 'not a URL that Sallyport knows'],
  ['file:/tmp/x.db?mode=ro', 'how the file is opened'],
  ['setx DATABASE_URL "postgres://me:Pw1@h/shop"', 'other text around'],
  ["url = env('DATABASE_URL', 'postgres://me:Pw1@h/shop')", 'other text around'],
  ['psql -h h -U me -d shop', 'a command line'],
  ['mysql -h h -u me -pPw1 shop', 'a command line'],
  ['PGPASSWORD=Pw1 psql -h h -U me shop', 'a command line'],
  ['docker run -e DATABASE_URL=postgres://me:Pw1@h/shop app', 'a command line'],
  ['--from-literal=DATABASE_URL=postgres://me:Pw1@h/shop', 'other text around'],
  ['service=prod', 'where it leads'],
  ['postgres:///?service=prod', 'where it leads'],
  ['postgres://me:Pw1@h/shop?host=/var/run/postgresql', 'host twice'],
  ['postgres://me:Pw1@h:5432/shop?options=-c%20search_path%3Dapp', 'what a statement means'],
  ['postgres://me:p@ss@h/shop', 'more than one @'],
  ['postgres://me:pa/ss@h/shop', 'a bare /'],
  ['postgres://me:pa#ss@h/shop', 'a bare #'],
  ['postgres://me:pa?ss@h/shop', 'a bare ?'],
  ['postgres://<user>:<password>@h/shop', 'placeholder for its user'],
  ['Server=h,1433;Database=x;User Id=me;Password=Pw1', 'SQL Server'],
  ['Data Source=:memory:', 'in memory'],
  ['mongodb+srv://h/x', 'MongoDB'],
  ['redis://h', 'Redis'],
  ['mysqlx://me@h:33060/shop', 'X protocol'],
  ['libsql://h', 'libSQL'],
  ['snowflake://x', 'Snowflake'],
  ['clickhouse://h', 'ClickHouse'],
  ['mssql://h/x', 'SQL Server'],
  ['https://h/shop', 'not a URL that Sallyport knows'],
  ['h:5432/shop', 'not a URL that Sallyport knows'],
  ['tcp://h:5432', 'not a URL that Sallyport knows'],
  ['postgres:h/shop', 'Write // after'],
  ['postgers://h/shop', 'not a URL that Sallyport knows'],
  ['postgres://me@h:99999/shop', 'port in the URL'],
  ['postgres://me@h:abc/shop', 'port in the URL'],
  ['postgres://h:5432:5433/shop', "host in the URL can't be read"],
  ['postgres://me@:5432/shop', 'names no host'],
  ['mysql://me@h/shop?socketPath=/tmp/m.sock', 'a host and a socket'],
])('%j is refused: %s', (text, says) => {
  const read = parseConnectionUrl(text, base);
  expect(read).toMatchObject({ kind: 'refused', problem: expect.stringContaining(says) });
  expect(JSON.stringify(read)).not.toMatch(/Pw1|p@ss|pa.ss/);
});

test.each([
  ['Host=h;Username=me;Password=Pw1', 'PostgreSQL'],
  ['Server=h;Uid=me;Pwd=Pw1', 'MySQL'],
  ['Host=h;Username=me;Port=5432', null],
  ['Driver={PostgreSQL Unicode};Server=h;Uid=me', null],
])('%s: whose it is was guessed: %s', (text, taken) => {
  const read = parseConnectionUrl(text, base);
  if (read.kind === 'refused') throw new Error(read.problem);
  const said = guessSentence(read);
  if (taken === null) expect(said).toBeNull();
  else expect(said).toContain(`it is taken for ${taken}'s; if it is`);
});
