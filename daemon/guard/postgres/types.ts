/** A classification with what is left to ask the catalog. Plain data. */

import { worded } from '../reason.ts';
import type { Classification, QualifiedName } from '../types.ts';
import type { CatalogQuestion } from './question.ts';
import { outweighs, type Verdict } from './verdict.ts';

export interface PostgresClassification extends Classification {
  /**
   * What to look up (`catalog-lookup`) before the statement runs; null if no answer could change
   * the class.
   */
  readonly question: CatalogQuestion | null;
  /**
   * What the statement does to existing rows:
   * - `none`: nothing; an INSERT only adds rows;
   * - `named`: it is one change, and a `column = constant` may say which rows;
   * - `any`: anything.
   * For a foreign table, nothing but the server's own count of that one change is known.
   */
  readonly rows: 'none' | 'named' | 'any';
  /** Foreign tables that the statement, or code behind it, writes to. */
  readonly foreign: readonly { readonly name: string; readonly rollsBack: boolean }[];
  /** What was asked, including `question`, so nothing is asked twice. */
  readonly asked: readonly string[];
  /** True if another role that may read everything could get another answer. */
  readonly dependsOnRole: boolean;
  /**
   * True if a function behind it sets its own search path. Functions that it calls run under that
   * path, too.
   */
  readonly bendsPath: boolean;
  /** True if the statement makes a view. */
  readonly makesView: boolean;
  readonly isCall: boolean;
  /** As in `Walk`. */
  readonly defines: readonly QualifiedName[] | null;
}

/**
 * The classification raised to the heaviest finding, if that weighs more. A forbidden one leaves
 * nothing to ask.
 */
export function raisedBy(classification: PostgresClassification, findings: readonly Verdict[]): PostgresClassification {
  let found = classification;
  for (const { class: other, reason } of findings) {
    if (!outweighs(other, found.class)) continue;
    found = { ...found, class: other, ...worded(reason), isUnboundedDml: false };
  }
  return found;
}
