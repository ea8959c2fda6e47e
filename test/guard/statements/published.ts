/** The published attacks, about the objects of `test/sql/fixture-*.sql`. */

import { type AttackName, named } from '../../../daemon/guard/attacks/attack.ts';
import { attacksOf } from '../../../daemon/guard/attacks/attacks.ts';
import type { Engine } from '../../../shared/engine.ts';
import type { StatementGroup } from './group.ts';

const fixtureNames: Readonly<Record<AttackName, string>> = {
  table: 't',
  other: 'u',
  column: 'v',
  key: 'id',
  text: 'name',
  index: 't_pkey',
  view: 'vw',
  sequence: 's',
  schema: 'public',
  database: 'adv',
  role: 'advowner',
};

export function publishedAttacks(engine: Engine): readonly StatementGroup[] {
  return attacksOf[engine].map(({ kind: _, statements, ...group }) => ({
    ...group,
    walls: 'measured',
    statements: statements.map(statement => named(statement, fixtureNames) ?? statement),
  }));
}
