/** Whether a statement may show `pg_subscription.subconninfo`, which holds passwords; the catalog's other columns are harmless. */

import type { QualifiedName } from '../classification.ts';
import { isSubscriptionCatalog, isSubscriptionColumn } from './system-catalogs.ts';
import { type Fields, listOf, nameParts } from './tree.ts';
import { forbidden, type Verdict } from './verdict.ts';

export class SubscriptionWatch {
  private isRead = false;
  private mayShow = false;

  noteRelation(relation: QualifiedName, renamesColumns: boolean): void {
    if (isSubscriptionCatalog(relation)) this.isRead = true;
    if (renamesColumns) this.mayShow = true;
  }

  noteColumn(columnRef: Fields): void {
    const parts = nameParts(columnRef.fields);
    const isStar = parts.length < listOf(columnRef.fields).length;
    const name = parts.at(-1) ?? '';
    // A bare name may be an alias, which stands for the whole row.
    if (isStar || name === 'subconninfo' || (parts.length === 1 && !isSubscriptionColumn(name))) this.mayShow = true;
  }

  verdict(): Verdict | null {
    return this.isRead && this.mayShow
      ? forbidden('pg_subscription.subconninfo holds passwords; name the other columns that are wanted.')
      : null;
  }
}
