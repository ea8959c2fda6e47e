/** The statements written against the manuals are none that a table had before, and fall where they were classified to. */

import { expect, test } from '@jest/globals';
import { classifyText, lazyClassifiers } from '../../daemon/guard/classifiers.ts';
import { engines } from '../../shared/engine.ts';
import { statementsFor } from './statements.ts';

const classifiers = lazyClassifiers();

test.each(engines)('%s: as judged', async engine => {
  const statements = statementsFor(engine);
  const classified = new Set(statements.filter(({ list }) => list === 'judged').map(({ sql }) => sql));
  const ours = statements.filter(({ list }) => list === 'unseen');
  expect(ours.filter(({ sql }) => classified.has(sql))).toEqual([]);
  for (const { sql, class: expected } of ours) {
    const { class: given, reason } = await classifyText(classifiers, engine, sql);
    expect([sql, given, reason]).toEqual([sql, expected, reason]);
  }
});
