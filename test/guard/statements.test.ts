/**
 * The statement table, by text alone: each statement has its class, and each reason is a sentence.
 * A refusal says what may be done instead; none says how to turn off a guard.
 */

import { describe, expect, test } from '@jest/globals';
import { classifyText, lazyClassifiers } from '../../daemon/guard/classifiers.ts';
import type { StatementClass } from '../../daemon/guard/types.ts';
import { engines } from '../../shared/engine.ts';
import { decidedByText, statementsOf } from './statements/table.ts';
import { wrongInParts } from './worded.ts';

const classifiers = lazyClassifiers();
const classes: readonly StatementClass[] = ['read', 'write', 'destructive', 'forbidden'];

describe.each(engines)('%s', engine => {
  test('each statement is there once', () => {
    const all = statementsOf(engine).map(({ sql }) => sql);
    expect(all.filter((sql, at) => all.indexOf(sql) !== at)).toEqual([]);
  });

  test.each(classes)('each %s is one', async expected => {
    const statements = decidedByText(engine).filter(each => each.class === expected);
    expect(statements.length).toBeGreaterThan(70);
    const wrong: unknown[] = [];
    for (const { sql } of statements) {
      const { class: found, reason, isDml, needsOwnSession } = await classifyText(classifiers, engine, sql);
      // SQLite's EXPLAIN VACUUM runs like VACUUM.
      const isMore = isDml || (needsOwnSession && engine !== 'sqlite');
      if (found !== expected || (expected === 'read' && isMore))
        wrong.push({ sql, found, reason, isDml, needsOwnSession });
    }
    expect(wrong).toEqual([]);
  });

  test('the reasons', async () => {
    const reasons = new Set<string>();
    for (const { sql } of statementsOf(engine)) {
      const classification = await classifyText(classifiers, engine, sql);
      const { class: found, reason } = classification;
      expect([sql, wrongInParts(classification)]).toEqual([sql, []]);
      expect(reason).toMatch(engine === 'mysql' ? /^\S[^\n]{4,199}\.$/ : /^\S[^\n]{4,397}\.$/);
      if (found === 'forbidden') expect(reason).toMatch(/; ./);
      reasons.add(reason);
    }
    const switches =
      /disable|switch(ed)? off|turn off|readWrite|fullAccess|full access|read-write|--\w|set the level|external clients/i;
    expect([...reasons].filter(reason => switches.test(reason))).toEqual([]);
    if (engine === 'mysql') expect([...reasons].filter(reason => /settings/i.test(reason))).toEqual([]);
  });
});
