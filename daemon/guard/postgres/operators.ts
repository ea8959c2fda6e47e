/**
 * The operators that a node of the tree applies, also those that a word stands for: BETWEEN, IN,
 * CASE, USING.
 */

import { type Fields, listOf, nameParts, textOf } from './tree.ts';

/** Every operator in `pg_catalog`, versions 12 to 18. */
export const builtInOperators: ReadonlySet<string> = new Set(
  `! !! !~ !~* !~~ !~~* # ## #- #> #>> % & && &< &<| &> &>| @@@ * *< *<= *<> *= *> *>= + - -> ->> -|- / < <-> << <<= <<| <=
   <> <@ <^ = > >= >> >>= >^ ? ?# ?& ?- ?-| ?| ?|| @ @-@ @> @? @@ ^ ^@ | |&> |/ |>> || ||/ ~ ~* ~<=~ ~<~ ~= ~>=~ ~>~ ~~ ~~*
   != @#@ <?> <#> %% ~<> |`.split(/\s+/),
);

type Operator = readonly string[];

const equals: Operator = ['='];

/** The tree names such a node BETWEEN, which is no operator. */
function ofBetween(kind: string): readonly Operator[] | null {
  if (kind === 'AEXPR_BETWEEN' || kind === 'AEXPR_BETWEEN_SYM') return [['>='], ['<=']];
  if (kind.includes('BETWEEN')) return [['<'], ['>']];
  return null;
}

/** @returns names as their parts, outermost first. */
export function operatorsOf(tag: string, fields: Fields): readonly Operator[] {
  switch (tag) {
    case 'A_Expr':
      return ofBetween(textOf(fields.kind)) ?? [nameParts(fields.name)];
    case 'SubLink':
      return fields.operName === undefined ? [equals] : [nameParts(fields.operName)];
    case 'SortBy':
      return [nameParts(fields.useOp)];
    case 'CaseExpr':
      return fields.arg === undefined ? [] : [equals];
    case 'JoinExpr':
      return fields.isNatural === true || listOf(fields.usingClause).length > 0 ? [equals] : [];
    default:
      return [];
  }
}
