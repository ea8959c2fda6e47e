/**
 * The tables of docs/walls.md, and the numbers that `sallyport prove` tells a person, show what was
 * measured: each comes from the lists that the neighbouring suites verify.
 */

import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { type Passed, passedRole, passedSession } from '../../daemon/guard/attacks/measured.ts';
import type { Engine } from '../../shared/engine.ts';
import type { AttackKind } from '../../shared/proof-codes.ts';
import { type Gaps, mariadbGaps, postgresGaps, postgresReaderRuns, roleGaps, sqliteHandleRuns } from './gaps.ts';
import { judgedByKind } from './kinds.ts';

const titles: Readonly<Record<AttackKind, string>> = {
  several_statements: 'several statements, blocks',
  server_files: 'files and programs of the server',
  passwords: 'password catalogs',
  sql_in_string: 'SQL in a string',
  network: 'network',
  other_sessions: 'other sessions',
  server_control: 'control of the server',
  stored_code: 'stored code that writes',
  session_settings: 'settings of the session',
  all_rows: 'a change of all rows',
  other_writes: 'any other write',
};
/** The answer itself is the harm. */
const tells: ReadonlySet<AttackKind> = new Set(['server_files', 'passwords']);

const nothing: Gaps = { runs: [], changes: [] };
const superuser = postgresGaps.superuser ?? nothing;
const reader = { runs: postgresReaderRuns, changes: [] };
const allPrivileges = mariadbGaps['all privileges'] ?? nothing;
const measured: Readonly<Record<Engine, readonly Gaps[]>> = {
  postgres: [superuser, reader, roleGaps.postgres.read, roleGaps.postgres.alone],
  mysql: [allPrivileges, roleGaps.mysql.read, roleGaps.mysql.alone],
  sqlite: [nothing, { runs: sqliteHandleRuns, changes: [] }],
};
const page = readFileSync(new URL('../../docs/walls.md', import.meta.url), 'utf8');

test.each(['postgres', 'mysql', 'sqlite'] as const)('%s', engine => {
  for (const [kind, statements] of judgedByKind(engine)) {
    if (statements.length === 0) continue;
    const count = (list: readonly string[]) => statements.filter(({ sql }) => list.includes(sql)).length;
    const cells = measured[engine].map(({ runs, changes }) => {
      const [changing, running] = [count(changes), count(runs) + count(changes)];
      if (changing > 0) return `no: ${changing} change`;
      if (running === 0) return 'holds';
      return tells.has(kind) ? `no: ${running} tell` : `partly: ${running} run`;
    });
    const byText = statements.some(({ decidedBy }) => decidedBy === 'execution') ? 'partly' : 'holds';
    expect(page).toContain(`| ${[`${titles[kind]} (${statements.length})`, byText, ...cells].join(' | ')} |\n`);
  }
});

/** What changes something or tells it, by kind. */
function passed(engine: Engine, { runs, changes }: Gaps): Passed {
  const counts = [...judgedByKind(engine)].map(([kind, statements]) => {
    const list = tells.has(kind) ? [...changes, ...runs] : changes;
    return [kind, statements.filter(({ sql }) => list.includes(sql)).length] as const;
  });
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

test('what a proof tells is what was measured', () => {
  expect(passedSession).toEqual({
    postgres: {
      superuser: passed('postgres', superuser),
      reader: passed('postgres', reader),
      owner: passed('postgres', postgresGaps.owner ?? nothing),
      fitting: passed('postgres', roleGaps.postgres.read),
    },
    mysql: { privileged: passed('mysql', allPrivileges), fitting: passed('mysql', roleGaps.mysql.read) },
    sqlite: { file: {} },
  });
  expect(passedRole).toEqual({
    postgres: passed('postgres', roleGaps.postgres.alone),
    mysql: passed('mysql', roleGaps.mysql.alone),
  });
});
