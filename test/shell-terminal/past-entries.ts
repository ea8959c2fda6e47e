/**
 * Entries of clients' files as their makers document them, and what each reaches. `CANARY` is a
 * password, which nothing may show.
 */

export const canary = 'CANARY-hunter2';
const url = (scheme: string, rest = 'db.example/shop') => `${scheme}://me:${canary}@${rest}`;
const pg = url('postgresql');

/** The server, and `by: what it reaches`; null for none. */
export const entries: readonly (readonly [what: string, server: object, reached: string | null])[] = [
  [
    'the archived reference server',
    { command: 'npx', args: ['-y', '@modelcontextprotocol/server-postgres', pg] },
    'server-postgres: postgres me@db.example/shop *',
  ],
  [
    'its image',
    {
      command: 'docker',
      args: ['run', '-i', '--rm', 'mcp/postgres', url('postgresql', 'host.docker.internal:5432/shop')],
    },
    'postgres: postgres me@127.0.0.1:5432/shop *',
  ],
  [
    'on Windows',
    { command: 'cmd', args: ['/c', 'npx', '-y', '@modelcontextprotocol/server-postgres@0.6.2', pg] },
    'server-postgres: postgres me@db.example/shop *',
  ],
  [
    'by the path of npx',
    { command: '/opt/homebrew/bin/npx', args: ['@modelcontextprotocol/server-postgres', pg] },
    'server-postgres: postgres me@db.example/shop *',
  ],
  [
    'from node_modules',
    { command: 'node', args: ['/w/node_modules/@modelcontextprotocol/server-postgres/dist/index.js', pg] },
    'index.js: postgres me@db.example/shop *',
  ],
  [
    'a fork',
    { command: 'npx', args: ['-y', 'enhanced-postgres-mcp-server', pg] },
    'enhanced-postgres-mcp-server: postgres me@db.example/shop *',
  ],
  [
    'henkey’s',
    { command: 'npx', args: ['-y', '@henkey/postgres-mcp-server', '--connection-string', pg] },
    'postgres-mcp-server: postgres me@db.example/shop *',
  ],
  [
    'dbhub by npx',
    {
      command: 'npx',
      args: [
        '-y',
        '@bytebase/dbhub',
        '--transport',
        'stdio',
        '--dsn',
        url('postgres', 'db.example:5433/shop?sslmode=disable'),
      ],
    },
    'dbhub: postgres me@db.example:5433/shop *',
  ],
  [
    'dbhub with an equals sign',
    { command: 'npx', args: ['@bytebase/dbhub@latest', `--dsn=${url('mysql', 'db.example:3306/shop')}`] },
    'dbhub: mysql me@db.example:3306/shop *',
  ],
  [
    'dbhub by its variable',
    { command: 'bunx', args: ['@bytebase/dbhub'], env: { DSN: url('mariadb') } },
    'dbhub: mysql me@db.example/shop *',
  ],
  [
    'dbhub by parts',
    {
      command: 'pnpm',
      args: ['dlx', '@bytebase/dbhub'],
      env: {
        DB_TYPE: 'postgres',
        DB_HOST: 'db.example',
        DB_PORT: '5432',
        DB_USER: 'me',
        DB_PASSWORD: canary,
        DB_NAME: 'shop',
      },
    },
    'dbhub: postgres me@db.example:5432/shop *',
  ],
  [
    'dbhub in docker',
    { command: 'docker', args: ['run', '--rm', '-i', '--name', 'dbhub', 'bytebase/dbhub', '--dsn', pg] },
    'dbhub: postgres me@db.example/shop *',
  ],
  [
    'dbhub by its file',
    { command: 'npx', args: ['@bytebase/dbhub', '--config', 'dbhub.toml'] },
    'dbhub: postgres me@db.example/one *, mysql you@other.example/two *',
  ],
  [
    'postgres-mcp by uvx',
    { command: 'uvx', args: ['postgres-mcp', '--access-mode=restricted'], env: { DATABASE_URI: pg } },
    'postgres-mcp: postgres me@db.example/shop *',
  ],
  [
    'postgres-mcp in docker',
    {
      command: 'docker',
      args: ['run', '-i', '--rm', '-e', 'DATABASE_URI', 'crystaldba/postgres-mcp', '--access-mode=unrestricted'],
      env: { DATABASE_URI: url('postgresql', 'host.docker.internal/shop') },
    },
    'postgres-mcp: postgres me@127.0.0.1/shop *',
  ],
  [
    'docker with a value',
    { command: 'docker', args: ['run', '-i', `--env=DATABASE_URI=${pg}`, 'crystaldba/postgres-mcp:latest'] },
    'postgres-mcp: postgres me@db.example/shop *',
  ],
  [
    'libpq’s variables',
    {
      command: 'uv',
      args: ['--directory', '/src/pg', 'run', 'server.py'],
      env: { PGHOST: 'db.example', PGDATABASE: 'shop', PGUSER: 'me', PGPASSWORD: canary },
    },
    'server.py: postgres me@db.example/shop *',
  ],
  [
    'benborla’s',
    {
      command: 'npx',
      args: ['-y', '@benborla29/mcp-server-mysql'],
      env: {
        MYSQL_HOST: 'db.example',
        MYSQL_PORT: '3306',
        MYSQL_USER: 'me',
        MYSQL_PASS: canary,
        MYSQL_DB: 'shop',
        ALLOW_INSERT_OPERATION: 'false',
      },
    },
    'mcp-server-mysql: mysql me@db.example:3306/shop *',
  ],
  [
    'designcomputer’s',
    {
      command: 'uv',
      args: ['--directory', '/src/mysql_mcp_server', 'run', 'mysql_mcp_server'],
      env: { MYSQL_HOST: 'db.example', MYSQL_USER: 'me', MYSQL_PASSWORD: canary, MYSQL_DATABASE: 'shop' },
    },
    'mysql-mcp-server: mysql me@db.example/shop *',
  ],
  [
    'a module of python',
    {
      command: 'python3',
      args: ['-m', 'mysql_mcp_server'],
      env: { MYSQL_HOST: 'db.example', MYSQL_USER: 'me', MYSQL_PASSWORD: canary, MYSQL_DATABASE: 'shop' },
    },
    'mysql-mcp-server: mysql me@db.example/shop *',
  ],
  [
    'a module of a certain python',
    { command: '/usr/bin/python3.12', args: ['-m', 'mysql_mcp_server'], env: { DATABASE_URL: url('mysql') } },
    'mysql-mcp-server: mysql me@db.example/shop *',
  ],
  [
    'docker with a value behind its option',
    { command: 'docker', args: ['run', '-i', `-eDATABASE_URI=${pg}`, 'crystaldba/postgres-mcp'] },
    'postgres-mcp: postgres me@db.example/shop *',
  ],
  [
    'flags',
    {
      command: 'npx',
      args: [
        '-y',
        '@executeautomation/database-server',
        '--mysql',
        '--host',
        'db.example',
        '--database',
        'shop',
        '--port',
        '3306',
        '--user',
        'me',
        '--password',
        canary,
      ],
    },
    'database-server: mysql me@db.example:3306/shop *',
  ],
  [
    'mariadb',
    {
      command: 'uvx',
      args: ['--from', 'mariadb-mcp-server==0.2', 'mariadb-mcp'],
      env: { DB_HOST: 'db.example', DB_USER: 'me', DB_PASSWORD: canary, DB_NAME: 'shop' },
    },
    'mariadb-mcp: mysql me@db.example/shop *',
  ],
  [
    'SQLAlchemy',
    {
      command: 'uvx',
      args: ['--from', 'mcp-alchemy==2025.8', '--with', 'psycopg2-binary', 'mcp-alchemy'],
      env: { DB_URL: url('postgresql+psycopg2') },
    },
    'mcp-alchemy: postgres me@db.example/shop *',
  ],
  [
    'sqlite by uvx',
    { command: 'uvx', args: ['mcp-server-sqlite', '--db-path', '/data/notes.db'] },
    'mcp-server-sqlite: sqlite /data/notes.db',
  ],
  [
    'sqlite by place',
    { command: 'npx', args: ['-y', 'mcp-sqlite', '/data/notes.sqlite3'] },
    'mcp-sqlite: sqlite /data/notes.sqlite3',
  ],
  [
    'the toolbox, prebuilt',
    {
      command: './toolbox',
      args: ['--prebuilt', 'postgres', '--stdio'],
      env: {
        POSTGRES_HOST: 'db.example',
        POSTGRES_PORT: '5432',
        POSTGRES_DATABASE: 'shop',
        POSTGRES_USER: 'me',
        POSTGRES_PASSWORD: canary,
      },
    },
    'toolbox: postgres me@db.example:5432/shop *',
  ],
  [
    'the toolbox by its file',
    { command: 'npx', args: ['-y', '@toolbox-sdk/server', '--tools-file', 'tools.yaml'] },
    'server: postgres me@db.example:5432/shop *',
  ],
  [
    'the toolbox in a cloud',
    {
      command: 'toolbox',
      args: ['--prebuilt', 'cloud-sql-postgres', '--stdio'],
      env: { CLOUD_SQL_POSTGRES_PASSWORD: canary },
    },
    'toolbox: cloud Google Cloud *',
  ],
  [
    'Supabase',
    {
      command: 'npx',
      args: ['-y', '@supabase/mcp-server-supabase@latest', '--read-only', '--project-ref=abcd'],
      env: { SUPABASE_ACCESS_TOKEN: canary },
    },
    'mcp-server-supabase: cloud Supabase abcd *',
  ],
  [
    'Neon',
    { command: 'npx', args: ['-y', '@neondatabase/mcp-server-neon', 'start', canary] },
    'mcp-server-neon: cloud Neon *',
  ],
  ['Prisma', { command: 'npx', args: ['-y', 'prisma', 'mcp'] }, 'prisma: cloud Prisma'],
  ['PlanetScale', { command: 'pscale', args: ['mcp', 'server'] }, 'pscale: cloud PlanetScale'],
  [
    'AWS labs',
    {
      command: 'uvx',
      args: ['awslabs.postgres-mcp-server@latest', '--hostname', 'x.rds.amazonaws.com', '--secret_arn', canary],
    },
    'awslabs.postgres-mcp-server: cloud Amazon RDS',
  ],
  [
    'mcp-remote',
    {
      command: 'npx',
      args: ['-y', 'mcp-remote@latest', 'https://mcp.neon.tech/mcp', '--header', `Authorization: Bearer ${canary}`],
    },
    'mcp.neon.tech: remote Neon *',
  ],
  [
    'a URL',
    {
      type: 'http',
      url: 'https://mcp.supabase.com/mcp?project_ref=abcd',
      headers: { Authorization: `Bearer ${canary}` },
    },
    'mcp.supabase.com: remote Supabase *',
  ],
  [
    'a shell',
    { command: 'bash', args: ['-lc', `export DATABASE_URL="${pg}" && exec npx -y my-server`] },
    'my-server: postgres me@db.example/shop *',
  ],
  [
    'variables before it',
    { command: 'env', args: [`DATABASE_URL=${pg}`, 'node', '/w/server.js'] },
    'server.js: postgres me@db.example/shop *',
  ],
  [
    'one text',
    { command: `npx -y @modelcontextprotocol/server-postgres '${pg}'` },
    'server-postgres: postgres me@db.example/shop *',
  ],
  [
    'a list, as opencode writes',
    { type: 'local', command: ['npx', '-y', '@modelcontextprotocol/server-postgres', pg], enabled: true },
    'server-postgres: postgres me@db.example/shop *',
  ],
  [
    'environment, as opencode writes',
    { type: 'local', command: ['uvx', 'postgres-mcp'], environment: { DATABASE_URI: pg } },
    'postgres-mcp: postgres me@db.example/shop *',
  ],
  [
    'Zed’s own',
    { source: 'custom', settings: { database_url: pg }, command: { path: 'postgres-context-server', args: [] } },
    'postgres-context-server: postgres me@db.example/shop *',
  ],
  [
    'smithery',
    { command: 'npx', args: ['-y', '@smithery/cli', 'run', '@x/server', '--config', JSON.stringify({ url: pg })] },
    'cli: postgres me@db.example/shop *',
  ],
  [
    'a variable of the machine',
    { command: 'npx', args: ['-y', '@bytebase/dbhub', '--dsn', `\${env:OUTER_DSN}`] },
    'dbhub: postgres me@outer.example/shop *',
  ],
  [
    'a variable that is not set',
    { command: 'uvx', args: ['postgres-mcp'], env: { DATABASE_URI: `\${input:password}` } },
    'postgres-mcp: unseen',
  ],
  [
    'a password that is asked for',
    { command: 'npx', args: ['-y', 'x'], env: { DATABASE_URL: `postgres://me:\${input:pw}@db.example/shop` } },
    'x: postgres me@db.example/shop',
  ],
  [
    'a file of variables',
    { command: 'npx', args: ['-y', 'x'], envFile: `\${workspaceFolder}/.env` },
    'x: mysql env@db.example/shop *',
  ],
  [
    'dotenvx',
    { command: 'npx', args: ['@dotenvx/dotenvx', 'run', '-f', '.env', '--', 'node', 'server.js'] },
    'server.js: mysql env@db.example/shop *',
  ],
  ['DBX, whose connections are its own', { command: 'npx', args: ['-y', '@dbx-app/mcp-server'] }, 'mcp-server: unseen'],
  [
    'MongoDB',
    {
      command: 'npx',
      args: ['-y', 'mongodb-mcp-server'],
      env: { MDB_MCP_CONNECTION_STRING: `mongodb://me:${canary}@h/db` },
    },
    'mongodb-mcp-server: unsupported MongoDB',
  ],
  [
    'a name of Go’s driver',
    { command: 'go-mcp-mysql', args: ['--dsn', `me:${canary}@tcp(db.example:3306)/shop?parseTime=true`] },
    'go-mcp-mysql: mysql me@db.example:3306/shop *',
  ],
  [
    'the same for a container',
    { command: 'docker', args: ['run', `-eDSN=me:${canary}@tcp(host.docker.internal)/shop`, 'me/mysql-mcp'] },
    'mysql-mcp: mysql me@127.0.0.1/shop *',
  ],
  [
    'pairs of libpq',
    { command: 'x', args: ['--conninfo', `host=db.example dbname=shop user=me password=${canary}`] },
    'x: postgres me@db.example/shop *',
  ],
  [
    'the same as a word, quoted',
    { command: 'x', args: [`user = me host=db.example password='${canary}' dbname='shop'`] },
    'x: postgres me@db.example/shop *',
  ],
  ['pairs without a server', { command: 'x', args: ['user=me dbname=shop'] }, null],
  ['an address of mail', { command: 'x', args: ['me:word@example.com/inbox'] }, null],
  [
    'a reference with a default',
    { command: 'npx', args: ['-y', '@bytebase/dbhub', '--dsn', `\${DATABASE_URL:-${pg}}`] },
    'dbhub: postgres me@db.example/shop *',
  ],
  [
    'a password that is asked for, in an argument',
    { command: 'npx', args: ['x', `postgres://me:\${input:pw}@db.example/shop`] },
    'x: postgres me@db.example/shop',
  ],
  [
    'the engine as an option alone',
    {
      command: 'npx',
      args: [
        ...['-y', '@executeautomation/database-server', '--postgresql', '--host', 'db.example', '--database', 'shop'],
        ...['--user', 'me', '--password', canary],
      ],
    },
    'database-server: postgres me@db.example/shop *',
  ],
  [
    'a list of several in a file',
    { command: 'db-mcp-server', args: ['-t', 'stdio', '-c', 'config.json'] },
    'db-mcp-server: mysql me@db.example:3306/shop *, postgres you@other.example/two *',
  ],
  [
    'the toolbox by a file of several documents, with a variable',
    { command: 'toolbox', args: ['--config', 'sources.yaml'], env: { SHOP_PASSWORD: canary } },
    'toolbox: postgres me@db.example/shop *',
  ],
  ['files', { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/home/me'] }, null],
  ['a browser', { command: 'npx', args: ['@playwright/mcp@latest'] }, null],
  ['a server elsewhere without a database', { url: 'https://api.githubcopilot.com/mcp/' }, null],
  ['Sallyport', { command: '/usr/local/bin/sallyport-mcp' }, null],
  ['Sallyport by npx', { command: 'npx', args: ['-y', 'sallyport', 'mcp'] }, null],
  ['Sallyport by HTTP', { url: 'http://127.0.0.1:27432/mcp', headers: { Authorization: `Bearer ${canary}` } }, null],
  ['Sallyport from a box', { command: 'socat', args: ['-', 'UNIX-CONNECT:/home/me/boxes/db/sallyport.sock'] }, null],
];
