/** What `listTables`, `describeTables` and `status` say about a schema with everything in it. */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CallContext, Database, TableDescription } from '../../../daemon/engines/engine.ts';
import { openMysql } from '../../../daemon/engines/mysql/database.ts';
import { needs } from '../../needs.ts';
import { lendMariadb } from '../../servers/lent.ts';
import { dialect, isMysql, type MariadbServer, mariadbUnavailable } from '../../servers/mariadb.ts';
import { endpointOf, portsOf } from './endpoint.ts';

const call: CallContext = {
  principal: null,
  client: 'suite',
  database: null,
  schema: null,
  timeoutSeconds: 30,
  signal: new AbortController().signal,
};

const shop = `
CREATE DATABASE shop CHARACTER SET utf8mb4; CREATE DATABASE other; USE shop;
CREATE TABLE customer (
  id int unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY COMMENT 'the key',
  name varchar(40) NOT NULL DEFAULT 'it''s',
  born date, state enum('new','it''s','back\\\\slash','日') NOT NULL DEFAULT 'new',
  tags set('a','b'),
  made timestamp(3) NOT NULL DEFAULT current_timestamp(3),
  initial char(1) AS (left(name, 1)) STORED, shout varchar(45) AS (concat(name, '!')) VIRTUAL,
  spent decimal(12,2) DEFAULT 0.00 CHECK (spent >= 0),
  changed timestamp(3) NULL ON UPDATE current_timestamp(3),
  seen timestamp NOT NULL DEFAULT current_timestamp ON UPDATE current_timestamp,
  UNIQUE KEY by_name (name, born), KEY by_state (state), CONSTRAINT sane CHECK (born > '1800-01-01')
) COMMENT 'those who buy';
CREATE TABLE \`odd \`\`name\` (a int, b int, PRIMARY KEY (b, a));
CREATE TABLE bill (
  id bigint PRIMARY KEY, customer_id int unsigned, note text, KEY noted (note(10), id DESC),
  CONSTRAINT bill_customer FOREIGN KEY (customer_id) REFERENCES customer (id) ON DELETE CASCADE ON UPDATE SET NULL
);
CREATE TABLE other.visit (customer int unsigned, FOREIGN KEY elsewhere (customer) REFERENCES shop.customer (id));
CREATE VIEW rich AS SELECT * FROM customer WHERE spent > 1000;
CREATE SEQUENCE numbers;
CREATE TRIGGER tidy BEFORE INSERT ON customer FOR EACH ROW SET NEW.name = trim(NEW.name);
INSERT INTO customer (name) VALUES ('a'), ('b');
CREATE USER plain@'127.0.0.1' IDENTIFIED BY 'plain'; GRANT SELECT ON shop.* TO plain@'127.0.0.1';
CREATE USER reader@'127.0.0.1' IDENTIFIED BY 'plain'; GRANT FILE, SUPER ON *.* TO reader@'127.0.0.1';
`;

/** How an expression writes a text. */
const text = isMysql() ? '_utf8mb4' : '';

needs(mariadbUnavailable()).describe('mysql schema', () => {
  let server: MariadbServer;
  let database: Database;

  beforeAll(async () => {
    server = await lendMariadb();
    await server.client(dialect(shop));
    database = openMysql(endpointOf(server, { database: 'shop' }), portsOf(server));
  }, 60_000);

  afterAll(async () => {
    await database?.close();
    await server?.stop();
  });

  const described = async (table: string, changes: Partial<CallContext> = {}): Promise<TableDescription> => {
    const answer = await database.describeTables({ ...call, ...changes }, [table], true);
    const [found] = answer.kind === 'done' ? answer.value : [];
    if (!found) throw new Error(JSON.stringify(answer));
    return found;
  };

  test('lists tables, views and sequences with their comments', async () => {
    expect(await database.listTables(call)).toEqual({
      kind: 'done',
      value: [
        { name: 'bill', schema: 'shop', kind: 'table', comment: null, approximateRowCount: 0 },
        { name: 'customer', schema: 'shop', kind: 'table', comment: 'those who buy', approximateRowCount: 2 },
        ...(isMysql()
          ? []
          : [{ name: 'numbers', schema: 'shop', kind: 'sequence', comment: null, approximateRowCount: null }]),
        { name: 'odd `name', schema: 'shop', kind: 'table', comment: null, approximateRowCount: 0 },
        { name: 'rich', schema: 'shop', kind: 'view', comment: null, approximateRowCount: null },
      ],
    });
    const other = await database.listTables({ ...call, database: 'other' });
    expect(other).toMatchObject({ kind: 'done', value: [{ name: 'visit', schema: 'other' }] });
  });

  test('lists all databases except the server’s own if the connection names none', async () => {
    const wide = openMysql(endpointOf(server), portsOf(server));
    const tables = await wide.listTables(call);
    if (tables.kind !== 'done') throw new Error(JSON.stringify(tables));
    expect([...new Set(tables.value.map(({ schema }) => schema))]).toEqual(['other', 'shop']);
    expect((await wide.describeTables(call, ['customer'], true)).kind).toBe('unsupported');
    await wide.close();
  });

  test('describes columns', async () => {
    const { columns, primaryKey, comment, approximateRowCount, sizeBytes } = await described('customer');
    expect(comment).toBe('those who buy');
    expect(primaryKey).toEqual(['id']);
    expect(approximateRowCount).toBe(2);
    expect(sizeBytes).toBeGreaterThan(0);
    const plain = {
      nullable: true,
      isInvisible: false,
      terms: [],
      default: null,
      onUpdate: null,
      generated: null,
      primaryKey: false,
      comment: null,
      allowedValues: null,
    };
    expect(columns).toEqual([
      {
        ...plain,
        name: 'id',
        type: isMysql() ? 'int unsigned' : 'int(10) unsigned',
        nullable: false,
        generated: 'by_default',
        primaryKey: true,
        comment: 'the key',
      },
      { ...plain, name: 'name', type: 'varchar(40)', nullable: false, default: "'it''s'" },
      { ...plain, name: 'born', type: 'date' },
      {
        ...plain,
        name: 'state',
        type: expect.stringMatching(/^enum\(/),
        nullable: false,
        default: "'new'",
        allowedValues: ['new', "it's", 'back\\slash', '日'],
      },
      { ...plain, name: 'tags', type: "set('a','b')", allowedValues: ['a', 'b'] },
      {
        ...plain,
        name: 'made',
        type: 'timestamp(3)',
        nullable: false,
        default: expect.stringMatching(/^current_timestamp\(3\)$/i),
      },
      { ...plain, name: 'initial', type: 'char(1)', generated: 'stored', default: 'left(`name`,1)' },
      { ...plain, name: 'shout', type: 'varchar(45)', generated: 'virtual', default: `concat(\`name\`,${text}'!')` },
      { ...plain, name: 'spent', type: 'decimal(12,2)', default: '0.00' },
      {
        ...plain,
        name: 'changed',
        type: 'timestamp(3)',
        onUpdate: expect.stringMatching(/^current_timestamp\(3\)$/i),
      },
      {
        ...plain,
        name: 'seen',
        type: 'timestamp',
        nullable: false,
        default: expect.stringMatching(/^current_timestamp(\(\))?$/i),
        onUpdate: expect.stringMatching(/^current_timestamp(\(\))?$/i),
      },
    ]);
  });

  test('describes keys in both directions, indexes, checks, triggers and DDL', async () => {
    const customer = await described('customer');
    expect(customer.referencedBy).toEqual([
      { name: expect.any(String), schema: 'other', table: 'visit', columns: ['customer'], referencedColumns: ['id'] },
      { name: 'bill_customer', schema: 'shop', table: 'bill', columns: ['customer_id'], referencedColumns: ['id'] },
    ]);
    expect(customer.foreignKeys).toEqual([]);
    expect(customer.indexes).toEqual([
      {
        name: 'by_name',
        columns: ['name', 'born'],
        unique: true,
        method: 'BTREE',
        definition: 'UNIQUE KEY `by_name` (`name`,`born`)',
        state: null,
      },
      {
        name: 'by_state',
        columns: ['state'],
        unique: false,
        method: 'BTREE',
        definition: 'KEY `by_state` (`state`)',
        state: null,
      },
      {
        name: 'PRIMARY',
        columns: ['id'],
        unique: true,
        method: 'BTREE',
        definition: 'PRIMARY KEY (`id`)',
        state: null,
      },
    ]);
    expect(customer.checks).toEqual(
      isMysql()
        ? [
            { name: 'customer_chk_1', expression: '(`spent` >= 0)', state: null },
            { name: 'sane', expression: "(`born` > _utf8mb4'1800-01-01')", state: null },
          ]
        : [
            { name: 'sane', expression: "`born` > '1800-01-01'", state: null },
            { name: 'spent', expression: '`spent` >= 0', state: null },
          ],
    );
    expect(customer.triggers).toEqual([
      {
        name: 'tidy',
        definition:
          'CREATE TRIGGER `tidy` BEFORE INSERT ON `shop`.`customer` FOR EACH ROW SET NEW.name = trim(NEW.name)',
      },
    ]);
    expect(customer.ddl).toMatch(/^CREATE TABLE `customer` \(/);
    expect((await described('bill')).foreignKeys).toEqual([
      {
        name: 'bill_customer',
        columns: ['customer_id'],
        referencedSchema: 'shop',
        referencedTable: 'customer',
        referencedColumns: ['id'],
        onUpdate: 'SET NULL',
        onDelete: 'CASCADE',
      },
    ]);
  });

  test('needs no more questions for many tables than for one; DDL takes one per table', async () => {
    const asked = async (names: readonly string[], withDdl: boolean): Promise<number> => {
      const before = await questions();
      const answer = await database.describeTables(call, names, withDdl);
      if (answer.kind !== 'done' || answer.value.includes(null)) throw new Error(JSON.stringify(answer));
      return (await questions()) - before;
    };
    const questions = async (): Promise<number> =>
      Number((await server.client("SHOW GLOBAL STATUS LIKE 'Questions'")).split('\t')[1]);
    const ofOne = await asked(['customer'], false);
    expect(await asked(['customer', 'bill', 'odd `name'], false)).toBe(ofOne);
    expect(await asked(['customer', 'bill', 'odd `name'], true)).toBe(ofOne + 3);
  });

  test('an index says which part of a column it holds, and in which order', async () => {
    const { indexes } = await described('bill');
    expect(indexes.find(({ name }) => name === 'noted')?.definition).toBe('KEY `noted` (`note`(10),`id` DESC)');
  });

  test('an index names its expression', async () => {
    // MariaDB has none.
    if (!isMysql()) return;
    await server.client("CREATE TABLE other.d (doc json, KEY by_name ((cast(doc->>'$.name' as char(30)))))");
    const { indexes } = await described('d', { database: 'other' });
    expect(indexes[0]?.definition).toBe(
      "KEY `by_name` ((cast(json_unquote(json_extract(`doc`,_utf8mb4'$.name')) as char(30) charset utf8mb4)))",
    );
  });

  test('describes views, sequences, odd names, other databases and system tables', async () => {
    expect(await described('rich')).toMatchObject({ kind: 'view', comment: null, ddl: expect.stringMatching(/VIEW/) });
    if (!isMysql())
      expect(await described('numbers')).toMatchObject({ kind: 'sequence', ddl: expect.stringMatching(/SEQUENCE/) });
    expect(await described('odd `name')).toMatchObject({
      primaryKey: ['b', 'a'],
      ddl: expect.stringMatching(/odd ``name/),
    });
    expect(await described('visit', { database: 'other' })).toMatchObject({ schema: 'other' });
    expect(await described('TABLES', { database: 'information_schema' })).toMatchObject({ kind: 'view' });
    const missing = ['missing', "x' or '1'='1", ''];
    expect(await database.describeTables(call, missing, true)).toEqual({ kind: 'done', value: [null, null, null] });
  });

  test('status names server, user and database, and warns of what no gate can prevent', async () => {
    const status = async (user: string, password: string) => {
      const own = openMysql(endpointOf({ ...server, user: 'root' }, { user }), {
        ...portsOf(server),
        password: async () => password,
      });
      const answer = await own.status(call);
      await own.close();
      return answer.kind === 'done' ? answer.value : answer;
    };
    expect(await status('root', server.password)).toMatchObject({
      warnings: isMysql()
        ? [expect.stringMatching(/SUPER/), expect.stringMatching(/FILE/)]
        : [expect.stringMatching(/all privileges/)],
    });
    expect(await status('plain', 'plain')).toMatchObject({
      currentUser: 'plain@127.0.0.1',
      currentDatabase: null,
      warnings: [],
    });
    expect(await status('reader', 'plain')).toMatchObject({
      warnings: [expect.stringMatching(/SUPER/), expect.stringMatching(/FILE/)],
    });
    expect(await database.status(call)).toMatchObject({
      kind: 'done',
      value: {
        serverVersion: expect.stringMatching(isMysql() ? /^MySQL 9\.\d+\.\d+$/ : /^MariaDB \d+\.\d+\.\d+$/),
        currentDatabase: 'shop',
      },
    });
  });
});
