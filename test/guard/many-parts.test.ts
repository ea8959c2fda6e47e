/**
 * A yes to an ALTER with many parts runs all of them: the reason tells each, what takes rows first,
 * also what the catalogs alone would have asked about.
 */

import { expect, test } from '@jest/globals';
import { lazyClassifiers } from '../../daemon/guard/index.ts';
import { raisedByCatalog } from '../../daemon/guard/mysql/catalog.ts';
import { classifyMysql } from '../../daemon/guard/mysql/classify-mysql.ts';
import type { Classification } from '../../daemon/guard/types.ts';
import { wrongInParts } from './worded.ts';

const classifyPostgres = await lazyClassifiers().postgres();
const written = 'restricts what others may write to s.orders.';
const rows = 'rows that others read or write of s.orders have another form.';
const kept = 'changes how s.orders is stored or looked after.';

const onPostgres: Readonly<Record<string, string>> = {
  'add constraint pos check (gross > 0)': `The constraint pos ${written}`,
  'add check (gross > 0) not valid': `The constraint CHECK ${written}`,
  'add unique (a)': `The constraint UNIQUE ${written}`,
  'add primary key (a)': `The constraint PRIMARY KEY ${written}`,
  'add primary key using index taken': `The constraint PRIMARY KEY ${written}`,
  'add constraint one exclude using gist (a with =)': `The constraint one ${written}`,
  'add foreign key (a) references c (b)': `The constraint FOREIGN KEY ${written}`,
  'add foreign key (a) references c (b) on delete cascade': `The constraint FOREIGN KEY ${written} Rows of s.orders are deleted along with others by the constraint FOREIGN KEY.`,
  'add constraint nn not null a': `The constraint nn ${written}`,
  'alter a set not null': `The constraint a NOT NULL ${written}`,
  'alter a set default 5': 'SET DEFAULT changes what others write where they leave a out.',
  'alter a drop default': 'DROP DEFAULT removes a part of the definition.',
  'alter a type text': 'It changes the type of a column of s.orders',
  'alter a add generated always as identity': 'changes which numbers new rows of s.orders get.',
  'add note text': `ALTER TABLE adds note, so ${rows}`,
  'add note text default null check (note <> a) unique': `adds note, so ${rows} The constraint CHECK ${written} The constraint UNIQUE ${written}`,
  'replica identity full': 'REPLICA IDENTITY may make every UPDATE and DELETE of s.orders fail',
  'alter a set storage plain': kept,
  'alter a set statistics 5': kept,
  'alter a set (n_distinct = 3)': kept,
  'set (fillfactor = 50)': kept,
  'reset (fillfactor)': kept,
  'set tablespace other': kept,
  'set logged': kept,
  'cluster on taken': kept,
  'set without cluster': kept,
  'validate constraint pos': kept,
  'inherit parent': 'INHERIT makes s.orders a part of parent',
  'disable trigger all': 'keeps a trigger or rule',
  'owner to other': 'OWNER TO changes who holds all rights.',
};

const fails = "may make other people's writes fail.";
const changes = 'changes the definition.';
const unknown = 'is not known to keep what rows, names and later writes mean.';

const onMysql: Readonly<Record<string, string>> = {
  'add constraint pos check (gross > 0)': `add constraint pos check ${fails}`,
  'add check (gross > 0)': `add check ${fails}`,
  'add unique (a)': `add unique ${fails}`,
  'add foreign key (a) references c (b) on delete cascade': `add foreign key ${fails}`,
  'add note int not null': `add note int not ${fails}`,
  'add (a int, b int not null)': `add ${fails}`,
  'add note text': `add note text ${changes}`,
  'add index (a)': `add index ${changes}`,
  'engine = innodb': `engine ${changes}`,
  "comment 'what it is'": `comment ${changes}`,
  'modify note varchar(200)': `modify note varchar ${changes}`,
  'modify column note int': 'MODIFY note may cut values to a smaller type.',
  'alter column a set default 5': `alter column a set ${unknown}`,
  'alter index i invisible': `alter index i invisible ${unknown}`,
  'frobnicate a': `frobnicate a ${unknown}`,
  'rename to other': 'RENAME moves rows away',
};

const one = (sql: string): Classification => classifyPostgres(sql);
const other = (sql: string): Classification => classifyMysql(sql, 'shop');
const engines = [
  ['postgres', one, onPostgres],
  ['mysql', other, onMysql],
] as const;

test.each(
  engines.flatMap(([name, classify, parts]) =>
    Object.entries(parts).map(([part, told]) => [name, part, classify, told] as const),
  ),
)('%s: a part beside one that drops: %s', (_, part, classify, told) => {
  for (const parts of [`${part}, drop column gone`, `drop column gone, ${part}`]) {
    const found = classify(`alter table s.orders ${parts}`);
    expect(found).toMatchObject({ class: 'destructive', reason: expect.stringContaining(told) });
    expect(found.reason).toMatch(/^ALTER TABLE … (?:drop|MODIFY note)\b.*\. .*\.$/i);
    expect(wrongInParts(found)).toEqual([]);
  }
});

test('parts that the catalogs alone may ask about are told, too, on MySQL', () => {
  const byText = classifyMysql('alter table orders add column note text, add constraint pos check (a > 0)', 'shop');
  const item = { kind: 'constrained', schema: 'shop', name: 'orders' } as const;
  const objects = [{ kind: 'there', definition: null, sqlMode: '' }] as const;
  const { classification } = raisedByCatalog(byText, [
    { item, objects },
    { item: { ...item, kind: 'altered' }, objects },
  ]);
  expect(byText.class).toBe('write');
  expect(classification).toMatchObject({
    class: 'destructive',
    reason: expect.stringMatching(/^It may make .* add constraint pos check may make .* add column note text changes/),
  });
  expect(wrongInParts(classification)).toEqual([]);
});

test('parts that the catalogs alone may ask about are told, too', () => {
  const found = one('alter table s.orders add note text, add constraint pos check (a > 0), alter b set default 5');
  const { class: given, reason } = found;
  expect(given).toBe('write');
  expect(reason).toMatch(
    /^ALTER TABLE adds or changes a definition, .*\. The constraint pos restricts .* b out\. .* adds note,/,
  );
  expect(wrongInParts(found)).toEqual([]);
});

test('how it is done is no part', () => {
  const { reason } = other('alter table orders drop column gone, algorithm = inplace, lock = none');
  expect(reason).toBe('ALTER TABLE … drop column gone removes a part of the table.');
});

test.each(engines.map(([name, classify]) => [name, classify] as const))(
  '%s: what asks is never cut behind parts that keep what is there',
  (_, classify) => {
    const plain = Array.from({ length: 20 }, (__, at) => `add c${at} text`).join(', ');
    const { reason } = classify(`alter table s.orders ${plain}, add check (a > 0), drop column gone`);
    expect(reason).toMatch(/^ALTER TABLE … DROP .*And \d+ more of its parts ask\.$/i);
    expect(reason).toMatch(/The constraint CHECK restricts|add check may make/);
  },
);
