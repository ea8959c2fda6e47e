/**
 * The texts of `pasted-connections.test.ts`, which the app's tests read too, with the result of
 * each.
 */

export interface Expected {
  /** `engine user@host:port/database`, or the path of a socket or file. */
  readonly place: string;
  readonly mode?: string;
  readonly ca?: string;
  readonly ignored?: string;
  readonly zone?: string;
  readonly asked?: true;
  readonly servers?: string;
  readonly methods?: string;
}

export const consoles: readonly (readonly [text: string, expected: Expected])[] = [
  // Heroku
  [
    'postgres://u3:pw@ec2-1.compute-1.amazonaws.com:5432/d4?sslmode=no-verify',
    { place: 'postgres u3@ec2-1.compute-1.amazonaws.com:5432/d4', mode: 'require' },
  ],
  [
    'postgres://u3:pw@ec2-1.amazonaws.com/d4?sslmode=require&uselibpqcompat=true',
    { place: 'postgres u3@ec2-1.amazonaws.com/d4', mode: 'require', ignored: 'uselibpqcompat' },
  ],
  [
    'jdbc:postgresql://ec2-1.amazonaws.com:5432/d4?user=u3&password=pw&sslmode=require&sslfactory=org.postgresql.ssl.LibPQFactory',
    { place: 'postgres u3@ec2-1.amazonaws.com:5432/d4', mode: 'require', ignored: 'sslfactory' },
  ],
  [
    'mysql://b1:pw@us-cdbr-east-06.cleardb.net/heroku_1?reconnect=true',
    { place: 'mysql b1@us-cdbr-east-06.cleardb.net/heroku_1', ignored: 'reconnect' },
  ],
  // Neon
  [
    'postgresql://o:pw@ep-cool-1-pooler.eu-central-1.aws.neon.tech/neondb?sslmode=require&channel_binding=require',
    {
      place: 'postgres o@ep-cool-1-pooler.eu-central-1.aws.neon.tech/neondb',
      mode: 'require',
      methods: 'scram-sha-256-plus',
    },
  ],
  [
    'postgresql://o:pw@ep-cool-1.neon.tech/neondb?options=endpoint%3Dep-cool-1&sslmode=require',
    { place: 'postgres o@ep-cool-1.neon.tech/neondb', mode: 'require', ignored: 'options' },
  ],
  [
    'postgresql://o:pw@ep-cool-1-pooler.neon.tech/neondb?options=endpoint%3Dep-cool-1',
    { place: 'postgres o@ep-cool-1-pooler.neon.tech/neondb', ignored: 'options' },
  ],
  [
    'postgresql://o:************@ep-cool-1.neon.tech/neondb?sslmode=require',
    { place: 'postgres o@ep-cool-1.neon.tech/neondb', mode: 'require', asked: true },
  ],
  ["psql 'postgresql://o:pw@h/neondb'", { place: 'postgres o@h/neondb' }],
  ['psql -d postgresql://o:pw@h/neondb', { place: 'postgres o@h/neondb' }],
  // Supabase
  [
    'postgresql://postgres:[YOUR-PASSWORD]@db.abc.supabase.co:5432/postgres',
    { place: 'postgres postgres@db.abc.supabase.co:5432/postgres', asked: true },
  ],
  [
    'postgresql://postgres.abc:[YOUR-PASSWORD]@aws-0-eu-west-1.pooler.supabase.com:6543/postgres?pgbouncer=true',
    {
      place: 'postgres postgres.abc@aws-0-eu-west-1.pooler.supabase.com:6543/postgres',
      ignored: 'pgbouncer',
      asked: true,
    },
  ],
  [
    'postgresql://postgres:%5BYOUR-PASSWORD%5D@db.abc.supabase.co/postgres',
    { place: 'postgres postgres@db.abc.supabase.co/postgres', asked: true },
  ],
  [
    'postgres://postgres.abc:pw@aws-0-us-east-1.pooler.supabase.com:6543/postgres?sslmode=require&supa=base-pooler.x',
    {
      place: 'postgres postgres.abc@aws-0-us-east-1.pooler.supabase.com:6543/postgres',
      mode: 'require',
      ignored: 'supa',
    },
  ],
  [
    'user=postgres.abc password=[YOUR-PASSWORD] host=aws-0-eu.pooler.supabase.com port=5432 dbname=postgres',
    { place: 'postgres postgres.abc@aws-0-eu.pooler.supabase.com:5432/postgres', asked: true },
  ],
  // Vercel, Railway, Render, DigitalOcean
  [
    'postgres://default:pw@ep-1-pooler.us-east-1.postgres.vercel-storage.com/verceldb?pgbouncer=true&connect_timeout=15&workaround=supabase-pooler.vercel',
    {
      place: 'postgres default@ep-1-pooler.us-east-1.postgres.vercel-storage.com/verceldb',
      ignored: 'pgbouncer connect_timeout workaround',
    },
  ],
  [
    'postgresql://postgres:pw@viaduct.proxy.rlwy.net:12345/railway',
    { place: 'postgres postgres@viaduct.proxy.rlwy.net:12345/railway' },
  ],
  [
    'mysql://root:pw@monorail.proxy.rlwy.net:12345/railway',
    { place: 'mysql root@monorail.proxy.rlwy.net:12345/railway' },
  ],
  [
    'postgresql://u:pw@dpg-1-a.frankfurt-postgres.render.com/shop_x1',
    { place: 'postgres u@dpg-1-a.frankfurt-postgres.render.com/shop_x1' },
  ],
  [
    'postgresql://doadmin:<password>@db-1.b.db.ondigitalocean.com:25060/defaultdb?sslmode=require',
    { place: 'postgres doadmin@db-1.b.db.ondigitalocean.com:25060/defaultdb', mode: 'require', asked: true },
  ],
  [
    'mysql://doadmin:pw@db-1.b.db.ondigitalocean.com:25060/defaultdb?ssl-mode=REQUIRED',
    { place: 'mysql doadmin@db-1.b.db.ondigitalocean.com:25060/defaultdb', mode: 'require' },
  ],
  // PlanetScale, TiDB, Aiven, CockroachDB, Timescale
  [
    'mysql://k:pscale_pw_x@aws.connect.psdb.cloud/shop?sslaccept=strict',
    { place: 'mysql k@aws.connect.psdb.cloud/shop', mode: 'verify-full' },
  ],
  [
    'mysql://k:pscale_pw_************@aws.connect.psdb.cloud/shop?ssl={"rejectUnauthorized":true}',
    { place: 'mysql k@aws.connect.psdb.cloud/shop', mode: 'verify-full', asked: true },
  ],
  [
    'mysql2://k:pw@aws.connect.psdb.cloud/shop?sslmode=verify_identity&sslca=/etc/ssl/cert.pem',
    { place: 'mysql k@aws.connect.psdb.cloud/shop', mode: 'verify-full', ca: '/etc/ssl/cert.pem' },
  ],
  [
    'k:pw@tcp(aws.connect.psdb.cloud)/shop?tls=true&interpolateParams=true',
    { place: 'mysql k@aws.connect.psdb.cloud/shop', mode: 'verify-full', ignored: 'interpolateParams' },
  ],
  [
    'mysql://2x.root:pw@gateway01.eu-central-1.prod.aws.tidbcloud.com:4000/test?ssl={"minVersion":"TLSv1.2","rejectUnauthorized":true}',
    { place: 'mysql 2x.root@gateway01.eu-central-1.prod.aws.tidbcloud.com:4000/test', mode: 'verify-full' },
  ],
  [
    'mysql://2x.root:pw@gateway01.tidbcloud.com:4000/test?ssl={}',
    { place: 'mysql 2x.root@gateway01.tidbcloud.com:4000/test', mode: 'verify-full' },
  ],
  [
    'mysql+pymysql://2x.root:pw@gateway01.tidbcloud.com:4000/test?ssl_ca=/etc/ssl/cert.pem&ssl_verify_cert=true&ssl_verify_identity=true',
    { place: 'mysql 2x.root@gateway01.tidbcloud.com:4000/test', mode: 'verify-full', ca: '/etc/ssl/cert.pem' },
  ],
  [
    'jdbc:mysql://gateway01.tidbcloud.com:4000/test?user=2x.root&password=pw&sslMode=VERIFY_IDENTITY&enabledTLSProtocols=TLSv1.2',
    {
      place: 'mysql 2x.root@gateway01.tidbcloud.com:4000/test',
      mode: 'verify-full',
      ignored: 'enabledTLSProtocols',
    },
  ],
  [
    'postgres://avnadmin:pw@pg-1.aivencloud.com:12691/defaultdb?sslmode=require&sslrootcert=ca.pem',
    { place: 'postgres avnadmin@pg-1.aivencloud.com:12691/defaultdb', mode: 'verify-ca', ca: '/srv/here/ca.pem' },
  ],
  [
    'cockroachdb://u:pw@tabby-1.cockroachlabs.cloud:26257/defaultdb?sslmode=verify-full',
    { place: 'postgres u@tabby-1.cockroachlabs.cloud:26257/defaultdb', mode: 'verify-full' },
  ],
  [
    'postgresql://u:pw@tabby-1.aws.cockroachlabs.cloud:26257/defaultdb?sslmode=verify-full&options=--cluster%3Dtabby-1',
    {
      place: 'postgres u@tabby-1.aws.cockroachlabs.cloud:26257/defaultdb',
      mode: 'verify-full',
      ignored: 'options',
    },
  ],
  ["cockroach sql --url 'postgresql://u:pw@h:26257/defaultdb'", { place: 'postgres u@h:26257/defaultdb' }],
  [
    'postgres://tsdbadmin:pw@x.tsdb.cloud.timescale.com:33001/tsdb?sslmode=require',
    { place: 'postgres tsdbadmin@x.tsdb.cloud.timescale.com:33001/tsdb', mode: 'require' },
  ],
  // RDS, Cloud SQL, Azure
  [
    'postgresql://u:pw@shop.c1.eu-central-1.rds.amazonaws.com:5432/shop?sslmode=verify-full&sslrootcert=global-bundle.pem',
    {
      place: 'postgres u@shop.c1.eu-central-1.rds.amazonaws.com:5432/shop',
      mode: 'verify-full',
      ca: '/srv/here/global-bundle.pem',
    },
  ],
  [
    'postgresql://u:pw@/shop?host=/cloudsql/proj:europe-west1:main',
    { place: 'postgres u@/cloudsql/proj:europe-west1:main/.s.PGSQL.5432/shop' },
  ],
  [
    'postgresql://u:pw@localhost/shop?host=/cloudsql/proj:europe-west1:main',
    { place: 'postgres u@/cloudsql/proj:europe-west1:main/.s.PGSQL.5432/shop' },
  ],
  [
    'postgresql+pg8000://u:pw@/shop?unix_sock=/cloudsql/p:r:i/.s.PGSQL.5432',
    { place: 'postgres u@/cloudsql/p:r:i/.s.PGSQL.5432/shop' },
  ],
  ['mysql+pymysql://u:pw@/shop?unix_socket=/cloudsql/p:r:i', { place: 'mysql u@/cloudsql/p:r:i/shop' }],
  ['u:pw@unix(/cloudsql/p:r:i)/shop?parseTime=true', { place: 'mysql u@/cloudsql/p:r:i/shop', ignored: 'parseTime' }],
  [
    'psql "host=srv.postgres.database.azure.com port=5432 dbname=shop user=a@srv password=pw sslmode=require"',
    { place: 'postgres a@srv@srv.postgres.database.azure.com:5432/shop', mode: 'require' },
  ],
  [
    'jdbc:postgresql://srv.postgres.database.azure.com:5432/shop?user=a@srv&password=p@w&sslmode=require',
    { place: 'postgres a@srv@srv.postgres.database.azure.com:5432/shop', mode: 'require' },
  ],
  [
    'jdbc:mysql://srv.mysql.database.azure.com:3306/shop?useSSL=true&requireSSL=false',
    { place: 'mysql srv.mysql.database.azure.com:3306/shop', mode: 'verify-full' },
  ],
  [
    'jdbc:mysql://h/shop?useSSL=true&requireSSL=true&verifyServerCertificate=false',
    { place: 'mysql h/shop', mode: 'require' },
  ],
  [
    'host=srv.postgres.database.azure.com port=5432 dbname=shop user=a password=pw sslmode=require',
    { place: 'postgres a@srv.postgres.database.azure.com:5432/shop', mode: 'require' },
  ],
];

export const programs: readonly (readonly [text: string, expected: Expected])[] = [
  // ADO.NET and ODBC.
  ['Host=h;Port=5432;Username=u;Password=hunter2;Database=d', { place: 'postgres u@h:5432/d' }],
  ['Server=h;Port=3306;Database=d;Uid=u;Pwd=hunter2;', { place: 'mysql u@h:3306/d' }],
  ['Password=hunter2;Server=h;Uid=u', { place: 'mysql u@h' }],
  ['Driver={PostgreSQL Unicode};Server=h;Uid=u;Pwd={a;b}}c};', { place: 'postgres u@h' }],
  ['Driver={MySQL ODBC 9.0 Unicode Driver};Server=h;User=u;Password=x', { place: 'mysql u@h' }],
  ['DefaultConnection="Host=h;Username=u;Password=x"', { place: 'postgres u@h' }],
  ['"Shop": "Host=h;Username=u;Password=x",', { place: 'postgres u@h' }],
  [
    'Host=h;Username=u;SSL Mode=VerifyFull;Root Certificate=/ca.pem;Pooling=true;Maximum Pool Size=20',
    { place: 'postgres u@h', mode: 'verify-full', ca: '/ca.pem', ignored: 'Pooling Maximum Pool Size' },
  ],
  ['Server=h;Uid=u;SslMode=Required', { place: 'mysql u@h', mode: 'require' }],
  ['Server=h;Uid=u;SslMode=VERIFY_CA', { place: 'mysql u@h', mode: 'verify-ca' }],
  ['Server=h;Uid=u;SslMode=None', { place: 'mysql u@h', mode: 'disable' }],
  ['Host=h;Username=u;SSL Mode=Require;Trust Server Certificate=false', { place: 'postgres u@h', mode: 'verify-full' }],
  ['Server=/run/m.sock;Uid=u;Protocol=unix', { place: 'mysql u@/run/m.sock', ignored: 'Protocol' }],
  ['Driver={PostgreSQL Unicode};Server=h;Uid=u;Protocol=7.4-1', { place: 'postgres u@h', ignored: 'Protocol' }],
  ['Host=h;Username=u;Password=hun;ter=2', { place: 'postgres u@h', ignored: 'an option after the password' }],
  [
    'Host=h1:5433,h2;Username=u;Target Session Attributes=primary',
    { place: 'postgres u@h1:5433,h2', servers: 'primary' },
  ],
  ['Host=/run/postgresql;Username=u;Database=d', { place: 'postgres u@/run/postgresql/.s.PGSQL.5432/d' }],
  ['Data Source=app.db', { place: 'sqlite /srv/here/app.db' }],
  ['Data Source=app.db;Version=3;Cache=Shared', { place: 'sqlite /srv/here/app.db', ignored: 'Version Cache' }],
  ['Data Source=app.db;Mode=ReadWriteCreate', { place: 'sqlite /srv/here/app.db', ignored: 'Mode' }],
  // JDBC's own forms.
  ['jdbc:mysql:loadbalance://h1:3306,h2:3306/d', { place: 'mysql h1:3306,h2:3306/d' }],
  ['jdbc:mariadb:sequential://h/d', { place: 'mysql h/d' }],
  ['jdbc:mysql://address=(host=h)(port=3307),address=(host=i)/d', { place: 'mysql h:3307,i/d' }],
  ['jdbc:mysql://(host=h,port=3307)/d', { place: 'mysql h:3307/d' }],
  ['jdbc:mysql://address=(protocol=tcp)(host=::1)(port=3307)/d', { place: 'mysql ::1:3307/d' }],
  ['jdbc:aws-wrapper:postgresql://h:5432/d', { place: 'postgres h:5432/d' }],
  ['jdbc:otel:mysql://h/d', { place: 'mysql h/d' }],
  ['jdbc:postgresql:shop?user=u', { place: 'postgres u@localhost/shop' }],
  // Other spellings.
  ['pg://u:x@h:2001/d', { place: 'postgres u@h:2001/d' }],
  ['mysql+tcp://u:x@h/d', { place: 'mysql u@h/d' }],
  ['postgresql+psycopg2://u:x@/d?host=h1:5432&host=h2:5433', { place: 'postgres u@h1:5432,h2:5433/d' }],
  ['postgres://u@[fe80::1%25eth0]:5433/d', { place: 'postgres u@fe80::1%eth0:5433/d' }],
  ['postgres://u@h/d\u200b', { place: 'postgres u@h/d' }],
  ['- DATABASE_URL=mysql://u:x@h/d', { place: 'mysql u@h/d' }],
  ['-e DATABASE_URL=mysql://u:x@h/d', { place: 'mysql u@h/d' }],
  ['ENV DATABASE_URL postgres://u:x@h/d', { place: 'postgres u@h/d' }],
  ['set -gx DATABASE_URL postgres://u:x@h/d', { place: 'postgres u@h/d' }],
  ['$env:DATABASE_URL = "postgres://u:x@h/d"', { place: 'postgres u@h/d' }],
  ['"--dsn", "postgres://u:x@h/d"', { place: 'postgres u@h/d' }],
  ['--dsn=postgres://u:x@h/d', { place: 'postgres u@h/d' }],
  ['-d postgres://u:x@h/d', { place: 'postgres u@h/d' }],
  // TablePlus's "Copy URL"
  [
    'postgresql://u:pw@h:5432/shop?statusColor=686B6F&env=local&name=Shop&tLSMode=0&usePrivateKey=false&safeModeLevel=0&advancedSafeModeLevel=0&driverVersion=0&lazyload=true',
    {
      place: 'postgres u@h:5432/shop',
      ignored: 'statusColor env name tLSMode usePrivateKey safeModeLevel advancedSafeModeLevel driverVersion lazyload',
    },
  ],
  [
    'mysql://root@127.0.0.1/shop?statusColor=007F3D&enviroment=local&name=My%20Shop&tLSMode=0&usePrivateKey=false',
    { place: 'mysql root@127.0.0.1/shop', ignored: 'statusColor enviroment name tLSMode usePrivateKey' },
  ],
  [
    'sqlite:///Users/anna/dev.db?statusColor=686B6F&env=local&name=dev',
    { place: 'sqlite /Users/anna/dev.db', ignored: 'statusColor env name' },
  ],
  // Rails
  [
    'postgresql://u:pw@h/shop?pool=5&prepared_statements=false&statement_timeout=5000',
    { place: 'postgres u@h/shop', ignored: 'pool prepared_statements statement_timeout' },
  ],
  [
    'mysql2://u:pw@h/shop?pool=5&reconnect=true&encoding=utf8mb4&checkout_timeout=5',
    { place: 'mysql u@h/shop', ignored: 'pool reconnect encoding checkout_timeout' },
  ],
  ['trilogy://root@h/shop?ssl_mode=REQUIRED', { place: 'mysql root@h/shop', mode: 'require' }],
  ['url: postgresql://app:pw@localhost/shop', { place: 'postgres app@localhost/shop' }],
  ['"DATABASE_URL": "postgresql://app:pw@localhost/shop",', { place: 'postgres app@localhost/shop' }],
  ['spring.datasource.url=jdbc:postgresql://h:5433/shop', { place: 'postgres h:5433/shop' }],
  ['jdbcUrl: "jdbc:mysql://h/shop"', { place: 'mysql h/shop' }],
  ['const url = "postgresql://app:pw@localhost/shop";', { place: 'postgres app@localhost/shop' }],
  ['mysql2://root@localhost/shop?socket=/tmp/mysql.sock', { place: 'mysql root@/tmp/mysql.sock/shop' }],
  [
    'sqlite3:db/development.sqlite3?pool=5&timeout=5000',
    { place: 'sqlite /srv/here/db/development.sqlite3', ignored: 'pool timeout' },
  ],
  // Django
  [
    'postgres://u:pw@h/shop?conn_max_age=600&conn_health_checks=true',
    { place: 'postgres u@h/shop', ignored: 'conn_max_age conn_health_checks' },
  ],
  ['pgsql://u:pw@h/shop', { place: 'postgres u@h/shop' }],
  ['mysql-connector://u:pw@h/shop', { place: 'mysql u@h/shop' }],
  ['spatialite:///data/geo.db', { place: 'sqlite /data/geo.db' }],
  // SQLAlchemy
  [
    'postgresql+psycopg2://u:pw@h/shop?pool_size=10&max_overflow=20&pool_recycle=1800&pool_pre_ping=true',
    { place: 'postgres u@h/shop', ignored: 'pool_size max_overflow pool_recycle pool_pre_ping' },
  ],
  ['postgresql+psycopg://u:pw@h/shop?sslmode=verify-full', { place: 'postgres u@h/shop', mode: 'verify-full' }],
  [
    'postgresql+asyncpg://u:pw@h/shop?ssl=require&prepared_statement_cache_size=0',
    { place: 'postgres u@h/shop', mode: 'require', ignored: 'prepared_statement_cache_size' },
  ],
  [
    'postgresql+psycopg2://u:pw@h/shop?isolation_level=AUTOCOMMIT',
    { place: 'postgres u@h/shop', ignored: 'isolation_level' },
  ],
  ['mysql+mysqlconnector://u:pw@h/shop?ssl_disabled=True', { place: 'mysql u@h/shop', mode: 'disable' }],
  [
    'mysql+mysqldb://u:pw@h/shop?ssl_ca=ca.pem&ssl_check_hostname=false',
    { place: 'mysql u@h/shop', mode: 'verify-ca', ca: '/srv/here/ca.pem' },
  ],
  [
    'sqlite+aiosqlite:///./test.db?check_same_thread=false',
    { place: 'sqlite /srv/here/test.db', ignored: 'check_same_thread' },
  ],
  ['sqlite:///project.db', { place: 'sqlite /srv/here/project.db' }],
  ['sqlite+pysqlite:///project.db', { place: 'sqlite /srv/here/project.db' }],
  ['sqlite:/project.db', { place: 'sqlite /project.db' }],
  ['sqlite:////project.db', { place: 'sqlite /project.db' }],
  ['file:///project.db', { place: 'sqlite /project.db' }],
  ['sqlite:////var/lib/app.db?timeout=5&cache=shared', { place: 'sqlite /var/lib/app.db', ignored: 'timeout cache' }],
  // Prisma, Drizzle
  [
    'postgresql://johndoe:pw@localhost:5432/mydb?schema=public',
    { place: 'postgres johndoe@localhost:5432/mydb', ignored: 'schema' },
  ],
  [
    'postgresql://u:pw@localhost/mydb?host=/var/run/postgresql/',
    { place: 'postgres u@/var/run/postgresql/.s.PGSQL.5432/mydb' },
  ],
  [
    'mysql://u:pw@localhost/mydb?socket=(/var/run/mysql.sock)'.replace(/[()]/g, ''),
    { place: 'mysql u@/var/run/mysql.sock/mydb' },
  ],
  [
    'postgresql://USER:PASSWORD@db.example:5432/shop?connection_limit=5&pool_timeout=2&socket_timeout=5'.replace(
      'USER',
      'anna',
    ),
    {
      place: 'postgres anna@db.example:5432/shop',
      ignored: 'connection_limit pool_timeout socket_timeout',
      asked: true,
    },
  ],
  ['file:./dev.db?connection_limit=1', { place: 'sqlite /srv/here/dev.db', ignored: 'connection_limit' }],
  [
    'file:dev.db?connection_limit=1&socket_timeout=10',
    { place: 'sqlite /srv/here/dev.db', ignored: 'connection_limit socket_timeout' },
  ],
  // Symfony and Doctrine, Laravel
  [
    'postgresql://app:pw@127.0.0.1:5432/app?serverVersion=16&charset=utf8',
    { place: 'postgres app@127.0.0.1:5432/app', ignored: 'serverVersion charset' },
  ],
  [
    'mysql://app:pw@127.0.0.1:3306/app?serverVersion=10.11.2-MariaDB&charset=utf8mb4',
    { place: 'mysql app@127.0.0.1:3306/app', ignored: 'serverVersion charset' },
  ],
  ['pdo-mysql://app:pw@h/app', { place: 'mysql app@h/app' }],
  ['pdo_pgsql://app:pw@h/app', { place: 'postgres app@h/app' }],
  ['mysqli://app:pw@h/app', { place: 'mysql app@h/app' }],
  // JDBC and Spring
  [
    'jdbc:postgresql://h:5432/shop?ApplicationName=web&reWriteBatchedInserts=true&prepareThreshold=0&stringtype=unspecified',
    { place: 'postgres h:5432/shop', ignored: 'ApplicationName reWriteBatchedInserts prepareThreshold stringtype' },
  ],
  [
    'jdbc:postgresql://h1,h2/shop?targetServerType=primary&loadBalanceHosts=true',
    { place: 'postgres h1,h2/shop', servers: 'primary', ignored: 'loadBalanceHosts' },
  ],
  [
    'jdbc:postgresql://h1,h2/shop?targetServerType=preferSecondary',
    { place: 'postgres h1,h2/shop', servers: 'prefer-standby' },
  ],
  [
    'jdbc:mysql://h:3306/shop?useSSL=true&verifyServerCertificate=false',
    { place: 'mysql h:3306/shop', mode: 'require' },
  ],
  [
    'jdbc:mysql://h/shop?useUnicode=true&characterEncoding=UTF-8&rewriteBatchedStatements=true&cachePrepStmts=true&prepStmtCacheSize=250',
    {
      place: 'mysql h/shop',
      ignored: 'useUnicode characterEncoding rewriteBatchedStatements cachePrepStmts prepStmtCacheSize',
    },
  ],
  [
    'jdbc:mysql://h/shop?allowMultiQueries=false&tinyInt1isBit=false&serverTimezone=Asia/Shanghai',
    { place: 'mysql h/shop', ignored: 'allowMultiQueries tinyInt1isBit serverTimezone' },
  ],
  [
    'jdbc:mariadb://h/shop?sslMode=trust&useCompression=true',
    { place: 'mysql h/shop', mode: 'require', ignored: 'useCompression' },
  ],
  [
    'jdbc:mariadb://localhost/shop?localSocket=/run/mysqld/mysqld.sock',
    { place: 'mysql /run/mysqld/mysqld.sock/shop' },
  ],
  ['jdbc:sqlite:/data/shop.db?busy_timeout=5000', { place: 'sqlite /data/shop.db', ignored: 'busy_timeout' }],
  // Go, Rust
  [
    'postgres://u:pw@h/shop?pool_max_conns=10&pool_min_conns=2&default_query_exec_mode=simple_protocol',
    { place: 'postgres u@h/shop', ignored: 'pool_max_conns pool_min_conns default_query_exec_mode' },
  ],
  ['host=h user=u dbname=shop pool_max_conns=10', { place: 'postgres u@h/shop', ignored: 'pool_max_conns' }],
  ['u:p@ss/w?rd@tcp([::1]:3307)/shop'.replace('/w', 'w'), { place: 'mysql u@::1:3307/shop' }],
  [
    'u:pw@tcp(127.0.0.1:3306)/shop?charset=utf8mb4&parseTime=True&loc=Local&timeout=5s',
    { place: 'mysql u@127.0.0.1:3306/shop', ignored: 'charset parseTime loc timeout' },
  ],
  ['u:p@w@/shop', { place: 'mysql u@127.0.0.1/shop' }],
  ['u:pw@tcp/shop?parseTime=true', { place: 'mysql u@127.0.0.1/shop', ignored: 'parseTime' }],
  ['sqlite:data.db?mode=rwc', { place: 'sqlite /srv/here/data.db', ignored: 'mode' }],
  [
    'file:app.db?_busy_timeout=5000&_journal_mode=WAL&_foreign_keys=on',
    { place: 'sqlite /srv/here/app.db', ignored: '_busy_timeout _journal_mode _foreign_keys' },
  ],
  [
    'file:app.db?_pragma=busy_timeout(5000)&cache=shared',
    { place: 'sqlite /srv/here/app.db', ignored: '_pragma cache' },
  ],
  // Node
  [
    'mysql://u:pw@h/shop?connectionLimit=10&waitForConnections=true&dateStrings=true&supportBigNumbers=true',
    { place: 'mysql u@h/shop', ignored: 'connectionLimit waitForConnections dateStrings supportBigNumbers' },
  ],
  ['mysql://u:pw@h/shop?autocommit=true&flags=', { place: 'mysql u@h/shop', ignored: 'autocommit flags' }],
  ['mysql://u:pw@h/shop?timezone=Z', { place: 'mysql u@h/shop', zone: 'UTC' }],
  ['mysql://u:pw@h/shop?timezone=local', { place: 'mysql u@h/shop' }],
  [
    'postgres://u:pw@h/shop?max=10&idle_timeout=20&connect_timeout=10',
    { place: 'postgres u@h/shop', ignored: 'max idle_timeout connect_timeout' },
  ],
  ['postgres://u:pw@h/shop?TimeZone=Europe/Berlin', { place: 'postgres u@h/shop', zone: 'Europe/Berlin' }],
];

export const libpq: readonly (readonly [text: string, expected: Expected])[] = [
  [
    'postgres://u@h1,h2/shop?load_balance_hosts=random',
    { place: 'postgres u@h1,h2/shop', ignored: 'load_balance_hosts' },
  ],
  [
    'postgres://u@h/shop?sslmode=require&sslnegotiation=direct',
    { place: 'postgres u@h/shop', mode: 'require', ignored: 'sslnegotiation' },
  ],
  [
    'postgres://u@h/shop?sslcertmode=allow&gssdelegation=0',
    { place: 'postgres u@h/shop', ignored: 'sslcertmode gssdelegation' },
  ],
  ['postgres://u@h/shop?sslrootcert=system', { place: 'postgres u@h/shop', mode: 'verify-full' }],
  [
    'postgres://u@h/shop?gssencmode=disable&krbsrvname=postgres&require_auth=!gss,!sspi',
    { place: 'postgres u@h/shop', ignored: 'gssencmode krbsrvname' },
  ],
  [
    'postgres://u@h/shop?ssl_min_protocol_version=TLSv1.2',
    { place: 'postgres u@h/shop', ignored: 'ssl_min_protocol_version' },
  ],
  [
    'postgres://u@h/shop?keepalives=1&keepalives_idle=30&tcp_user_timeout=5000&client_encoding=UTF8',
    { place: 'postgres u@h/shop', ignored: 'keepalives keepalives_idle tcp_user_timeout client_encoding' },
  ],
  [
    'postgres://u@h/shop?options=-c%20statement_timeout%3D5s%20-c%20search_path%3Dpublic',
    { place: 'postgres u@h/shop', ignored: 'options' },
  ],
  [
    'host=h user=u sslcertmode=disable sslnegotiation=postgres',
    { place: 'postgres u@h', ignored: 'sslcertmode sslnegotiation' },
  ],
  ['postgres://u@h/shop?min_protocol_version=3.0', { place: 'postgres u@h/shop', ignored: 'min_protocol_version' }],
  // A shell, template or manual has a placeholder for the password: the person is asked for it.
  ...[
    '$DB_PASSWORD',
    '$password',
    '%DB_PASSWORD%',
    '{{ db_password }}',
    "<%= ENV['DB_PASSWORD'] %>",
    '#{ENV["DB_PASSWORD"]}',
    '$'.concat('{{ secrets.DB_PASSWORD }}'),
    'x-$'.concat('{DB_PASSWORD}'),
  ].map(password => [`postgres://u:${password}@h/d`, { place: 'postgres u@h/d', asked: true }] as const),
  ['postgres://u:p$ASSword1@h/d', { place: 'postgres u@h/d' }],
  ['postgres://u:p%C3%84BC%20D@h/d', { place: 'postgres u@h/d' }],
  // An empty value counts as not given.
  ['postgres://u@h/shop?sslmode=&sslrootcert=&password=', { place: 'postgres u@h/shop' }],
  ['postgres://u@h/shop?options=&role=&search_path=', { place: 'postgres u@h/shop', ignored: 'role search_path' }],
  ['postgres://u@h/shop?sslmode=require&sslmode=require', { place: 'postgres u@h/shop', mode: 'require' }],
  ['mysql://u@h/shop?', { place: 'mysql u@h/shop' }],
];

export const refused: readonly (readonly [text: string, named: RegExp])[] = [
  ...[
    'hostaddr=10.0.0.1',
    'service=prod',
    'servicefile=/x',
    'replication=database',
    'socketFactory=com.google.cloud.sql.postgres.SocketFactory',
    'cloudSqlInstance=p:r:i',
    'unixSocketPath=/x',
  ].map(option => [`postgres://u@h/d?${option}`, /option \w+ changes where it leads/] as const),
  ...['passfile=/x', 'role=admin', 'session_authorization=admin', 'sslidentity=/x.p12', 'sslcertmode=require'].map(
    option => [`postgres://u@h/d?${option}`, /option \w+ changes as whom/] as const,
  ),
  ...[
    'requirepeer=postgres',
    'sslcrl=/x',
    'sslcrldir=/x',
    'gssencmode=require',
    'ssl_min_protocol_version=TLSv1.3',
    'sslkeylogfile=/x',
    'sslfactory=com.example.Mine',
    'allowFallbackToPlaintext=true',
    'allowCleartextPasswords=1',
  ].map(option => [`postgres://u@h/d?${option}`, /option \w+ changes how safely/] as const),
  ...[
    'options=-c%20search_path%3Dsales',
    'options=-c%20role%3Dadmin',
    'options=-c%20timezone%3DUTC',
    'options=what',
    'search_path=sales',
    'currentSchema=sales',
    'schema=sales',
    'sql_mode=ANSI_QUOTES',
    'allowMultiQueries=true',
    'multiStatements=true',
    'multipleStatements=true',
    'allowLoadLocalInfile=true',
    'local_infile=1',
    'allowAllFiles=true',
    'init_command=set%20names%20x',
    'sessionVariables=sql_mode%3D',
    'initSql=x',
    'default_transaction_read_only=on',
    'readOnly=true',
    'row_security=off',
    'standard_conforming_strings=off',
    'foreign_key_checks=0',
    'autoDeserialize=true',
    'DateStyle=german',
    'tx_isolation=x',
    'isolation_level=SERIALIZABLE',
    'flags=MULTI_STATEMENTS',
    'client_flag=65536',
    'autocommit=0',
    'server_settings=search_path%3Dsales',
    'schema_search_path=sales',
    'default_text_search_config=german',
    'options=-c%20default_text_search_config%3Dgerman',
    'gin_fuzzy_search_limit=10',
    'array_nulls=off',
    'lc_numeric=de_DE',
    'xmloption=document',
    'sql_select_limit=10',
    'lc_time_names=de_DE',
    'default_week_format=3',
    'group_concat_max_len=10',
    'div_precision_increment=2',
    'old_mode=x',
    'ignoreSpace=1',
  ].map(option => [`mysql://u@h/d?${option}`, /option \w+ changes what a statement means/] as const),
  ...['mode=ro', 'mode=memory', 'immutable=1', 'vfs=unix-none', 'nolock=1'].map(
    option => [`file:a.db?${option}`, /option \w+ changes how the file is opened/] as const,
  ),
  ['file:a.db?_pragma=writable_schema(1)', /option _pragma changes/],
  ['file:a.db?_fk=0', /option _fk changes/],
  ['sqlite:a.db?key=hunter2', /option key changes how the file is decrypted/],
  ['host=h user=u hostaddr=10.0.0.1', /option hostaddr changes where/],
  ['host=h user=u options=-crole=admin', /option options changes/],
  ['postgres://u@h/d?options=endpoint%3Dep-2', /option options changes where/],
  ['postgres://u@h/d?options=--cluster%3Dtabby-1', /options changes where it leads.*CLUSTER\.DATABASE/],
  ['postgres://u@h/d?options=project%3Dep-2', /option options changes where/],
  ['mysql://u@h/d?enabledTLSProtocols=TLSv1.3', /option enabledTLSProtocols changes how safely/],
  ['mysql://u@h/d?tls_version=TLSv1.3', /option tls_version changes how safely/],
  ['u:hunter2@cloudsql(p:r:i)/d', /tcp\(…\) and unix\(…\)/],
  ['$'.concat('{{Postgres.DATABASE_URL}}'), /placeholder or a variable/],
  ['$DATABASE_URL', /placeholder or a variable/],
  ['postgres://$DB_USER:$DB_PASSWORD@$DB_HOST:$DB_PORT/d', /placeholder for its host/],
  ['postgres://$DB_USER:hunter2@h/d', /placeholder for its user/],
  // Command lines.
  ...[
    'mysql -h h -u u -phunter2 d',
    'mysql --host=h --user=u --password=hunter2 d',
    'PGPASSWORD=hunter2 psql -h h -U u d',
    "PGPASSWORD='hun ter2' psql -h h",
    'psql -h h -U u',
    'psql --host=h --username=u',
    "psql 'postgres://u:hunter2@h/d' -c 'select 1'",
    'docker exec -it db psql -U postgres',
    'sudo -u postgres psql',
    'sqlite3 app.db',
  ].map(line => [line, /command line/] as const),
  // ADO.NET and ODBC.
  ['"Default": "Server=h;Database=d;User Id=u;Password=hunter2;"', /may be of PostgreSQL or MySQL: add Port=5432/],
  ['Server=tcp:h,1433;Initial Catalog=d;Uid=u;Password=hunter2', /SQL Server is not supported/],
  ['Server=.\\SQLEXPRESS;Database=d;Trusted_Connection=True', /SQL Server is not supported/],
  ['Data Source=h;Initial Catalog=d;Integrated Security=SSPI', /SQL Server is not supported/],
  ['Driver={ODBC Driver 17 for SQL Server};Server=h;Pwd=hunter2', /names a driver/],
  ['DSN=shop;Uid=u;Pwd=hunter2', /data source of this machine/],
  ['Host=h;Username=u;Password=hunter2;Search Path=secret', /Search ?Path changes what a statement means/i],
  ['Host=h;Username=u;Password=hunter2;Passfile=/x', /as whom it signs in/],
  ['Host=h;Username=u;Password=hunter2;SSL Mode=Allow', /clear text first/],
  ['Server=h;Uid=u;Pwd=hunter2;AllowLoadLocalInfile=true', /what a statement means/],
  ['Server=h;Uid=u;Pwd=hunter2;ConnectionProtocol=Pipe', /Only TCP is read/],
  ['Host=h;Username=u;Host=i;Password=hunter2', /is there twice/],
  ['Server=h Password=hunter2;Uid=u;Port=3306', /can't be read/],
  ['Database=d Password=hunter2;Host=h;Username=u', /can't be read/],
  ['Password=hunter2;Uid=u;Port=3306; Host=h', /in two ways/],
  ['Server=h;Uid=u;Pwd=hunter2;MultipleActiveResultSets=true', /SQL Server is not supported/],
  ['Server=h;Uid=u;Port=3306;SshHostName=b;SshKeyFile=/k', /where it leads/],
  ['Driver={PostgreSQL};Server=h;Pwd=hunter2;pqopt={hostaddr=192.0.2.1}', /where it leads/],
  ['Driver={PostgreSQL};Server=h;Uid=u;ConnSettings=SET role x', /what a statement means/],
  ['Host=h;Username=u;Check Certificate Revocation=true', /how safely/],
  ['Data Source=file:app.db?mode=memory', /path of the SQLite file alone/],
  ['Host=h;Username=u;Password=hun;ter2', /can't be read/],
  ['Database=d;Username=u;Password=hunter2;Port=5432;Host=', /key Server is missing/],
  ['Data Source=app.db;Version=3;Password=hunter2', /how the file is decrypted/],
  ['Data Source=app.db;Mode=ReadOnly', /how the file is opened/],
  ['Data Source=|DataDirectory|app.db', /path of the SQLite file alone/],
  ['jdbc:mysql://address=(protocol=pipe)(path=hunter2)/d', /host in the URL can't be read/],
  ['jdbc:mysql://(host=h,port=3307,user=u,password=hunter2)/d', /host in the URL can't be read/],
  ['jdbc:mysql://address=(host=h)(user=root),address=(host=i)/d', /host in the URL can't be read/],
  ['jdbc:mysql://address=(host=u@i)/d', /host in the URL can't be read/],
  ['jdbc:tc:postgresql:16://h/d', /not a URL that Sallyport knows/],
  ['mysqlx://u:hunter2@h:33060/d', /X protocol \(port 33060\) is not supported/],
  ['postgres://u:hunter2@/d?host=h1&host=h2', /host repeats/],
  ['postgresql+ssh://ops@bastion/shop', /has an SSH tunnel/],
  ['mysql+ssh://ops:hunter2@bastion:22/root:hunter2@127.0.0.1/shop?name=x', /has an SSH tunnel/],
  ['jdbc:mysql+srv://h/d', /after the \+/],
  ['mongodb://u:hunter2@h/d', /MongoDB is not supported/],
  ['mongodb+srv://u:hunter2@h/d', /MongoDB is not supported/],
  ['redis://:hunter2@h:6379', /Redis is not supported/],
  ['sqlserver://h:1433;password=hunter2', /SQL Server is not supported/],
  ['prisma+postgres://accelerate.prisma-data.net/?api_key=hunter2', /Prisma Accelerate is not supported/],
  ['libsql://shop.turso.io?authToken=hunter2', /libSQL is not supported/],
  ['postgres://postgres:hunter2@db.[YOUR-PROJECT-REF].supabase.co/postgres', /placeholder for its host/],
  ['postgres://u:hunter2@<host>:5432/d', /placeholder for its host/],
  [`postgres://\${DB_USER}:\${DB_PASSWORD}@\${DB_HOST}/d`, /placeholder for its host/],
  ['postgres://USER:PASSWORD@HOST:5432/DATABASE', /placeholder for its host/],
  ['postgres://<user>:hunter2@h/d', /placeholder for its user/],
  ['postgres://u:hunter2@h/<dbname>', /placeholder for its database/],
  ['postgres://u@h/d?sslmode=allow', /clear text first/],
  ['sqlite:///:memory:', /in memory/],
  ['mysql://u@h/d?ssl={"rejectUnauthorized":true,"ca":"x"}', /TLS mode/],
  ['mysql://u@h/d?tls=custom', /TLS mode/],
];

/** Each has `hun` in a piece of a password. */
export const piecesOfPasswords = [
  'postgres://u@h/d?password=a&hunter=2',
  'postgres://u@h/d?password=a&hunter=2&hunterer=3',
  'jdbc:postgresql://h/d?user=u&password=pw&hunter=x&ssl=true',
  'postgres://u@h/d?password=a&hunter2',
  'postgres://u:hun?ter=2@h/d',
  'host=h password=a hunter=2',
  'sqlite:a.db?hunter2',
  'u:hunter2@tcp(h)/d?x y=1',
  'jdbc:postgresql://h/d?x=hunter@2',
  'postgres://h/d?password=hunter@2',
];
