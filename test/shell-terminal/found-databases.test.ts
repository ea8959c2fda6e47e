/**
 * What setup reads from the files and variables of PostgreSQL's and MySQL's own clients, and from
 * local sockets.
 */

import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { serversHere } from '../../shell-terminal/setup/around.ts';
import { type FoundDatabases, placeOf } from '../../shell-terminal/setup/candidate.ts';
import { inDBeaver } from '../../shell-terminal/setup/dbeaver.ts';
import { findDatabases } from '../../shell-terminal/setup/find.ts';
import { inServersFiles } from '../../shell-terminal/setup/servers-files.ts';
import { inSettingsFile } from '../../shell-terminal/setup/settings-files.ts';
import { ofTablePlus } from '../../shell-terminal/setup/table-plus.ts';
import { inVariables } from '../../shell-terminal/setup/variables.ts';
import type { Terminal } from '../../shell-terminal/terminal.ts';
import { temporaryFolder } from '../storage/home-for-tests.ts';

const home = temporaryFolder();
const base = { cwd: home, home };
/** `name: engine user@host:port/database password`, and what was said instead. */
const told = ({ candidates, unreadable }: FoundDatabases): string[] => [
  ...candidates.map(({ name, connection: { endpoint, password } }) =>
    [`${name}:`, endpoint.engine, placeOf(endpoint), ...(password === null ? [] : [password])].join(' '),
  ),
  ...unreadable.map(({ from, problem }) => `${from}: ${problem}`),
];
const connectionsOf = ({ candidates }: FoundDatabases) => candidates.map(({ connection }) => connection);

describe('.my.cnf', () => {
  function inOptionFile(text: string): FoundDatabases {
    writeFileSync(join(home, '.my.cnf'), text);
    return inServersFiles(base, {});
  }

  test.each([
    ['an IPv6 address', 'host = ::1\nport = 3307', { host: '::1', port: 3307, socketPath: null }],
    ['a comment in mid-line', 'host = db.example # production', { host: 'db.example' }],
    ['no host', 'user = root', { host: '127.0.0.1', user: 'root' }],
    [
      'a socket',
      'user=root\nsocket=/run/x y.sock',
      { host: null, port: null, socketPath: '/run/x y.sock', user: 'root' },
    ],
    [
      'a socket of localhost',
      'host=localhost\nport=3306\nsocket=/run/x.sock',
      { host: null, socketPath: '/run/x.sock' },
    ],
    ['a socket beside another host', 'host=db.example\nsocket=/run/x.sock', { host: 'db.example', socketPath: null }],
    ['a name with signs of a URL', "host=h\nuser='a@b:c/d'\ndatabase=x?y#z", { user: 'a@b:c/d', database: 'x?y' }],
  ])('%s', (_, lines, endpoint) => {
    expect(connectionsOf(inOptionFile(`[client]\n${lines}\n`))).toMatchObject([
      { endpoint: { engine: 'mysql', ...endpoint } },
    ]);
  });

  test.each([
    ['a#b', 'a'],
    ['"a#b" # why', 'a#b'],
    ["'it#s' # 'why'", 'it#s'],
    ['a\\\\b\\sc', 'a\\b c'],
    ['"say \\"#\\""', 'say "#"'],
  ])('the password %s', (written, password) => {
    expect(connectionsOf(inOptionFile(`[client]\nuser=root\npassword=${written}\n`))).toMatchObject([{ password }]);
  });

  test('TLS, with either sign between the words', () => {
    const text = '[client]\nhost=h\nssl_mode=VERIFY_CA\nssl-ca=/ca.pem\nssl-cert=/cert.pem\nssl_key=/key.pem\n';
    expect(connectionsOf(inOptionFile(text))).toMatchObject([
      {
        tls: {
          mode: 'verify-ca',
          caFile: '/ca.pem',
          clientCertificate: { certificateFile: '/cert.pem', keyFile: '/key.pem' },
        },
      },
    ]);
  });

  test('two groups of one name, included files and the groups of MariaDB', () => {
    mkdirSync(join(home, 'my.d'), { recursive: true });
    writeFileSync(join(home, 'my.d/a.cnf'), '[client]\nport=3307\n');
    writeFileSync(join(home, 'my.d/b.txt'), '[client]\nport=1\n');
    writeFileSync(join(home, 'host.cnf'), '[client-mariadb]\nhost=db.example\n!include .my.cnf\n');
    const groups =
      '[client]\nuser=anna\n[mysqld]\nuser=mysql\n[client]\npassword=pw\n[mariadb-client]\ndatabase=shop\n';
    expect(told(inOptionFile(`${groups}!include host.cnf\n!includedir ${home}/my.d\n`))).toEqual([
      'shop: mysql anna@db.example:3307/shop pw',
    ]);
    expect(told(inOptionFile('[client]\r\nuser=anna\r\npassword=pw\r\nhost=h\r\n'))).toEqual([
      'mysql: mysql anna@h pw',
    ]);
  });

  test('unreadable parts are reported', () => {
    const { candidates, unreadable } = inOptionFile('[client]\nhost=h\nport=many\n');
    expect({ candidates, unreadable }).toEqual({
      candidates: [],
      unreadable: [
        { from: join(home, '.my.cnf'), problem: expect.stringMatching(/^The port in the URL is not a number/) },
      ],
    });
    writeFileSync(join(home, '.my.cnf'), '');
  });
});

const certificate = { certificateFile: '/cert.pem', keyFile: '/key.pem' };

test('a service includes its certificate, and which of its servers it wants', () => {
  const lines = ['host=db1,db2', 'sslmode=verify-full', 'sslcert=/cert.pem', 'sslkey=/key.pem'];
  writeFileSync(
    join(home, '.pg_service.conf'),
    `[sales]\n${lines.join('\n')}\ntarget_session_attrs=primary\nrequire_auth=!password,!md5\n`,
  );
  expect(connectionsOf(inServersFiles(base, {}))).toMatchObject([
    {
      targetServers: 'primary',
      signInMethods: ['none', 'scram-sha-256'],
      tls: { mode: 'verify-full', clientCertificate: certificate },
    },
  ]);
});

test('so do the variables of libpq', () => {
  const found = inVariables(
    {
      PGHOST: 'db1,db2',
      PGSSLROOTCERT: '/ca.pem',
      PGSSLCERT: '/cert.pem',
      PGSSLKEY: '/key.pem',
      PGTARGETSESSIONATTRS: 'read-write',
      PGREQUIREAUTH: 'scram-sha-256',
      PGCHANNELBINDING: 'require',
    },
    'in this shell',
    base,
  );
  expect(connectionsOf(found)).toMatchObject([
    {
      targetServers: 'read-write',
      signInMethods: ['scram-sha-256-plus'],
      tls: { caFile: '/ca.pem', clientCertificate: certificate },
    },
  ]);
});

test('sockets of servers that listen here', async () => {
  const folder = join(home, 'run ü');
  mkdirSync(folder);
  const sockets = { postgres: [join(folder, '.s.PGSQL.5432')], mysql: [join(folder, 'mysqld.sock')] };
  for (const [path = ''] of Object.values(sockets)) writeFileSync(path, '');
  const found = connectionsOf(await serversHere(base, sockets));
  const paths = found.flatMap(({ endpoint: { engine, host, socketPath } }) =>
    host === null ? [[engine, socketPath]] : [],
  );
  expect(paths).toEqual([
    ['postgres', sockets.postgres[0]],
    ['mysql', sockets.mysql[0]],
  ]);
});

describe('a file of settings', () => {
  const inFile = async (name: string, text: string, shell: Record<string, string> = {}): Promise<string[]> => {
    writeFileSync(join(home, name), text);
    const found = await inSettingsFile(join(home, name), name, shell, base);
    return found === null ? [] : told(found);
  };
  const wrapped = (name: string): string => `\${${name}}`;

  test.each<[title: string, text: string, expected: readonly string[]]>([
    ['any name', 'WAREHOUSE="postgres://u:pw@h/stock"', ['stock: postgres u@h/stock pw']],
    ['by the database', 'SHOP_DATABASE_URL=mysql://u:pw@h/erp', ['erp: mysql u@h/erp pw']],
    ['export', 'export DB="postgres://u@h/a"', ['a: postgres u@h/a']],
    [
      'Laravel',
      'DB_CONNECTION=mysql\nDB_HOST=127.0.0.1\nDB_PORT=3306\nDB_DATABASE=laravel\nDB_USERNAME=root\nDB_PASSWORD=pw',
      ['laravel: mysql root@127.0.0.1:3306/laravel pw'],
    ],
    [
      'Laravel on PostgreSQL',
      'DB_CONNECTION=pgsql\nDB_HOST=db.example\nDB_DATABASE=app\nDB_USERNAME=a',
      ['app: postgres a@db.example/app'],
    ],
    [
      'Laravel without a password',
      'DB_CONNECTION=mysql\nDB_HOST=h\nDB_DATABASE=app\nDB_USERNAME=root\nDB_PASSWORD=null',
      ['app: mysql root@h/app'],
    ],
    ['Laravel on SQLite', 'DB_CONNECTION=sqlite\nDB_DATABASE=/srv/app.sqlite', ['app.sqlite: sqlite /srv/app.sqlite']],
    [
      'WordPress in a container',
      'WORDPRESS_DB_HOST=db:3307\nWORDPRESS_DB_USER=wp\nWORDPRESS_DB_PASSWORD=pw\nWORDPRESS_DB_NAME=wp',
      ['wp: mysql wp@db:3307/wp pw'],
    ],
    [
      'Bedrock',
      'WP_HOME=https://x\nDB_NAME=wp\nDB_USER=wp\nDB_PASSWORD=pw\nDB_HOST=localhost:/run/mysqld.sock',
      ['wp: mysql wp@/run/mysqld.sock/wp pw'],
    ],
    [
      'the image of PostgreSQL',
      'POSTGRES_USER=app\nPOSTGRES_PASSWORD=pw\nPOSTGRES_DB=shop',
      ['shop: postgres app@127.0.0.1/shop pw'],
    ],
    ['the image of MySQL', 'MYSQL_ROOT_PASSWORD=pw\nMYSQL_DATABASE=shop', ['shop: mysql root@127.0.0.1/shop pw']],
    [
      'Railway',
      'MYSQLHOST=m.railway.app\nMYSQLPORT=7000\nMYSQLUSER=root\nMYSQLPASSWORD=pw\nMYSQLDATABASE=railway\nDATABASE_URL=$'.concat(
        '{{MySQL.MYSQL_URL}}',
      ),
      [
        'railway: mysql root@m.railway.app:7000/railway pw',
        'DATABASE_URL in .env: It refers to a variable that is not set there.',
      ],
    ],
    [
      'Vercel',
      'POSTGRES_URL=postgres://d:pw@p-pooler.vercel-storage.com/v?sslmode=require\nPOSTGRES_URL_NON_POOLING=postgres://d:pw@p.vercel-storage.com/v\nPOSTGRES_USER=d\nPOSTGRES_HOST=p.vercel-storage.com\nPOSTGRES_PASSWORD=pw\nPOSTGRES_DATABASE=v',
      ['v: postgres d@p-pooler.vercel-storage.com/v pw', 'v: postgres d@p.vercel-storage.com/v pw'],
    ],
    [
      'Neon',
      'DATABASE_URL_UNPOOLED=postgresql://o:pw@ep.neon.tech/neondb\nPGHOST=ep-pooler.neon.tech\nPGUSER=o\nPGDATABASE=neondb\nPGPASSWORD=pw',
      ['neondb: postgres o@ep.neon.tech/neondb pw', 'neondb: postgres o@ep-pooler.neon.tech/neondb pw'],
    ],
    [
      'Supabase',
      'SUPABASE_URL=https://x.supabase.co\nDIRECT_URL="postgresql://postgres.x:[YOUR-PASSWORD]@aws-0.pooler.supabase.com:5432/postgres"',
      ['postgres: postgres postgres.x@aws-0.pooler.supabase.com:5432/postgres'],
    ],
    [
      'Heroku',
      'HEROKU_POSTGRESQL_AMBER_URL=postgres://u:pw@ec2.amazonaws.com:5432/d1',
      ['d1: postgres u@ec2.amazonaws.com:5432/d1 pw'],
    ],
    [
      'Spring',
      'SPRING_DATASOURCE_URL=jdbc:postgresql://h:5432/shop\nSPRING_DATASOURCE_USERNAME=app\nSPRING_DATASOURCE_PASSWORD=pw',
      ['shop: postgres app@h:5432/shop pw'],
    ],
    [
      'Spring before its password is written',
      'SPRING_DATASOURCE_URL=jdbc:postgresql://h:5432/shop\nSPRING_DATASOURCE_USERNAME=app\nSPRING_DATASOURCE_PASSWORD=$DB_PASSWORD',
      ['shop: postgres app@h:5432/shop'],
    ],
    [
      'what is not supported',
      'MONGODB_URI=mongodb://u:hunter2@h/d',
      [expect.stringMatching(/^MONGODB_URI in .env: .*MongoDB is not supported/)] as never,
    ],
    [
      'ADO.NET',
      'ConnectionStrings__Shop="Server=h;Port=5432;Database=shop;User Id=app;Password=hunter2"\nFILE=Data Source=app.db\nSQL=Data Source=h;Initial Catalog=x;Password=hunter2',
      [
        'shop: postgres app@h:5432/shop hunter2',
        expect.stringMatching(/^app\.db: sqlite .*\/app\.db$/),
        expect.stringMatching(/^SQL in .env: .*may be of PostgreSQL or MySQL/),
      ] as never,
    ],
    [
      "placeholders in the password's place",
      'DB_CONNECTION=pgsql\nDB_HOST=h\nDB_USERNAME=app\nDB_DATABASE=a\nDB_PASSWORD=<password>\nB_DATABASE_URL=postgres://u:$NOWHERE@h/b',
      ['b: postgres u@h/b', 'a: postgres app@h/a'],
    ],
    ['Django', 'DATABASE_URL=psql://u:pw@127.0.0.1:8458/shop', ['shop: postgres u@127.0.0.1:8458/shop pw']],
    [
      'Django in pieces',
      'SQL_ENGINE=django.db.backends.postgresql\nSQL_DATABASE=shop\nSQL_USER=u\nSQL_PASSWORD=pw\nSQL_HOST=db',
      ['shop: postgres u@db/shop pw'],
    ],
    [
      'Knex, Strapi, Directus',
      'DATABASE_CLIENT=mysql2\nDATABASE_HOST=h\nDATABASE_NAME=shop\nDATABASE_USERNAME=u',
      ['shop: mysql u@h/shop'],
    ],
    ['Symfony', 'DATABASE_URL="sqlite:///%kernel.project_dir%/var/data.db"', [`data.db: sqlite ${home}/var/data.db`]],
    [
      'PlanetScale, whose URL says which engine it is',
      'DATABASE_HOST=h\nDATABASE_USERNAME=u\nDATABASE_PASSWORD=pw\nDATABASE_NAME=shop\nDATABASE_URL=mysql://u:pw@h/shop',
      ['shop: mysql u@h/shop pw'],
    ],
    [
      'a URL of another kind where one of a database belongs',
      'DATABASE_URL=shop+proxy://u:hunter2@h/d\nAPP_URL=https://x',
      [expect.stringMatching(/^DATABASE_URL in .env: That is not a URL that Sallyport knows/)] as never,
    ],
    [
      'no database',
      'DEBUG=sqlite:*\nAPP_URL=https://x\nDB_NAME=x\nDATABASE_URL=hunter2\nUSER_NAME=anna\nHOME_DIR=file:///tmp',
      ['.env: It names no database that Sallyport can read.'],
    ],
    [
      'an engine that nothing names',
      'DB_HOST=h\nDB_USER=u',
      ['DB_HOST and others in .env: They do not name the engine.'],
    ],
  ])('.env: %s', async (_, text, expected) => {
    expect(await inFile('.env', text)).toEqual(expected);
  });

  test('references are filled in, or left alone and reported', async () => {
    const text = [
      'HOST=db.example',
      'PASS=p$w$$rd',
      `ONE=postgres://u:${wrapped('PASS')}@${wrapped('HOST')}/one`,
      `TWO=postgres://$WHO@${wrapped('NAMED:-h')}/two`,
      `THREE_DATABASE_URL=${wrapped('ONE')}`,
      `FOUR_DATABASE_URL=${wrapped('NOWHERE')}`,
      `FIVE=postgres://u@${wrapped('NOWHERE')}/five`,
      `SIX=postgres://u:${wrapped('NOWHERE')}@h/six`,
      `SEVEN_DATABASE_URL=file:./${wrapped('NOWHERE')}.db`,
      `LOOP_DATABASE_URL=${wrapped('LOOP_DATABASE_URL')}`,
    ].join('\n');
    // Node lists variables in the order of their names.
    expect(await inFile('.env', text, { WHO: 'clerk' })).toEqual([
      'one: postgres u@db.example/one p$w$$rd',
      'six: postgres u@h/six',
      'two: postgres clerk@h/two',
      expect.stringMatching(/^FIVE in .env: The URL has a placeholder for its host/),
      'FOUR_DATABASE_URL in .env: It refers to a variable that is not set there.',
      'LOOP_DATABASE_URL in .env: It refers to a variable that is not set there.',
      'SEVEN_DATABASE_URL in .env: It refers to a variable that is not set there.',
    ]);
  });

  test('Docker Compose', async () => {
    writeFileSync(join(home, '.env'), 'PG_PASSWORD=pw\n');
    const text = `
services:
  db:
    image: postgres:16
    ports: ["5433:5432"]
    environment: { POSTGRES_USER: app, POSTGRES_PASSWORD: "${wrapped('PG_PASSWORD')}", POSTGRES_DB: "${wrapped('DB:-shop')}" }
  gis: { image: "docker.io/postgis/postgis:16-3.4", ports: [{ target: 5432, published: 5434 }] }
  erp:
    image: mariadb
    ports: ["127.0.0.1:3307:3306/tcp"]
    environment: [MARIADB_ROOT_PASSWORD=p$$w, MARIADB_DATABASE=erp]
  inner: { image: mysql:8 }
  cache: { image: "redis:7", ports: ["6379:6379"] }
  old: { image: "mcr.microsoft.com/mssql/server:2022-latest", ports: ["1433:1433"] }
  web: { image: nginx }
  admin: { image: dpage/pgadmin4, ports: ["80:80"] }
`;
    expect(await inFile('compose.yaml', text)).toEqual([
      'shop: postgres app@127.0.0.1:5433/shop pw',
      'postgres: postgres postgres@127.0.0.1:5434/postgres',
      'erp: mysql root@127.0.0.1:3307/erp p$w',
      'inner in compose.yaml: It publishes no port on this machine.',
      'cache in compose.yaml: Redis is not supported; PostgreSQL, MySQL, MariaDB and SQLite are.',
      'old in compose.yaml: SQL Server is not supported; PostgreSQL, MySQL, MariaDB and SQLite are.',
    ]);
    const merged =
      'x-env: &env { MYSQL_USER: app, MYSQL_PASSWORD: pw }\nservices:\n  db:\n    image: mysql:8\n' +
      '    ports: ["33060:3306"]\n    environment: { <<: *env, MYSQL_DATABASE: orders }\n';
    expect(await inFile('compose.yaml', merged)).toEqual(['orders: mysql app@127.0.0.1:33060/orders pw']);
    writeFileSync(join(home, 'db.env'), 'POSTGRES_USER=app\nPOSTGRES_PASSWORD=pw\nPOSTGRES_DB=other\n');
    for (const files of ['db.env', '[none.env, ./db.env]', '[{ path: db.env, required: true }]']) {
      const aside = `services: { db: { image: postgres, ports: ["5435:5432"], env_file: ${files}, environment: [POSTGRES_DB=shop] } }`;
      expect(await inFile('compose.yaml', aside)).toEqual(['shop: postgres app@127.0.0.1:5435/shop pw']);
    }
    expect(await inFile('compose.yaml', 'services: [')).toEqual(['compose.yaml: It is not YAML.']);
  });

  test.each<[name: string, text: string, expected: readonly unknown[]]>([
    [
      'appsettings.json',
      '{ // local\n"ConnectionStrings": { "Shop": "Host=h;Username=app;Password=pw;Database=shop", "Old": "Server=h;User Id=a;Database=b", } }',
      [
        'shop: postgres app@h/shop pw',
        expect.stringMatching(/^ConnectionStrings\.Old in .*may be of PostgreSQL or MySQL/),
      ],
    ],
    [
      'ormconfig.json',
      '[{"type":"mysql","host":"h","port":3307,"username":"a","password":"pw","database":"shop"}]',
      ['shop: mysql a@h:3307/shop pw'],
    ],
    [
      '.vscode/settings.json',
      '{ "sqltools.connections": [{ "driver": "PostgreSQL", "server": "h", "database": "shop", "username": "a" }] }',
      ['shop: postgres a@h/shop'],
    ],
    ['broken.json', 'no', ['broken.json: It is not JSON.']],
    [
      'supabase/config.toml',
      'project_id = "x"\n[db]\nport = 54329 # mine\n',
      ['supabase: postgres postgres@127.0.0.1:54329/postgres postgres'],
    ],
    ['settings.py', "DATABASES = {'default': {}}", [expect.stringMatching(/^settings\.py: It is a program, which/)]],
    ['knexfile.js', 'module.exports = {}', [expect.stringMatching(/^knexfile\.js: It is a program, which/)]],
    [
      'compose.yml',
      'services: { web: { image: postgrest/postgrest } }',
      ['compose.yml: It names no database that Sallyport can read.'],
    ],
    [
      'compose.yml',
      'services: { db: { image: pgautoupgrade/pgautoupgrade, network_mode: host }, vec: { image: paradedb/paradedb, ports: ["5439:5432"] } }',
      ['postgres: postgres postgres@127.0.0.1:5432/postgres', 'postgres: postgres postgres@127.0.0.1:5439/postgres'],
    ],
    [
      'compose.yml',
      'services: { a: { image: postgres, network_mode: host, command: -p 5433 }, b: { image: postgres, network_mode: host, command: [postgres, -c, port=5434] }, c: { image: postgres, network_mode: host, environment: { PGPORT: 5435 } }, d: { image: "mysql:9", network_mode: host, command: "--port=3307 --max-connections=9" }, e: { image: mariadb, network_mode: host, environment: [MYSQL_TCP_PORT=3308] }, f: { image: postgres, command: postgres -p 6000, ports: ["5436:6000"] } }',
      [
        ...[5433, 5434, 5435].map(port => `postgres: postgres postgres@127.0.0.1:${port}/postgres`),
        ...[3307, 3308].map(port => `mysql: mysql root@127.0.0.1:${port}`),
        'postgres: postgres postgres@127.0.0.1:5436/postgres',
      ],
    ],
    [
      'config/database.yml',
      'development:\n  adapter: postgresql\n  database: dev<%= 5 % 3 %>\n<% if ENV["X"] %>\n  host: x\n<% end %>\nother:\n  adapter: postgresql\n  database: shop\n  <% if x %>\n  host: y\n  <% end %>\n',
      ['development', 'other'].map(name => expect.stringMatching(`^${name} in .*not set there`)),
    ],
    [
      'config/database.yml',
      '<%# do not edit %>\na:\n  adapter: mysql2\n  host: h\n  database: a\n  <% if x %>\n  pool: 9\n  <% else %>\n  pool: 5\n  <% end %>\nb:\n  adapter: mysql2\n  database: b\n  <% if x %>host: y<% end %>\n',
      ['a: mysql h/a', expect.stringMatching(/^b in .*not set there/)],
    ],
    ['.env', 'DB_HOST=h\nDB_USER=a\nDB_CONNECTION=mysql\nDB_PASSWORD=pa#ss', ['mysql: mysql a@h']],
    [
      '.env',
      'DATABASE_URL=postgres://a:pa#ss@h/shop',
      [expect.stringMatching(/^DATABASE_URL in .env: .*bare # .*%23/)],
    ],
    ['.env', 'DATABASE_URL=postgres://a@h/shop # mine', ['shop: postgres a@h/shop']],
    ['.env', 'DB_CONNECTION=mysql\nDB_HOST=h#x\nDB_USER=a', [expect.stringMatching(/^DB_HOST and .*not set there/)]],
    [
      '.env',
      'SHOP=Host=h;User ID=a;Application Name=x;Password=pa#ss;Port=5433',
      ['.env: It names no database that Sallyport can read.'],
    ],
  ])('%s', async (name, text, expected) => {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    expect(await inFile(name, text)).toEqual(expected);
  });

  test('a Compose file that includes others, and itself', async () => {
    const services = (port: string) => `services: { db: { image: postgres, ports: ["${port}:5432"] } }\n`;
    mkdirSync(join(home, 'more'));
    writeFileSync(join(home, '.env'), 'DB_PORT=5441\n');
    writeFileSync(join(home, 'more/more.yml'), `include: [../compose.yml]\n${services(`\${DB_PORT:-5432}`)}`);
    expect(
      await inFile('compose.yml', `include: [more/more.yml, { path: [gone.yml, /dev/null] }]\n${services('5442')}`),
    ).toEqual([
      'postgres: postgres postgres@127.0.0.1:5441/postgres',
      'postgres: postgres postgres@127.0.0.1:5442/postgres',
      expect.stringMatching(/gone\.yml: It can't be read\.$/),
      "/dev/null: It can't be read.",
    ]);
    writeFileSync(join(home, '.env'), '');
  });

  test("Spring's own files and WordPress's", async () => {
    const spring =
      'spring.datasource.url=jdbc:mysql://h/shop\r\nspring.datasource.username = app\r\nspring.datasource.password=pw\r\n';
    expect(await inFile('application.properties', spring)).toEqual(['shop: mysql app@h/shop pw']);
    const yaml = 'spring:\n  datasource:\n    url: jdbc:postgresql://h/shop\n    username: app\n---\nother: 1\n';
    expect(await inFile('application.yml', yaml)).toEqual(['shop: postgres app@h/shop']);
    const otherwise =
      `db.host=h2\nspring.datasource.url=jdbc:postgresql://${wrapped('db.host:h')}:${wrapped('DB_PORT:5433')}/shop\n` +
      `spring.datasource.username=${wrapped('DB_USER:app')}\nspring.datasource.password=${wrapped('DB_PASSWORD:')}\n`;
    expect(await inFile('application.properties', otherwise)).toEqual(['shop: postgres app@h2:5433/shop']);
    const php =
      "<?php\ndefine( 'DB_NAME', 'wp' );\ndefine('DB_USER', \"wp\");\ndefine('DB_PASSWORD', 'it\\'s');\ndefine('DB_HOST', 'localhost');\n";
    expect(await inFile('wp-config.php', php)).toEqual(["wp: mysql wp@localhost/wp it's"]);
    const elsewhere =
      "define('DB_NAME', 'wp');\ndefine('DB_USER', getenv('a_long_one'));\ndefine( 'DB_HOST', $_ENV['DB_HOST'] );\n";
    expect(await inFile('wp-config.php', elsewhere)).toEqual([
      'DB_HOST and others in wp-config.php: It refers to a variable that is not set there.',
    ]);
  });

  test("Rails's own file, one database an environment", async () => {
    mkdirSync(join(home, 'config'), { recursive: true });
    const yaml = `
default: &default
  adapter: postgresql
  pool: <%= ENV.fetch("RAILS_MAX_THREADS") { 5 } %>
  host: localhost
development:
  <<: *default
  database: shop_development
  username: shop
  password: pw
test:
  <<: *default
  database: shop_test<%= ENV['TEST_ENV_NUMBER'] %>
production:
  primary: { adapter: mysql2, url: "mysql2://u:pw@h/shop?pool=5" }
  cache: { adapter: trilogy, socket: /run/mysqld.sock, username: root, database: cache }
  queue: { adapter: sqlite3, database: storage/queue.sqlite3 }
  away: { <<: *default, database: shop, password: <%= ENV["X"] %> }
`;
    expect(await inFile('config/database.yml', yaml)).toEqual([
      'shop_development: postgres shop@localhost/shop_development pw',
      'shop: mysql u@h/shop pw',
      'cache: mysql root@/run/mysqld.sock/cache',
      `queue.sqlite3: sqlite ${home}/storage/queue.sqlite3`,
      'shop: postgres localhost/shop',
      'test in config/database.yml: It refers to a variable that is not set there.',
    ]);
  });
});

describe('other places', () => {
  const found = async (files: Readonly<Record<string, string>>, environment: Record<string, string> = {}) => {
    const folder = mkdtempSync(join(home, 'others-'));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text.replaceAll('HOME', folder), { mode: 0o600 });
    }
    const shell = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, join(folder, value)]));
    const terminal = { cwd: join(folder, 'nowhere'), userHome: folder, environment: shell } as unknown as Terminal;
    const { candidates, unreadable } = await findDatabases(terminal, []);
    const others = candidates.filter(({ from }) => !from.startsWith('a server that listens here'));
    return told({ candidates: others, unreadable }).map(line => line.replaceAll(folder, '~'));
  };
  const source = (configuration: object) =>
    JSON.stringify({
      connections: { a: { provider: 'postgresql', driver: 'postgres-jdbc', name: 'Shop', configuration } },
    });
  const shop = { host: 'h', port: '5432', database: 'shop', user: 'app' };
  const sources = 'DBeaverData/workspace6/General/.dbeaver/data-sources.json';

  test.each<
    [title: string, files: Record<string, string>, expected: readonly unknown[], environment?: Record<string, string>]
  >([
    [
      'a service of the system, and a password file of its own',
      {
        'sys/pg_service.conf': '[mine]\nhost=other\n[sys]\nhost=sys\nuser=a\n',
        '.pg_service.conf': '[mine]\nhost=h\nuser=a\npassfile=HOME/mine\n',
        mine: 'h:*:*:a:pw\n',
      },
      ['mine: postgres a@h pw', 'sys: postgres a@sys'],
      { PGSYSCONFDIR: 'sys' },
    ],
    [
      'groups of MySQL with a suffix, and TCP where a socket is named too',
      { '.my.cnf': '[client]\nuser=a\nsocket=/s\nprotocol=tcp\n[client_test]\nhost=t\n[mysql_test]\nuser=b\n' },
      ['mysql: mysql a@127.0.0.1', 'test: mysql b@t'],
    ],
    ['passwords that MySQL scrambles', { '.mylogin.cnf': '' }, [expect.stringMatching(/mylogin\.cnf: .* scrambled/)]],
    [
      'DBeaver elsewhere',
      { [`data/${sources}`]: source(shop) },
      ['Shop: postgres app@h:5432/shop'],
      { XDG_DATA_HOME: 'data' },
    ],
    [
      'DBeaver as Flatpak keeps it',
      { [`.var/app/io.dbeaver.DBeaverCommunity/data/${sources}`]: source(shop) },
      ['Shop: postgres app@h:5432/shop'],
    ],
    [
      'DBeaver behind a proxy',
      { [`.local/share/${sources}`]: source({ ...shop, handlers: { socks_proxy: { enabled: true } } }) },
      ["Shop of DBeaver: It goes through DBeaver's socks_proxy; add it with `--tunnel-command`."],
    ],
    ['DBeaver encrypted', { [`.local/share/${sources}`]: '\u0001' }, [expect.stringMatching(/may keep it encrypted/)]],
  ])('%s', async (_, files, expected, environment = {}) => {
    expect(await found(files, environment)).toEqual(expected);
  });
});

test('.pgpass gives its passwords to the databases of other files', async () => {
  const lines = [
    '# mine',
    'db1:5432:*:anna:one',
    '*:*:stock:clerk:two',
    'db2:5433:erp:bo\\:b:th\\:ree',
    '*:*:*:*:four',
    'broken',
  ];
  writeFileSync(join(home, '.pgpass'), lines.join('\r\n'), { mode: 0o600 });
  writeFileSync(
    join(home, '.pg_service.conf'),
    '[sales]\r\nhost=db1\r\nuser=anna\r\ndbname=sales\r\n[none]\nuser=x\n[far]\nhost=h\noptions=-crole=x\n',
  );
  writeFileSync(join(home, '.my.cnf'), '');
  const shell = { PGHOST: 'db3', PGUSER: 'clerk', PGDATABASE: 'stock' };
  const terminal = { cwd: join(home, 'my.d'), userHome: home, environment: shell } as unknown as Terminal;
  const found = await findDatabases(terminal, []);
  const here = 'a server that listens here';
  const candidates = found.candidates.filter(({ from }) => !from.startsWith(here));
  expect(candidates.map(({ passwordFrom }) => passwordFrom?.slice(home.length))).toEqual([
    '/.pgpass',
    '/.pgpass',
    '/.pgpass',
    undefined,
  ]);
  expect(told({ ...found, candidates })).toEqual([
    'stock: postgres clerk@db3/stock two',
    'sales: postgres anna@db1/sales one',
    expect.stringMatching(/^none: postgres x@\/\S+\/\.s\.PGSQL\.5432 four$/),
    'erp: postgres bo:b@db2:5433/erp th:ree',
    expect.stringMatching(/^service far in .*: The URL's option options changes/),
    expect.stringMatching(/\.pgpass: A line of it can't be read/),
  ]);
  chmodSync(join(home, '.pgpass'), 0o644);
  const open = await findDatabases(terminal, []);
  expect(open.candidates.filter(({ passwordFrom }) => passwordFrom !== undefined)).toEqual([]);
  expect(told({ candidates: [], unreadable: open.unreadable })).toContain(
    `${join(home, '.pgpass')}: Others may read it, so PostgreSQL's own clients pass over it; run \`chmod 600\` on it.`,
  );
  for (const name of ['.pgpass', '.pg_service.conf']) writeFileSync(join(home, name), '');
});

test('DBeaver: by URL, with TLS, IPv6, ports, and unsupported ones', () => {
  const folder = join(home, '.local/share/DBeaverData/workspace6/Work/.dbeaver');
  mkdirSync(folder, { recursive: true });
  const source = (name: string, provider: string, configuration: object) => ({
    name,
    provider,
    driver: provider,
    configuration,
  });
  const connections = {
    a: source('Url', 'postgresql', {
      configurationType: 'URL',
      url: 'jdbc:postgresql://h:5433/shop?ssl=true',
      user: 'anna',
    }),
    b: source('Six', 'mysql', { host: '::1', port: '3307', database: 'erp', user: 'root' }),
    c: source('Safe', 'postgresql', {
      host: 'h',
      port: '5432',
      database: 'shop',
      handlers: { postgre_ssl: { enabled: true, properties: { sslMode: 'verify-ca', 'ssl.ca.cert': '/ca.pem' } } },
    }),
    d: source('Far', 'mysql', { host: 'h', handlers: { ssh_tunnel: { enabled: true } } }),
    e: source('Old', 'oracle', { host: 'h' }),
    g: source('Behind', 'postgresql', {
      host: 'db',
      port: '5432',
      database: 'shop',
      handlers: {
        ssh_tunnel: {
          type: 'TUNNEL',
          enabled: true,
          user: 'ops',
          properties: { host: 'bastion', port: 2222, authType: 'PUBLIC_KEY', keyPath: '/keys/id' },
        },
      },
    }),
    h: source('Jumping', 'postgresql', {
      host: 'db',
      port: '5432',
      database: 'shop',
      handlers: { ssh_tunnel: { enabled: true, properties: { host: 'bastion', 'jumpServer0.enabled': true } } },
    }),
    i: source('Injected', 'postgresql', {
      host: 'db',
      port: '5432',
      database: 'shop',
      handlers: { ssh_tunnel: { enabled: true, properties: { host: '-oProxyCommand=x' } } },
    }),
    f: source('File', 'sqlite', { database: '/data/a b.db' }),
  };
  writeFileSync(join(folder, 'data-sources.json'), JSON.stringify({ connections }));
  const found = inDBeaver(base, undefined, 'linux');
  expect(told(found)).toEqual([
    'Url: postgres anna@h:5433/shop',
    'Six: mysql root@::1:3307/erp',
    'Safe: postgres h:5432/shop',
    'Behind: postgres db:5432/shop',
    'File: sqlite /data/a b.db',
    "Far of DBeaver: Its SSH tunnel can't be read; add it with `sallyport connections add URL --ssh HOST`.",
    'Old of DBeaver: Oracle is not supported; PostgreSQL, MySQL, MariaDB and SQLite are.',
    "Jumping of DBeaver: Its SSH tunnel can't be read; add it with `sallyport connections add URL --ssh HOST`.",
    "Injected of DBeaver: Its SSH tunnel can't be read; add it with `sallyport connections add URL --ssh HOST`.",
  ]);
  expect(found.candidates.map(({ connection: { tls } }) => tls.mode)).toEqual([
    ...['verify-full', null, 'verify-ca'],
    ...[null, null],
  ]);
  expect(found.candidates.map(({ connection: { tunnel } }) => tunnel).filter(Boolean)).toEqual([
    { kind: 'ssh', destination: 'ops@bastion:2222', jumps: [], keyFile: '/keys/id' },
  ]);
});

test('TablePlus', () => {
  const listed = [
    {
      ConnectionName: 'Shop',
      Driver: 'PostgreSQL',
      DatabaseHost: '::1',
      DatabasePort: '5433',
      DatabaseName: 'shop',
      DatabaseUser: 'u',
    },
    { ConnectionName: 'Far', Driver: 'MySQL', DatabaseHost: 'h', isOverSSH: true },
    { ConnectionName: 'Cache', Driver: 'Redis' },
  ];
  expect(told(ofTablePlus(listed, base))).toEqual([
    'Shop: postgres u@::1:5433/shop',
    'Far of TablePlus: It goes through an SSH tunnel; add it with `sallyport connections add URL --ssh HOST`.',
    'Cache of TablePlus: Redis is not supported; PostgreSQL, MySQL, MariaDB and SQLite are.',
  ]);
});
