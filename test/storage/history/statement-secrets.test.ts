import { expect, test } from '@jest/globals';
import { holdsSecret } from '../../../daemon/storage/history/statement-secrets.ts';

test.each([
  "CREATE USER anna WITH PASSWORD 'hunter2'",
  "create user anna password 'hunter2'",
  "ALTER ROLE anna ENCRYPTED PASSWORD 'hunter2'",
  'alter role anna with login password $$hunter2$$',
  "ALTER USER anna/* now */PASSWORD/**/'hunter2'",
  "ALTER USER anna -- a comment\n  PASSWORD -- another\n 'hunter2'",
  "CREATE USER 'anna'@'%' IDENTIFIED BY 'hunter2'",
  "CREATE USER anna IDENTIFIED WITH caching_sha2_password AS '$A$005$abc'",
  "CREATE USER anna IDENTIFIED/**/BY 'hunter2'",
  "/*!50000 ALTER USER anna IDENTIFIED BY 'hunter2' */",
  "ALTER USER anna IDENTIFIED VIA ed25519 USING PASSWORD('hunter2')",
  "GRANT ALL ON *.* TO anna IDENTIFIED BY 'hunter2'",
  "SET PASSWORD FOR 'anna'@'%' = 'hunter2'",
  "set password = password('hunter2')",
  "CHANGE MASTER TO MASTER_HOST='db', MASTER_USER='repl', MASTER_PASSWORD='hunter2'",
  "CHANGE REPLICATION SOURCE TO SOURCE_PASSWORD = 'hunter2'",
  "CREATE SUBSCRIPTION s CONNECTION 'host=db user=repl password=hunter2' PUBLICATION p",
  "CREATE SUBSCRIPTION s CONNECTION 'host=db user=repl' PUBLICATION p",
  "CREATE USER MAPPING FOR anna SERVER far OPTIONS (user 'bob', password 'hunter2')",
  "CREATE SERVER s FOREIGN DATA WRAPPER mysql OPTIONS (USER 'bob', PASSWORD 'hunter2')",
  "SELECT * FROM dblink('host=db user=bob password=hunter2', 'select 1') AS t(x int)",
  "select dblink_connect('c', 'postgresql://bob:hunter2@db/shop')",
  "insert into links (url) values ('postgres://bob:hunter2@db:5432/shop')",
  "CREATE TABLE t (id int) ENGINE=FEDERATED CONNECTION='mysql://bob:hunter2@db/shop/t'",
  "update settings set value = 'Server=db;User Id=bob;Pwd=hunter2;' where name = 'dsn'",
  "UPDATE users SET password = 'hunter2' WHERE id = 1",
  "UPDATE users SET \"passwordHash\" = crypt('hunter2', gen_salt('bf')) WHERE id = 1",
  "update users set password_hash = E'hunter2' where id = 1",
  'update users set pwd = "hunter2" where id = 1',
  "update users set `secret` = x'6869' where id = 1",
  'update users set api_key = 0x6869 where id = 1',
  "select * from users where name = 'anna' and password = md5('hunter2')",
  "select * from users where 'hunter2' = password",
  "INSERT INTO users (name, password) VALUES ('anna', 'hunter2')",
  "insert into users (name, `password_hash`, age) select 'anna', 'hunter2', 3",
  'replace into users ("id", "apiKey") values (1, \'hunter2\')',
  'update profiles set data = \'{"name": "anna", "password": "hunter2"}\'',
  "select pgp_sym_encrypt('text', 'hunter2')",
  "select aes_decrypt(card, 'hunter2') from cards",
  "PRAGMA key = 'hunter2'",
  "PRAGMA main.rekey('hunter2')",
  "ATTACH DATABASE 'a.db' AS a KEY 'hunter2'",
  `select '${'sp_'}${'A'.repeat(43)}'`,
  `insert into keys values ('-----BEGIN ${'RSA '}PRIVATE KEY-----')`,
  `select 'AKIA${'ABCDEFGH'.repeat(2)}'`,
  `select 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc'`,
  "select http_get('https://api', 'Authorization: Bearer abc')",
])('kept as class and hash only: %s', statement => {
  expect(holdsSecret(statement)).toBe(true);
});

test.each([
  'select 1',
  'select id, password_hash from users',
  'select password from users where id = 7 and active',
  'select * from users where password is null',
  "select * from users where name = 'anna' and password_changed_at < now()",
  'ALTER TABLE users ADD COLUMN password text NOT NULL',
  'CREATE TABLE users (id int primary key, name text, password_hash text)',
  'ALTER TABLE users DROP COLUMN secret',
  "select 'https://example.com/a:b' as url",
  "select * from orders where note like '%pass%' limit 10",
  "insert into people (name, passport) values ('anna', null)".replace('passport', 'nation'),
  "select * from tokens_by_day where day = '2026-01-01'",
  'CREATE ROLE reader',
  "select count(*) from events where kind = 'login' and at > '2026-11-01'",
  'update users set password = null where id = 1',
  'explain select * from users u join orders o on o.user_id = u.id where u.email = $1',
  "select key, value from settings where key = 'theme'",
  "select * from a -- it's a comment\n where x = 1",
])('kept as text: %s', statement => {
  expect(holdsSecret(statement)).toBe(false);
});

test.each([
  'password '.repeat(12_000),
  `insert ${'('.repeat(100_000)}`,
  `insert into t (${'a, '.repeat(33_000)}`,
  "'".repeat(100_000),
  '/*'.repeat(50_000),
  `://${':'.repeat(100_000)}`,
  'a'.repeat(100_000),
  `pass${' '.repeat(100_000)}`,
  'a.'.repeat(50_000),
  'insert '.repeat(14_000),
  'create user password '.repeat(4_700),
  'crypt('.repeat(16_000),
])('100 KB of nonsense is judged in no time (%#)', statement => {
  const start = performance.now();
  holdsSecret(statement);
  expect(performance.now() - start).toBeLessThan(2_000);
});
