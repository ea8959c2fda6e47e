/** Connections as people write them, and refusals that don't repeat a secret. */

import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseConnectionUrl } from '../../shared/connection-url.ts';

const base = { cwd: '/srv/here', home: '/home/anna' };
const parse = (url: string) => parseConnectionUrl(url, base);

function parsed(url: string) {
  const result = parse(url);
  if (result.kind === 'refused') throw new Error(result.problem);
  return result;
}

describe('servers', () => {
  const endpoint = {
    engine: 'postgres',
    host: 'h',
    port: null,
    socketPath: null,
    filePath: null,
    database: null,
    user: null,
  };
  const read: Record<string, object> = {
    'postgres://h': endpoint,
    'postgresql://h': endpoint,
    'POSTGRES://h': endpoint,
    'mysql://h': { ...endpoint, engine: 'mysql' },
    'mariadb://h/': { ...endpoint, engine: 'mysql' },
    'postgres://anna@db.example.com:6432/shop': {
      ...endpoint,
      user: 'anna',
      host: 'db.example.com',
      port: 6432,
      database: 'shop',
    },
    'postgres://an%40na@h/my%2Fshop%20%C3%A9': { ...endpoint, user: 'an@na', database: 'my/shop é' },
    'postgres://[::1]:5433/shop': { ...endpoint, host: '::1', port: 5433, database: 'shop' },
    'mysql://[fe80::1]/': { ...endpoint, engine: 'mysql', host: 'fe80::1' },
    'postgres:///shop?host=/var/run/postgresql': {
      ...endpoint,
      host: null,
      socketPath: '/var/run/postgresql/.s.PGSQL.5432',
      database: 'shop',
    },
    'postgres://anna@:6432/shop?host=/tmp': {
      ...endpoint,
      host: null,
      port: 6432,
      user: 'anna',
      socketPath: '/tmp/.s.PGSQL.6432',
      database: 'shop',
    },
    'postgres://%2Frun%2Fpg/shop': { ...endpoint, host: null, socketPath: '/run/pg/.s.PGSQL.5432', database: 'shop' },
    'postgres:///?socket=/run/pg/.s.PGSQL.1': { ...endpoint, host: null, socketPath: '/run/pg/.s.PGSQL.1' },
    'mysql://root@/shop?socket=/run/mysqld/mysqld.sock': {
      ...endpoint,
      engine: 'mysql',
      host: null,
      user: 'root',
      socketPath: '/run/mysqld/mysqld.sock',
      database: 'shop',
    },
    'mysql:///?socket=my.sock': { ...endpoint, engine: 'mysql', host: null, socketPath: '/srv/here/my.sock' },
    'postgres:///?host=h&port=7&user=u&dbname=d': { ...endpoint, port: 7, user: 'u', database: 'd' },
  };
  const several: Record<string, object> = {
    'postgres://u@h1:5432,h2:5433/db': { ...endpoint, host: 'h1:5432,h2:5433', user: 'u', database: 'db' },
    'mysql://u@h1,h2,h3:3307/db': {
      ...endpoint,
      engine: 'mysql',
      host: 'h1,h2,h3:3307',
      user: 'u',
      database: 'db',
    },
    'postgres://[::1]:5433,db.example/': { ...endpoint, host: '[::1]:5433,db.example' },
    'postgres:///?host=h1,::1&port=5433,': { ...endpoint, host: 'h1:5433,[::1]' },
    'postgres:///?host=h1,h2&port=5433': { ...endpoint, host: 'h1,h2', port: 5433 },
    'host=h1,h2 port=1,2': { ...endpoint, host: 'h1:1,h2:2' },
    'jdbc:mysql://h1:3306,h2/': { ...endpoint, engine: 'mysql', host: 'h1:3306,h2' },
  };
  for (const [url, expected] of Object.entries({ ...read, ...several })) {
    test(url, () => expect(parsed(url).endpoint).toEqual(expected));
  }

  test.each([
    ['any', undefined],
    ...['read-write', 'read-only', 'primary', 'standby', 'prefer-standby'].map(word => [word, word]),
  ])('target_session_attrs=%s', (word, expected) => {
    expect(parsed(`postgres://h1,h2/d?target_session_attrs=${word}`).targetServers).toBe(expected);
  });

  test.each([
    ['sslmode=disable', 'disable', null],
    ['sslmode=verify-ca&sslrootcert=/ca.pem', 'verify-ca', '/ca.pem'],
    ['sslmode=verify-full&sslrootcert=system', 'verify-full', null],
    ['ssl-mode=VERIFY_IDENTITY&ssl-ca=ca.pem', 'verify-full', '/srv/here/ca.pem'],
    ['ssl-mode=REQUIRED', 'require', null],
    ['tls=prefer', 'prefer', null],
    ['ca=~/ca.pem', null, '/home/anna/ca.pem'],
    ['', null, null],
  ])('TLS of ?%s', (query, mode, caFile) => {
    expect(parsed(`mysql://h/d?${query}`).tls).toEqual({ mode, caFile });
  });

  test.each([
    'postgres://h/d?sslcert=~/c.crt&sslkey=c.key',
    'mysql://h/d?ssl-cert=~/c.crt&ssl-key=c.key',
    'host=h sslcert=~/c.crt sslkey=c.key',
  ])('the client certificate of %s', url => {
    const clientCertificate = { certificateFile: '/home/anna/c.crt', keyFile: '/srv/here/c.key' };
    expect(parsed(url).tls).toEqual({ mode: null, caFile: null, clientCertificate });
  });

  test.each([
    ['postgres://u:hunter2@h/d', 'hunter2'],
    ['postgres://u:a%3Ab%2Fc%40d%23e%25@h/d', 'a:b/c@d#e%'],
    ['postgres://u:a+b:c@h/d', 'a+b:c'],
    ['postgres://u:@h/d', null],
    ['postgres://u@h/d?password=p%26q', 'p&q'],
    ['mysql://:only@h', 'only'],
  ])('the password of %s', (url, password) => {
    expect(parsed(url).password).toBe(password);
    expect(JSON.stringify(parsed(url).endpoint)).not.toContain('hunter2');
  });
});

/** From their makers' pages and consoles, with invented names. */
describe('URLs as people have them', () => {
  test.each<[url: string, expected: object, mode: string | null, ignored: readonly string[]]>([
    [
      'postgresql://o:pw@ep-cool-1.eu-central-1.aws.neon.tech/neondb?sslmode=require&channel_binding=require',
      { host: 'ep-cool-1.eu-central-1.aws.neon.tech', database: 'neondb', user: 'o' },
      ...(['require', []] as const),
    ],
    [
      'postgresql://postgres.ref:pw@aws-0-eu-west-1.pooler.supabase.com:6543/postgres?pgbouncer=true&connection_limit=1',
      { host: 'aws-0-eu-west-1.pooler.supabase.com', port: 6543, user: 'postgres.ref' },
      ...([null, ['pgbouncer', 'connection_limit']] as const),
    ],
    ['postgres://a@db.x.rds.amazonaws.com:5432/app?sslmode=verify-full', { port: 5432 }, 'verify-full', []],
    ['postgres://a%40srv:pw@srv.postgres.database.azure.com/app?sslmode=require', { user: 'a@srv' }, 'require', []],
    [
      'postgresql://u:pw@tabby-1.aws-eu-1.cockroachlabs.cloud:26257/defaultdb?sslmode=verify-full&sslrootcert=system',
      { host: 'tabby-1.aws-eu-1.cockroachlabs.cloud', port: 26_257, database: 'defaultdb' },
      ...(['verify-full', []] as const),
    ],
    [
      'postgres://avnadmin:pw@pg-1-shop.aivencloud.com:12691/defaultdb?sslmode=require',
      { host: 'pg-1-shop.aivencloud.com', port: 12_691, user: 'avnadmin' },
      ...(['require', []] as const),
    ],
    [
      'mysql://avnadmin:pw@mysql-1-shop.aivencloud.com:12691/defaultdb?ssl-mode=REQUIRED',
      { engine: 'mysql', host: 'mysql-1-shop.aivencloud.com', port: 12_691 },
      ...(['require', []] as const),
    ],
    [
      'postgresql://doadmin:pw@db-1-do-user-2-0.b.db.ondigitalocean.com:25060/defaultdb?sslmode=require&connect_timeout=10',
      { host: 'db-1-do-user-2-0.b.db.ondigitalocean.com', port: 25_060 },
      ...(['require', ['connect_timeout']] as const),
    ],
    [
      'mysql://a@shop.cluster-c1.eu-central-1.rds.amazonaws.com,shop.cluster-ro-c1.eu-central-1.rds.amazonaws.com/d',
      { host: 'shop.cluster-c1.eu-central-1.rds.amazonaws.com,shop.cluster-ro-c1.eu-central-1.rds.amazonaws.com' },
      ...([null, []] as const),
    ],
    [
      'mysql://a%40srv:pw@srv.mysql.database.azure.com:3306/d?ssl-mode=VERIFY_CA&ssl-ca=/etc/ssl/azure.pem',
      { user: 'a@srv', host: 'srv.mysql.database.azure.com' },
      ...(['verify-ca', []] as const),
    ],
    ['postgres://u3:pw@ec2-1.compute.amazonaws.com:5432/d4', { database: 'd4' }, null, []],
    ['mysql://k:pw@aws.connect.psdb.cloud/shop?sslaccept=strict', { engine: 'mysql' }, 'verify-full', []],
    [
      'mysql://k:pw@aws.connect.psdb.cloud/shop?ssl={"rejectUnauthorized":true}',
      { host: 'aws.connect.psdb.cloud' },
      'verify-full',
      [],
    ],
    [
      'mysql://u:pw@h:3306/d?sslaccept=accept_invalid_certs&connect_timeout=5',
      { port: 3306 },
      'require',
      ['connect_timeout'],
    ],
    ['postgresql://u:pw@h:5432/d?schema=public', { database: 'd' }, null, ['schema']],
    ['postgresql://u:pw@ep-1.neon.tech/d?options=endpoint%3Dep-1', { host: 'ep-1.neon.tech' }, null, ['options']],
    ['postgresql+psycopg2://u:pw@h/d', { engine: 'postgres', user: 'u' }, null, []],
    ['postgresql+asyncpg://u:pw@h/d?ssl=true', { engine: 'postgres' }, 'verify-full', []],
    ['mysql+pymysql://u:pw@h/d?charset=utf8mb4', { engine: 'mysql' }, null, ['charset']],
    [
      'mysql+pymysql://u:pw@/d?unix_socket=/run/mysqld/mysqld.sock',
      { socketPath: '/run/mysqld/mysqld.sock' },
      null,
      [],
    ],
    ['mariadb+mariadbconnector://u:pw@h/d', { engine: 'mysql' }, null, []],
    ['mysql2://u:pw@h/d?encoding=utf8mb4&pool=5', { engine: 'mysql' }, null, ['encoding', 'pool']],
    ['postgis://u:pw@h/geo', { engine: 'postgres', database: 'geo' }, null, []],
    ['jdbc:postgresql://h:5433/d?user=u&password=pw&ssl=true', { port: 5433, user: 'u' }, 'verify-full', []],
    ['jdbc:postgresql://h/d?currentSchema=public&sslmode=verify-ca', { database: 'd' }, 'verify-ca', ['currentSchema']],
    ['jdbc:mysql://h:3306/d?useSSL=false&serverTimezone=UTC', { engine: 'mysql' }, 'disable', ['serverTimezone']],
    [
      'jdbc:mysql://h/d?sslMode=VERIFY_IDENTITY&useSSL=true&allowPublicKeyRetrieval=true',
      { host: 'h' },
      ...(['verify-full', ['allowPublicKeyRetrieval']] as const),
    ],
    ['jdbc:mariadb://h/d?user=u', { engine: 'mysql', user: 'u' }, null, []],
    ['jdbc:sqlite:shop.db', { engine: 'sqlite', filePath: '/srv/here/shop.db' }, null, []],
    ['sqlite3:db/development.sqlite3', { filePath: '/srv/here/db/development.sqlite3' }, null, []],
    ['postgres:///shop', { host: 'localhost', database: 'shop', user: null }, null, []],
    ['mysql://u:pw@h/d?tls=skip-verify&parseTime=true', { user: 'u' }, 'require', ['parseTime']],
    ['postgres://u:pw@h/d?sslmode=require&ssl=true', { host: 'h' }, 'require', []],
    ['postgres://u:pw@h/d?application_name=web&target_session_attrs=any', {}, null, ['application_name']],
    [
      'host=h user=u application_name=web connect_timeout=3 sslmode=require',
      { host: 'h' },
      'require',
      ['application_name', 'connect_timeout'],
    ],
  ])('%s', (url, expected, mode, ignored) => {
    const { endpoint, tls, ignored: left } = parsed(url);
    expect(endpoint).toMatchObject(expected);
    expect([tls.mode, left]).toEqual([mode, ignored]);
  });
});

describe('SQLite files', () => {
  test.each([
    ['shop.db', '/srv/here/shop.db'],
    ['./a:b.db', '/srv/here/a:b.db'],
    ['../shop.db', '/srv/shop.db'],
    ['/data/shop.db', '/data/shop.db'],
    ['~/shop.db', '/home/anna/shop.db'],
    ['/data/100%20.db', '/data/100%20.db'],
    ['/data/what?.db', '/data/what?.db'],
    ['sqlite:shop.db', '/srv/here/shop.db'],
    ['sqlite:/data/shop.db', '/data/shop.db'],
    ['sqlite://shop.db', '/srv/here/shop.db'],
    ['sqlite:///data/shop.db', '/data/shop.db'],
    ['sqlite:////data/shop.db', '/data/shop.db'],
    ['sqlite:~/my%20shop%3F.db', '/home/anna/my shop?.db'],
    ['SQLite:größe.db', '/srv/here/größe.db'],
    ['file:./dev.db', '/srv/here/dev.db'],
    ['file:///data/dev.db', '/data/dev.db'],
  ])('%s', (url, filePath) => {
    const { endpoint, password, tls } = parsed(url);
    expect(endpoint).toMatchObject({ engine: 'sqlite', filePath, host: null, port: null, user: null });
    expect([password, tls]).toEqual([null, { mode: null, caFile: null }]);
  });
});

describe('as it is pasted', () => {
  const url = 'postgres://u:hunter2@h/d';
  test.each([
    ` ${url}\n`,
    `\u00a0"${url}"\r\n`,
    `'${url}'`,
    `“ ${url} ”`,
    `DATABASE_URL=${url}`,
    `export DATABASE_URL = "${url}"`,
    `SET DB_1='${url}'`,
  ])('%j', text => expect(parse(text)).toEqual(parse(url)));

  test.each<[string, object, string | null]>([
    ['host=h port=7 user=u password=hunter2 dbname=d', { host: 'h', port: 7, user: 'u', database: 'd' }, 'hunter2'],
    ['HOST = h  Password = hunter2', { host: 'h' }, 'hunter2'],
    [String.raw`password='a \'b\\ =;c' host=h`, { host: 'h' }, String.raw`a 'b\ =;c`],
    [String.raw`password=a\ b\'c host=h`, { host: 'h' }, "a b'c"],
    ['host=h password=abc==', { host: 'h' }, 'abc=='],
    ["host=h password='' user=''", { host: 'h', user: null }, null],
    ['host=/run/pg', { host: null, socketPath: '/run/pg/.s.PGSQL.5432' }, null],
    ["host=h dbname='a;b'", { database: 'a;b' }, null],
  ])("libpq's %s", (text, endpoint, password) => {
    expect(parsed(text)).toMatchObject({ endpoint: { engine: 'postgres', ...endpoint }, password });
  });

  test('a password in single quotes stays as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), password => {
        fc.pre(!/\p{Cc}|\p{Cs}/u.test(password));
        const quoted = password.replace(/['\\]/g, String.raw`\$&`);
        expect(parsed(`host=h password='${quoted}' dbname=d`)).toMatchObject({ password, endpoint: { database: 'd' } });
      }),
    );
  });
});

describe('refused', () => {
  const hint = /written as %3A/;
  test.each<[string, RegExp]>([
    ['', /empty/],
    ['oracle://u:hunter2@h/d', /not a URL that Sallyport knows/],
    ['u:hunter2@h/d', /not a URL that Sallyport knows/],
    ['localhost:5432/shop', /not a URL that Sallyport knows/],
    ['postgres:h/d', /Write \/\/ after/],
    ['postgres://', /names no host/],
    ['postgres://u:hunter2@/d', /names no host/],
    ['postgres://u:hunter2@h:0/d', /port .* 1 to 65535/],
    ['postgres://u:hunter2@h:65536/d', /port .* 1 to 65535/],
    ['postgres://u:hunter2@h:x/d', /port .* 1 to 65535/],
    ['postgres://u:hunter2@a,/d', /hosts in the URL can't be read/],
    ['postgres://u:hunter2@a,b:0/d', /hosts in the URL can't be read/],
    ['postgres://u:hunter2@a,b:x/d', /hosts in the URL can't be read/],
    [`mysql://u:hunter2@${Array.from({ length: 17 }, (_, at) => `h${at}`).join(',')}/d`, /at most 16/],
    ['postgres:///d?host=a,b&port=1,2,3', /more ports than hosts/],
    ['postgres:///d?host=a,b&port=1,x', /port .* 1 to 65535/],
    ['postgres:///d?host=/run/a,/run/b', /socket can't be one of several/],
    ['postgres://a,%2Frun%2Fb/d', /socket can't be one of several/],
    ['postgres://h/d?target_session_attrs=secondary', /must be any, read-write/],
    ['mysql://h/d?target_session_attrs=primary', /only with PostgreSQL/],
    ['postgres://u:hunter2@h/a/b', /one database name/],
    ['postgres://u:hun#ter2@h/d', hint],
    ['postgres://u:hun@ter2@h/d', hint],
    ['postgres://u:hun/ter2@h/d', /bare \/.*written as %3A/],
    ['postgres://u:hunter2%@h/d', hint],
    ['postgres://u:hunter2%zz@h/d', hint],
    ['postgres://u:hunter2@::1/d', /IPv6 address stands in brackets/],
    ['postgres://u:hunter2@h/d?sslcrl=crl.pem', /option sslcrl changes how safely/],
    ['postgres://h/d?sslcert=client.pem', /sslcert and sslkey belong together/],
    ['postgres://h/d?sslkey=client.key', /sslcert and sslkey belong together/],
    ['postgres://h/d?sslpassword=hunter2', /leave sslpassword out.*--key-passphrase-stdin/],
    ['host=h sslpassword=hunter2', /leave sslpassword out.*--key-passphrase-stdin/],
    ['postgres://h/d?sslcert=~otto/a&sslkey=/b', /Write the whole path/],
    ['postgres://u:hun?ter2@h/d', /bare \?.*written as %3A/],
    ['postgres://h/d?sslmode=allow', /not take the TLS mode allow/],
    ['postgres://h/d?sslmode=constructor', /TLS mode .* not one of/],
    ['postgres://h/d?__proto__=1', /doesn't know/],
    ['postgres://h/d?sslmode=%zz', /sslmode has no readable value/],
    ['postgres://h/d?sslmode=require&tls=require', /tls repeats/],
    ['postgres://u@h/d?user=v', /user twice/],
    ['postgres://u:hunter2@h/d?password=hunter2', /password twice/],
    ['postgres://h/d?host=/tmp', /host twice/],
    ['mysql://h/d?socket=/s', /a host and a socket/],
    ['postgres:///d?host=/a&socket=/b', /two sockets/],
    ['postgres://u:hunter2@h/d\nx', /control character/],
    ['postgres://u%00:hunter2@h/d', /control character/],
    ['sqlite:', /path of a file/],
    ['sqlite::memory:', /in memory/],
    [':memory:', /in memory/],
    ['sqlite:a.db?hunter2=ro', /takes no options/],
    ['sqlite:a%zz', /write it %25/],
    ['sqlite:a%00b', /control character/],
    ['~bob/shop.db', /Another user's home/],
    ['jdbc:oracle:thin:@h:1521:hunter2', /not a URL that Sallyport knows/],
    ['jdbc:mysql:hunter2', /Write \/\/ after/],
    ['postgres://u:hunter2@h\u200b/d', /invisible character/],
    ['connect postgres://u:hunter2@h/d', /other text around it/],
    ['my_user:hunter2@h/d', /not a URL that Sallyport knows/],
    ['-phunter2', /not a URL that Sallyport knows/],
    ['host=h;user=u;password=hunter2', /may be of PostgreSQL or MySQL/],
    ['host=h user=u;password=hunter2', /may be of PostgreSQL or MySQL/],
    ['host=h password=hun ter2', /in single quotes/],
    ["host=h password='hunter2", /in single quotes/],
    ['host=h pass=hunter2', /the keys are host/],
    ['DATABASE_URL=hunter2', /the keys are host/],
    ['host=h host=i password=hunter2', /is there twice/],
    ['user=u password=hunter2', /key host is missing/],
    ['a=b.db', /written .\/name/],
    ['postgres://h/d hunter2', /has a space/],
    ['postgres://h/d?hunter2', /name is unusual/],
    ['postgres://h/d?password=x&hunter2=1', /name is unusual/],
  ])('%j', (url, sentence) => {
    const result = parse(url);
    if (result.kind !== 'refused') throw new Error(JSON.stringify(result));
    expect(result.problem).toMatch(sentence);
    expect(result.problem).not.toMatch(/hun|ter2/);
    expect(result.problem.endsWith('.')).toBe(true);
  });

  test('no sentence repeats a password, in any spelling', () => {
    const secret = fc.string({ minLength: 6, maxLength: 20, unit: fc.constantFrom(...'Q9Z7:/?#[]@%&=+ ') });
    fc.assert(
      fc.property(secret, fc.constantFrom('postgres', 'mysql', 'mariadb', 'oracle', 'x'), (password, scheme) => {
        fc.pre(/[Q9Z7]{3}/.test(password));
        const result = parse(`${scheme}://user:${password}@host/db`);
        if (result.kind === 'parsed') return;
        for (const [piece] of password.matchAll(/[Q9Z7]{3,}/g)) expect(result.problem).not.toContain(piece);
      }),
      { numRuns: 500 },
    );
  });

  test('each encoded password comes back as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), password => {
        fc.pre(!/\p{Cc}|\p{Cs}/u.test(password));
        expect(parsed(`postgres://u:${encodeURIComponent(password)}@h/d`).password).toBe(password);
      }),
    );
  });
});

/**
 * Five hundred texts and how each was read: spellings of each form, placeholders, options,
 * mistakes, texts in other alphabets.
 */
test('each text is read as before, and no refusal repeats its password', () => {
  const texts: { text: string; read?: object; refused?: string }[] = JSON.parse(
    readFileSync(new URL('texts-read.json', import.meta.url), 'utf8'),
  );
  expect(texts.length).toBeGreaterThan(400);
  for (const { text, read, refused } of texts) {
    const now = parse(text);
    if (now.kind === 'refused') {
      expect({ text, refused: now.problem }).toEqual({ text, refused });
      expect(now.problem).not.toContain('hunter2');
    } else expect({ text, ...now }).toEqual({ text, kind: 'parsed', ...read });
  }
});
