/** The catalog's answer to a question, as `catalog-lookup` gives it. Plain data. */

import type { QualifiedName } from '../types.ts';

export interface RelationFact extends QualifiedName {
  readonly schema: string;
  /** `pg_class.relkind`. */
  readonly kind: string;
  readonly role: 'read' | 'changed';
  /** The query of a user's view. */
  readonly definition: string | null;
  /**
   * Expressions that may run when the relation is used: of policies, indexes, checks, generated
   * columns.
   */
  readonly expressions: readonly string[];
  /** True for a foreign table whose rows come from a program of the server. */
  readonly runsProgram: boolean;
  /** True for a foreign table of postgres_fdw, which ends its transaction as ours ends. */
  readonly rollsBack: boolean;
  readonly rowSecurity: boolean;
}

export interface FunctionFact extends QualifiedName {
  readonly schema: string;
  readonly argumentCount: number;
  /** `pg_proc.prokind`. */
  readonly kind: string;
  readonly language: string;
  readonly volatile: boolean;
  readonly immutable: boolean;
  /** True if every role may call it, and it changes no setting but the search path. */
  readonly forAll: boolean;
  readonly ofExtension: boolean;
  /** Its own `search_path=…`. */
  readonly path: string | null;
  /** For a function in the language internal: the built-in function that it is. */
  readonly source: string | null;
  /** For a user's function in SQL or PL/pgSQL: its CREATE FUNCTION. */
  readonly definition: string | null;
}

/** The answer to a question. */
export interface PostgresCatalog {
  readonly relations: readonly RelationFact[];
  /** The checks of the domains that values may be made of. */
  readonly checks: readonly string[];
  /** The defaults of those domains, if the statement changes a table. */
  readonly defaults: readonly string[];
  readonly functions: readonly FunctionFact[];
  /** True if some role may not call one of the built-in functions that were asked about. */
  readonly withheld: boolean;
  readonly hasSecretSettings: boolean;
}
