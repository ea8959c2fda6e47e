/**
 * The published attacks: what `sallyport prove` puts to a person's own database, and what
 * docs/walls.md counts on ours. Data alone; nothing of it is ever run by `prove`.
 */

import type { AttackKind } from '../../../shared/proof-codes.ts';
import type { StatementClass } from '../types.ts';

/** Attacks of one kind with a common class. */
export interface AttackGroup {
  readonly kind: AttackKind;
  readonly class: Exclude<StatementClass, 'read'>;
  /** `catalog`: it names stored code. `execution`: it can't be known before the run. */
  readonly decidedBy?: 'catalog' | 'execution';
  /** Grammar of one server only. */
  readonly flavor?: 'mysql' | 'mariadb';
  /** Names that only our own servers have stand as they are; see `AttackName` for the others. */
  readonly statements: readonly string[];
}

/**
 * Stands in braces in a statement. `table` and `other` are two tables, `column`, `key` and `text`
 * columns of the first.
 */
export type AttackName =
  | 'table'
  | 'other'
  | 'column'
  | 'key'
  | 'text'
  | 'index'
  | 'view'
  | 'sequence'
  | 'schema'
  | 'database'
  | 'role';

const placeholder = /\{([a-z]+)\}/g;

/** @returns null if a name is missing. */
export function named(statement: string, names: Readonly<Partial<Record<AttackName, string>>>): string | null {
  let isWhole = true;
  const sql = statement.replace(placeholder, (_, name: AttackName) => {
    isWhole &&= names[name] !== undefined;
    return names[name] ?? '';
  });
  return isWhole ? sql : null;
}
