/** What a statement leaves for the catalog to settle. */

import type { QualifiedName } from '../classification.ts';

/** A call with what the catalog needs to tell overloads apart. */
export interface Call extends QualifiedName {
  readonly argumentCount: number;
}

export interface CatalogQuestion {
  /** Calls that nothing but the catalog can settle. */
  readonly calls: readonly Call[];
  /** Operators that no built-in list holds. */
  readonly operators: readonly QualifiedName[];
  /** Calls by a built-in's bare name: they matter only where a user's function shares it for other argument types. */
  readonly overloads: readonly Call[];
  /** Fields as in `t.f`: a function call with the row where `t` has no column `f`. */
  readonly attributes: readonly string[];
  /** True where FROM holds a function: its "row" may be a plain value, so that `x.f` calls any function of one argument. */
  readonly hasFunctionAsTable: boolean;
}
