/** Statements of one engine that have a class, and all else that is claimed of them, in common. */

import type { StatementClass } from '../../../daemon/guard/types.ts';

export interface StatementGroup {
  readonly class: StatementClass;
  /**
   * `execution`: nothing before it runs can tell, and no class is expected. `text` where left out.
   */
  readonly decidedBy?: 'catalog' | 'execution';
  /**
   * Its objects stand in `test/sql/fixture-*.sql`, and it is thrown at the walls too. `measured`:
   * what the engine's wall alone lets through of them is named in `test/walls/gaps.ts` and counted
   * in `docs/walls.md`.
   */
  readonly walls?: 'measured' | 'held';
  /** A write by its text, which the rows that it changes stop before its COMMIT. */
  readonly isCounted?: true;
  /** Grammar of one server only. */
  readonly flavor?: 'mysql' | 'mariadb';
  readonly statements: readonly string[];
}
