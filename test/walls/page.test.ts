/**
 * The tables of docs/walls.md show what was measured: each cell comes from the lists that the
 * neighbouring suites verify.
 */

import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Engine } from '../../shared/engine.ts';
import { type Gaps, mariadbGaps, postgresGaps, postgresReaderRuns, roleGaps, sqliteHandleRuns } from './gaps.ts';
import { judgedByKind } from './kinds.ts';

const nothing: Gaps = { runs: [], changes: [] };
const measured: Readonly<Record<Engine, readonly Gaps[]>> = {
  postgres: [
    postgresGaps.superuser ?? nothing,
    { runs: postgresReaderRuns, changes: [] },
    roleGaps.postgres.read,
    roleGaps.postgres.alone,
  ],
  mysql: [mariadbGaps['all privileges'] ?? nothing, roleGaps.mysql.read, roleGaps.mysql.alone],
  sqlite: [nothing, { runs: sqliteHandleRuns, changes: [] }],
};
const page = readFileSync(new URL('../../docs/walls.md', import.meta.url), 'utf8');

test.each(['postgres', 'mysql', 'sqlite'] as const)('%s', engine => {
  for (const [{ name, tells = false }, statements] of judgedByKind(engine)) {
    if (statements.length === 0) continue;
    const count = (list: readonly string[]) => statements.filter(({ sql }) => list.includes(sql)).length;
    const cells = measured[engine].map(({ runs, changes }) => {
      const [changing, running] = [count(changes), count(runs) + count(changes)];
      if (changing > 0) return `no: ${changing} change`;
      if (running === 0) return 'holds';
      return tells ? `no: ${running} tell` : `partly: ${running} run`;
    });
    const byText = statements.some(({ decidedBy }) => decidedBy === 'execution') ? 'partly' : 'holds';
    expect(page).toContain(`| ${[`${name} (${statements.length})`, byText, ...cells].join(' | ')} |\n`);
  }
});
