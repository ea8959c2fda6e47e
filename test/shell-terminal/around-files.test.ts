/**
 * Projects' files as people have them: what setup offers of each, or says instead. `HOME` stands
 * for the folder of the files.
 */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { placeOf } from '../../shell-terminal/setup/candidate.ts';
import { inSettingsFile } from '../../shell-terminal/setup/settings-files.ts';
import { temporaryFolder } from '../storage/home-for-tests.ts';

const home = temporaryFolder();

/** In these texts `#{` stands for `${`. */
test.each<[name: string, text: string, offered: readonly string[]]>([
  [
    '.env',
    'DATABASE_URL=postgresql://app:Pw1@db.example:5432/shop?schema=public\nSHADOW_DATABASE_URL=postgresql://app:Pw1@db.example/shadow\n',
    ['shop: postgres app@db.example:5432/shop Pw1', 'shadow: postgres app@db.example/shadow Pw1'],
  ],
  [
    '.env',
    'DB_CONNECTION=pgsql\nDB_HOST=127.0.0.1\nDB_PORT=5433\nDB_DATABASE=shop\nDB_USERNAME=app\nDB_PASSWORD="p w#1"\n',
    ['shop: postgres app@127.0.0.1:5433/shop p w#1'],
  ],
  [
    '.env',
    'PGHOST=db.example\nPGUSER=app\nPGPASSWORD=Pw1\nPGDATABASE=shop\n',
    ['shop: postgres app@db.example/shop Pw1'],
  ],
  [
    '.env',
    'MYSQL_HOST=db.example\nMYSQL_USER=app\nMYSQL_PASSWORD=Pw1\nMYSQL_DATABASE=shop\n',
    ['shop: mysql app@db.example/shop Pw1'],
  ],
  [
    '.env',
    'POSTGRES_HOST=db\nPOSTGRES_USER=app\nPOSTGRES_PASSWORD=Pw1\nPOSTGRES_DB=shop\n',
    ['shop: postgres app@db/shop Pw1'],
  ],
  ['.env', 'USER_NAME=app\nDATABASE_URL=postgres://#{USER_NAME}:Pw1@h/shop\n', ['shop: postgres app@h/shop Pw1']],
  ['.env', 'DATABASE_URL="file:./dev.db"\n', ['dev.db: sqlite HOME/dev.db']],
  ['.env', "export DATABASE_URL='mysql://app:Pw1@h/shop' # local\n", ['shop: mysql app@h/shop Pw1']],
  ['.env', 'DATABASE_URL=\n', ['.env: It names no database that Sallyport can read.']],
  ['.env', '\ufeffDATABASE_URL=postgres://app@h/shop\r\n', ['shop: postgres app@h/shop']],
  [
    '.env.local',
    'POSTGRES_PRISMA_URL="postgres://default:Pw1@ep-x.neon.tech/verceldb?pgbouncer=true&connect_timeout=15&sslmode=require"\nPOSTGRES_URL_NON_POOLING="postgres://default:Pw1@ep-y.neon.tech/verceldb?sslmode=require"\n',
    [
      'verceldb: postgres default@ep-x.neon.tech/verceldb Pw1',
      'verceldb: postgres default@ep-y.neon.tech/verceldb Pw1',
    ],
  ],
  [
    'compose.yml',
    'services:\n  db:\n    image: timescale/timescaledb:latest-pg16\n    ports: ["5440:5432"]\n    environment:\n      POSTGRES_PASSWORD: Pw1\n',
    ['postgres: postgres postgres@127.0.0.1:5440/postgres Pw1'],
  ],
  [
    'compose.yml',
    'services:\n  db:\n    image: bitnami/postgresql:16\n    ports: ["5441:5432"]\n    environment:\n      - POSTGRESQL_USERNAME=app\n      - POSTGRESQL_PASSWORD=Pw1\n      - POSTGRESQL_DATABASE=shop\n',
    ['shop: postgres app@127.0.0.1:5441/shop Pw1'],
  ],
  [
    'compose.yml',
    'services:\n  db:\n    image: percona:8\n    ports: ["3310:3306"]\n    environment: { MYSQL_ROOT_PASSWORD: Pw1 }\n  ts: { image: pingcap/tidb, ports: ["4000:4000"] }\n',
    ['mysql: mysql root@127.0.0.1:3310 Pw1'],
  ],
  [
    'compose.yml',
    'services:\n  db:\n    image: pgvector/pgvector:pg17\n    ports: ["0.0.0.0:5442:5432"]\n    environment: { POSTGRES_PASSWORD_FILE: /run/secrets/pw }\n    secrets: [pw]\n',
    ['postgres: postgres postgres@127.0.0.1:5442/postgres'],
  ],
  [
    'compose.yml',
    'services:\n  db:\n    image: supabase/postgres:15\n    ports: ["[::1]:5443:5432"]\n',
    ['postgres: postgres postgres@127.0.0.1:5443/postgres'],
  ],
  [
    'compose.yml',
    'services:\n  db:\n    build: .\n    ports: ["5432:5432"]\n    environment: { POSTGRES_PASSWORD: Pw1 }\n',
    ['compose.yml: It names no database that Sallyport can read.'],
  ],
  [
    'compose.yml',
    'services:\n  db:\n    image: postgres:#{PG:-16}\n    ports: ["#{PORT:-5450}:5432"]\n    environment: { POSTGRES_USER: "#{U:?needed}" }\n',
    ['db in compose.yml: It refers to a variable that is not set there.'],
  ],
  [
    'compose.yml',
    'services:\n  db:\n    image: postgres\n    ports: [5432]\n',
    ['db in compose.yml: It publishes no port on this machine.'],
  ],
  [
    'compose.yml',
    'services:\n  db:\n    image: postgres\n    ports: ["127.0.0.1:5000-5001:5431-5432"]\n',
    ['postgres: postgres postgres@127.0.0.1:5001/postgres'],
  ],
  [
    'compose.yml',
    'services:\n  roach:\n    image: cockroachdb/cockroach:v24.1\n    command: start-single-node --insecure\n    ports: ["8080:8080", "26300:26257"]\n',
    ['defaultdb: postgres root@127.0.0.1:26300/defaultdb'],
  ],
  [
    'compose.yml',
    'services:\n  db:\n    image: citusdata/citus:12\n    ports: ["5500:5432"]\n    env_file: gone.env\n',
    ["db in compose.yml: Its env_file, which may name the account, can't be read."],
  ],
  [
    'compose.yml',
    'services:\n  db:\n    image: postgres\n    ports: ["5500:5432"]\n    env_file: [{ path: gone.env, required: false }]\n',
    ['postgres: postgres postgres@127.0.0.1:5500/postgres'],
  ],
  [
    'compose.yml',
    'include: ["oci://example/x", "gone.yml"]\n',
    ['oci://example/x: It is elsewhere, so it is not read.', "HOME/gone.yml: It can't be read."],
  ],
  [
    'docker-compose.yml',
    'version: "2"\ndb:\n  image: postgres\n',
    ['docker-compose.yml: It names no database that Sallyport can read.'],
  ],
  [
    'config/database.yml',
    'default: &default\n  adapter: postgresql\n  encoding: unicode\n  pool: <%= ENV.fetch("RAILS_MAX_THREADS") { 5 } %>\ndevelopment:\n  <<: *default\n  database: shop_development\nproduction:\n  primary:\n    <<: *default\n    database: shop_production\n    url: <%= ENV["DATABASE_URL"] %>\n',
    [
      'shop_development: postgres localhost/shop_development',
      'production in config/database.yml: It refers to a variable that is not set there.',
    ],
  ],
  [
    'config/database.yml',
    'development:\n  adapter: trilogy\n  socket: /tmp/mysql.sock\n  username: root\n  database: shop\ntest:\n  adapter: sqlite3\n  database: storage/test.sqlite3\n',
    ['shop: mysql root@/tmp/mysql.sock/shop', 'test.sqlite3: sqlite HOME/storage/test.sqlite3'],
  ],
  [
    'appsettings.json',
    '{ "ConnectionStrings": { "Default": "Server=(localdb)\\\\mssqllocaldb;Database=x;Trusted_Connection=True", "Pg": "Host=h;Port=5432;Database=shop;Username=app;Password=Pw1", "Lite": "Data Source=app.db" } }',
    [
      'shop: postgres app@h:5432/shop Pw1',
      'app.db: sqlite HOME/app.db',
      'ConnectionStrings.Default in appsettings.json: SQL Server is not supported; PostgreSQL, MySQL, MariaDB and SQLite are.',
    ],
  ],
  [
    'appsettings.Development.json',
    '{ "Db": { "ConnectionString": "Server=h;Port=3306;Database=shop;Uid=app;Pwd=Pw1" } }',
    ['shop: mysql app@h:3306/shop Pw1'],
  ],
  [
    'application.properties',
    'spring.datasource.url=jdbc:postgresql://h:5432/shop\nspring.datasource.username=app\nspring.datasource.password=Pw1\n',
    ['shop: postgres app@h:5432/shop Pw1'],
  ],
  [
    'application.yml',
    'spring:\n  datasource:\n    url: jdbc:mysql://#{DB_HOST:localhost}:3306/shop\n    username: app\n    password: #{DB_PASSWORD}\n',
    ['shop: mysql app@localhost:3306/shop'],
  ],
  [
    'application.yml',
    'spring:\n  r2dbc:\n    url: r2dbc:postgresql://h:5432/shop\n    username: app\n    password: Pw1\n',
    ['shop: postgres app@h:5432/shop Pw1'],
  ],
  [
    'application.properties',
    'quarkus.datasource.db-kind=postgresql\nquarkus.datasource.username=app\nquarkus.datasource.password=Pw1\nquarkus.datasource.jdbc.url=jdbc:postgresql://h:5432/shop\n',
    ['shop: postgres app@h:5432/shop Pw1'],
  ],
  [
    'wp-config.php',
    "<?php\ndefine( 'DB_NAME', 'wp' );\ndefine( 'DB_USER', 'app' );\ndefine( 'DB_PASSWORD', 'Pw1' );\ndefine( 'DB_HOST', 'localhost:/tmp/mysql.sock' );\n",
    ['wp: mysql app@/tmp/mysql.sock/wp Pw1'],
  ],
  [
    'wp-config.php',
    "<?php\ndefine('DB_NAME', getenv('DB'));\ndefine('DB_USER', 'app');\ndefine('DB_HOST', 'db:3307');\n",
    ['DB_HOST and others in wp-config.php: It refers to a variable that is not set there.'],
  ],
  [
    'ormconfig.json',
    '[{"name":"first","type":"mysql","host":"h","username":"app","password":"Pw1","database":"shop"},{"name":"x","type":"postgres","url":"postgres://app@h/two"}]',
    ['shop: mysql app@h/shop Pw1', 'two: postgres app@h/two'],
  ],
  ['ormconfig.json', '{"type":"sqlite","database":"./dev.sqlite"}', ['dev.sqlite: sqlite HOME/dev.sqlite']],
  [
    '.vscode/settings.json',
    '{ "pgsql.connections": [{ "server": "h", "database": "shop", "user": "app", "port": "5433" }], "sqltools.connections": [{ "driver": "MySQL", "server": "m", "port": 3306, "database": "d", "username": "u", "password": "Pw1" }, { "driver": "SQLite", "database": "./x.db", "name": "x" }] }',
    ['d: mysql u@m:3306/d Pw1', 'x.db: sqlite HOME/.vscode/x.db', 'shop: postgres app@h:5433/shop'],
  ],
  [
    '.vscode/settings.json',
    '{ "sqltools.connections": [{ "driver": "PostgreSQL", "connectString": "postgres://app:Pw1@h/shop", "name": "mine" }] }',
    ['shop: postgres app@h/shop Pw1'],
  ],
  ['appsettings.json', '{ "ConnectionStrings": { "Default": "Host=h', ['appsettings.json: It is not JSON.']],
  [
    'config/config.json',
    '{"development":{"username":"root","password":"Pw1","database":"shop","host":"127.0.0.1","dialect":"mysql"},"production":{"use_env_variable":"DATABASE_URL"}}',
    ['shop: mysql root@127.0.0.1/shop Pw1'],
  ],
  [
    'database.json',
    '{"dev":{"driver":"pg","user":"app","password":{"ENV":"PW"},"host":"h","database":"shop"}}',
    ['shop: postgres app@h/shop'],
  ],
  [
    'supabase/config.toml',
    'project_id = "x"\n[api]\nport = 54321\n[db]\nport = 54322\nshadow_port = 54320\n[db.pooler]\nport = 54329\n',
    ['supabase: postgres postgres@127.0.0.1:54322/postgres postgres'],
  ],
  [
    'supabase/config.toml',
    '[db] # the database\nport = 54999 # mine\n',
    ['supabase: postgres postgres@127.0.0.1:54999/postgres postgres'],
  ],
  [
    'supabase/config.toml',
    '[db]\nport = "env(DB_PORT)"\n',
    ['db in supabase/config.toml: It refers to a variable that is not set there.'],
  ],
  ['supabase/config.toml', '[db\n', ['config.toml: It is not TOML.']],
  [
    '.streamlit/secrets.toml',
    '[connections.postgresql]\ndialect = "postgresql"\nhost = "h"\nport = 5433\ndatabase = "shop"\nusername = "app"\npassword = "Pw1"\n',
    ['shop: postgres app@h:5433/shop Pw1'],
  ],
  [
    'flyway.toml',
    '[environments.default]\nurl = "jdbc:mysql://h/shop"\nuser = "app"\npassword = "Pw1"\n',
    ['shop: mysql app@h/shop Pw1'],
  ],
  [
    'application.properties',
    'quarkus.datasource."orders".jdbc.url=jdbc:postgresql://h/orders\nquarkus.datasource."orders".username=app\nquarkus.datasource."orders".password=Pw1\n',
    ['orders: postgres app@h/orders Pw1'],
  ],
  [
    '.env',
    'MYSQL_HOST=h\nMYSQL_TCP_PORT=3307\nMYSQL_USER=app\nMYSQL_PWD=Pw1\nMYSQL_DATABASE=shop\n',
    ['shop: mysql app@h:3307/shop Pw1'],
  ],
  [
    '.env',
    'DB_CONNECTION=pgsql\nDB_HOST=h\nDB_USER=app\nDB_NAME=shop\nDB_PASSWD=op://vault/item/password\n',
    ['shop: postgres app@h/shop'],
  ],
  [
    '.env',
    'DB_DSN="mysql:host=h;port=3307;dbname=shop"\nDB_USERNAME=app\nDB_PASSWORD="encrypted:BD9x+/="\n',
    ['shop: mysql app@h:3307/shop'],
  ],
  [
    'prisma/schema.prisma',
    'datasource db {\n  provider = "postgresql"\n  url      = env("DATABASE_URL")\n}\n',
    ['prisma/schema.prisma: It names no database that Sallyport can read.'],
  ],
  [
    'prisma/schema.prisma',
    'datasource db {\n  provider = "postgresql"\n  url      = "postgres://app:Pw1@h/shop"\n}\n',
    ['shop: postgres app@h/shop Pw1'],
  ],
  [
    'drizzle.config.ts',
    'export default { dbCredentials: { url: process.env.DATABASE_URL! } }',
    ['drizzle.config.ts: It is a program, which Sallyport does not run; give the URL of its database instead.'],
  ],
  [
    'alembic.ini',
    '[alembic]\nscript_location = a\nsqlalchemy.url = postgresql+psycopg2://app:Pw1@h/shop\n',
    ['shop: postgres app@h/shop Pw1'],
  ],
  [
    'dbt/profiles.yml',
    'shop:\n  target: dev\n  outputs:\n    dev:\n      type: postgres\n      host: h\n      user: app\n      password: Pw1\n      port: 5432\n      dbname: shop\n      schema: public\n',
    ['dbt/profiles.yml: It names no database that Sallyport can read.'],
  ],
  [
    'sqlc.yaml',
    'version: "2"\nsql:\n  - engine: postgresql\n    database: { uri: "postgres://app:Pw1@h/shop" }\n',
    ['shop: postgres app@h/shop Pw1'],
  ],
  [
    'hasura/config.yaml',
    'version: 3\nendpoint: http://localhost:8080\n',
    ['hasura/config.yaml: It names no database that Sallyport can read.'],
  ],
  [
    'k8s/secret.yaml',
    'apiVersion: v1\nkind: Secret\nstringData:\n  DATABASE_URL: postgres://app:Pw1@h/shop\n',
    ['shop: postgres app@h/shop Pw1'],
  ],
  [
    'k8s/secret.yaml',
    'apiVersion: v1\nkind: Secret\ndata:\n  DATABASE_URL: cG9zdGdyZXM6Ly9hcHA6UHcxQGgvc2hvcA==\n',
    ['k8s/secret.yaml: It names no database that Sallyport can read.'],
  ],
  ['settings.toml', '[default]\ndatabase_url = "postgres://app:Pw1@h/shop"\n', ['shop: postgres app@h/shop Pw1']],
  [
    'knexfile.js',
    'module.exports = { client: "pg" }',
    ['knexfile.js: It is a program, which Sallyport does not run; give the URL of its database instead.'],
  ],
  [
    'config/dev.exs',
    'config :shop, Shop.Repo, username: "postgres", hostname: "localhost"',
    ['config/dev.exs: It is a program, which Sallyport does not run; give the URL of its database instead.'],
  ],
  [
    '.mcp.json',
    '{"mcpServers":{"db":{"command":"npx","args":["@bytebase/dbhub","--dsn","mysql://app:Pw1@h:3306/shop"]}}}',
    ['shop: mysql app@h:3306/shop Pw1'],
  ],
])('%s: %j', async (name, text, offered) => {
  const path = join(home, name);
  mkdirSync(dirname(path), { recursive: true });
  rmSync(join(home, '.env'), { force: true });
  writeFileSync(path, text.replaceAll('#{', '$' + '{'));
  const found = await inSettingsFile(path, name, {}, { cwd: home, home });
  const told = [
    ...(found?.candidates ?? []).map(({ name: called, connection: { endpoint, password } }) =>
      [`${called}:`, endpoint.engine, placeOf(endpoint), ...(password === null ? [] : [password])].join(' '),
    ),
    ...(found?.unreadable ?? []).map(({ from, problem }) => `${from}: ${problem}`),
  ];
  expect(told.map(line => line.replaceAll(home, 'HOME'))).toEqual(offered);
});

test('an included Compose file has the folder and the variables that its include names', async () => {
  const project = join(home, 'including');
  const files = {
    'compose.yml':
      'include:\n  - path: parts/db.yml\n    project_directory: .\n    env_file: parts/usual.env\n  - parts/other.yml\n',
    'parts/db.yml':
      'services:\n  db:\n    image: postgres\n    env_file: account.env\n    ports: ["$' + '{DB_PORT}:5432"]\n',
    'parts/usual.env': 'DB_PORT=5999\n',
    'account.env': 'POSTGRES_USER=app\nPOSTGRES_PASSWORD=Pw1\n',
    'parts/other.yml': 'services:\n  db:\n    image: mysql\n    env_file: own.env\n    ports: ["3399:3306"]\n',
    'parts/own.env': 'MYSQL_ROOT_PASSWORD=Pw2\n',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  const found = await inSettingsFile(join(project, 'compose.yml'), 'compose.yml', {}, { cwd: project, home });
  expect(found?.unreadable).toEqual([]);
  expect(found?.candidates.map(({ connection: { endpoint, password } }) => [placeOf(endpoint), password])).toEqual([
    ['app@127.0.0.1:5999/app', 'Pw1'],
    ['root@127.0.0.1:3399', 'Pw2'],
  ]);
});
