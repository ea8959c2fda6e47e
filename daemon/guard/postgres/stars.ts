/**
 * Which stars of a SELECT show no column of a relation with secrets. `*` is what the SELECT's own
 * FROM lists, and `x.*` is what is called `x` there. A subquery in FROM gives what it selects, and
 * a function what it takes; each is looked at where it stands.
 */

import { relationName } from './changing-nodes.ts';
import { secretColumnsOf } from './system-catalogs.ts';
import { type Fields, fieldsOf, listOf, nameParts, taggedNode, textOf } from './tree.ts';

interface Listed {
  /** For a join: the name of the whole, which hides the names in it. */
  readonly name: string;
  readonly isHarmless: boolean;
}

/** @returns the `ColumnRef`s. */
export function harmlessStars({ targetList, fromClause }: Fields): readonly Fields[] {
  if (fromClause === undefined) return [];
  const stars = listOf(targetList).flatMap(target => {
    const column = taggedNode(fieldsOf(taggedNode(target)?.fields).val);
    const isStar = column?.tag === 'ColumnRef' && taggedNode(listOf(column.fields.fields).at(-1))?.tag === 'A_Star';
    return isStar ? [column.fields] : [];
  });
  if (stars.length === 0) return [];
  const listed = listedIn(fromClause);
  return stars.filter(({ fields }) => {
    const [name, ...more] = nameParts(fields);
    if (more.length > 0) return false;
    const meant = name === undefined ? listed : listed.filter(each => each.name === name);
    return meant.length > 0 && meant.every(({ isHarmless }) => isHarmless);
  });
}

function listedIn(fromClause: unknown): readonly Listed[] {
  const found: Listed[] = [];
  const pending = [...listOf(fromClause)];
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    const node = taggedNode(item);
    const alias = textOf(fieldsOf(node?.fields.alias).aliasname);
    if (node?.tag === 'RangeVar') {
      const relation = relationName(node.fields);
      found.push({ name: alias || relation.name, isHarmless: secretColumnsOf(relation) === null });
    } else if (node?.tag === 'RangeSubselect' || node?.tag === 'RangeFunction')
      found.push({ name: alias, isHarmless: true });
    else if (node?.tag === 'JoinExpr' && alias === '' && node.fields.join_using_alias === undefined)
      pending.push(node.fields.larg, node.fields.rarg);
    else found.push({ name: alias, isHarmless: false });
  }
  return found;
}
