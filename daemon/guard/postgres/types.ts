/** A classification with what is left to ask the catalog. Plain data. */

import { worded } from '../reason.ts';
import type { Classification } from '../types.ts';
import type { CatalogQuestion } from './question.ts';
import { type Condition, outweighs, type Verdict } from './verdict.ts';

export interface PostgresClassification extends Classification {
  /**
   * What to look up (`catalog-lookup`) before it is run; null where no answer could change the
   * class.
   */
  readonly question: CatalogQuestion | null;
  /**
   * What it does to rows that are there: `none` but those that an INSERT adds; those that a
   * `column = constant` of the one change that it is may say (`named`); or `any`. Of a foreign
   * table nothing is known but the server's own count of that one change.
   */
  readonly rows: 'none' | 'named' | 'any';
  /** Foreign tables that it, or code behind it, writes to. */
  readonly foreign: readonly { readonly name: string; readonly rollsBack: boolean }[];
  /** What was asked, `question` included, so that nothing is asked twice. */
  readonly asked: readonly string[];
  /** True where another role that may read everything could be given another answer. */
  readonly dependsOnRole: boolean;
  /**
   * True where a function behind it sets its own search path, which functions that it calls run
   * under too.
   */
  readonly bendsPath: boolean;
  /** True where the statement makes a view. */
  readonly makesView: boolean;
  readonly isCall: boolean;
  /** What makes it destructive where the tables have rows. */
  readonly conditions: readonly Condition[];
  /** The query of CREATE OR REPLACE VIEW, as a node of the tree; null for any other statement. */
  readonly replacement: unknown;
}

/** With the heaviest of these, where that weighs more. A forbidden one leaves nothing to ask. */
export function raised(classification: PostgresClassification, findings: readonly Verdict[]): PostgresClassification {
  let found = classification;
  for (const { class: other, reason } of findings) {
    if (!outweighs(other, found.class)) continue;
    found = { ...found, class: other, ...worded(reason), isUnboundedDml: false };
  }
  return found;
}
