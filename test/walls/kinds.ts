/** The published attacks of one engine by kind, as docs/walls.md counts them. */

import { attacksOf } from '../../daemon/guard/attacks/attacks.ts';
import type { Engine } from '../../shared/engine.ts';
import { type AttackKind, attackKinds } from '../../shared/proof-codes.ts';
import { publishedAttacks } from '../guard/statements/published.ts';
import { statementsFor, type WallStatement } from './statements.ts';

/** By kind, in the page's order; on MariaDB without those of MySQL alone. */
export function judgedByKind(engine: Engine): ReadonlyMap<AttackKind, readonly WallStatement[]> {
  const kindOf = new Map(
    publishedAttacks(engine).flatMap(({ statements }, at) =>
      statements.map(sql => [sql, attacksOf[engine][at]?.kind] as const),
    ),
  );
  const judged = statementsFor(engine).filter(({ sql, flavor }) => kindOf.has(sql) && flavor !== 'mysql');
  return new Map(attackKinds.map(kind => [kind, judged.filter(({ sql }) => kindOf.get(sql) === kind)]));
}
