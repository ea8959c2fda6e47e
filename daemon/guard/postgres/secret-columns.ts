/**
 * Whether a statement may show a secret column of a catalog whose other columns are harmless: the
 * password in a subscription, the options of a user mapping, the sampled values of any table in
 * `pg_stats`.
 */

import type { QualifiedName } from '../types.ts';
import { harmlessStars } from './stars.ts';
import { secretColumnsOf, secretsOf } from './system-catalogs.ts';
import { type Fields, fieldsOf, nameParts, textOf } from './tree.ts';
import { forbidden, type Verdict } from './verdict.ts';

export class SecretColumns {
  private readonly relations = new Map<string, ReadonlySet<string>>();
  /** Bare names that may stand for a whole row of such a relation. */
  private readonly rows = new Set<string>();
  private readonly used = new Set<string>();
  /** `ColumnRef`s with a star that includes no column of such a relation. */
  private readonly harmless = new Set<Fields>();
  private showsAll = false;

  /** @param node a `RangeVar`. */
  noteRelation(relation: QualifiedName, node: Fields): void {
    const columns = secretColumnsOf(relation);
    if (columns === null) return;
    this.relations.set(secretsOf(relation), columns);
    const alias = fieldsOf(node.alias);
    this.rows.add(relation.name);
    this.rows.add(textOf(alias.aliasname));
    if (alias.colnames !== undefined) this.showsAll = true;
  }

  /** `table_to_xml` shows all columns without naming any. */
  noteEveryColumn(): void {
    this.used.add('*');
  }

  /**
   * A join has a row of its own, may rename columns, and compares those that USING or NATURAL
   * names.
   */
  noteJoin(join: Fields): void {
    for (const alias of [join.alias, join.join_using_alias]) this.rows.add(textOf(fieldsOf(alias).aliasname));
    if (fieldsOf(join.alias).colnames !== undefined) this.showsAll = true;
    for (const name of nameParts(join.usingClause)) this.used.add(name);
    if (join.isNatural === true) this.used.add('*');
  }

  /** @param select any node: a SELECT on one side of a UNION has no tag. */
  noteSelect(tag: string, select: Fields): void {
    if (tag === 'SelectStmt' || tag === '') for (const star of harmlessStars(select)) this.harmless.add(star);
  }

  /** `s.*` shows what `s` shows. */
  noteColumn(columnRef: Fields): void {
    if (!this.harmless.has(columnRef)) this.used.add(nameParts(columnRef.fields).at(-1) ?? '*');
  }

  noteCall(name: string): void {
    this.used.add(name);
  }

  verdicts(): readonly Verdict[] {
    return [...this.relations]
      .filter(([, columns]) => this.showsAll || [...this.used].some(name => this.isShownBy(name, columns)))
      .map(([what]) => forbidden(`${what}; name the other columns that are wanted.`));
  }

  private isShownBy(name: string, columns: ReadonlySet<string>): boolean {
    return name === '*' || columns.has(name) || this.rows.has(name);
  }
}
