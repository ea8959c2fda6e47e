/** Every reason says what is wrong; a forbidden statement's says what may be done instead; none how a guard is switched off. */

import { expect, test } from '@jest/globals';
import { classifyText, lazyClassifiers } from '../../daemon/guard/classifiers.ts';
import { engines } from '../../shared/engine.ts';
import { statementsFor } from '../walls/statements.ts';
import { statements } from './mysql-others.cases.ts';
import { casesByClass } from './postgres.cases.ts';
import { cases } from './sqlite-cases.ts';

const classifiers = lazyClassifiers();
const more = { postgres: casesByClass, mysql: statements, sqlite: cases };

test.each(engines)('%s', async engine => {
  const all = [...statementsFor(engine).map(({ sql }) => sql), ...Object.values(more[engine]).flat()];
  const reasons = new Set<string>();
  for (const sql of all) {
    const { class: found, reason } = await classifyText(classifiers, engine, sql);
    expect(reason).toMatch(/^\S.{4,400}\.$/s);
    if (found === 'forbidden') expect(reason).toMatch(/; ./);
    reasons.add(reason);
  }
  const switches =
    /disable|switch(ed)? off|turn off|readWrite|fullAccess|full access|read-write|--\w|set the level|external clients/i;
  expect([...reasons].filter(reason => switches.test(reason))).toEqual([]);
});
