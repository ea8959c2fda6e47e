/** Statements of one engine with a common class and other common claims. */

import type { StatementClass } from '../../../daemon/guard/types.ts';

export interface StatementGroup {
  readonly class: StatementClass;
  /** `execution`: it can't be known before the run, so no class is expected. Default: `text`. */
  readonly decidedBy?: 'catalog' | 'execution';
  /**
   * The walls are tested with it too; its objects are in `test/sql/fixture-*.sql`. `measured`: the
   * engine's wall alone lets some of it through; `test/walls/gaps.ts` lists them and
   * `docs/walls.md` counts them.
   */
  readonly walls?: 'measured' | 'held';
  /** A write by its text, which its changed rows, or what it defined, stop before its COMMIT. */
  readonly isCounted?: true;
  /** Grammar of one server only. */
  readonly flavor?: 'mysql' | 'mariadb';
  readonly statements: readonly string[];
}
