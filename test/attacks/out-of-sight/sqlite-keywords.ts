/** SQLite's keywords as names beside a hidden table: most are allowed there without quotes. */

export const keywords =
  `abort action add after all alter always analyze and as asc attach autoincrement before begin between
by cascade case cast check collate column commit conflict constraint create cross current current_date current_time
current_timestamp database default deferrable deferred delete desc detach distinct do drop each else end escape except
exclude exclusive exists explain fail filter first following for foreign from full generated glob group groups having if
ignore immediate in index indexed initially inner insert instead intersect into is isnull join key last left like limit
match materialized natural no not nothing notnull null nulls of offset on or order others outer over partition plan pragma
preceding primary query raise range recursive references regexp reindex release rename replace restrict returning right
rollback row rows savepoint select set table temp temporary then ties to transaction trigger unbounded union unique update
using vacuum values view virtual when where window with within without`.split(/\s+/);

/** Statements that read `vault`, if SQLite takes them. */
export function besideAKeyword(word: string): readonly string[] {
  return [
    `select 1 from orders ${word}, vault`,
    `select 1 from orders as ${word}, vault`,
    `select 1 from ${word}, vault`,
    `select 1 from ${word} w, vault`,
    `select 1 from main.${word}, vault`,
    `select 1 from (${word}, vault)`,
    `select 1 from (${word} join (orders), vault)`,
    `select 1 from (orders) ${word}, vault`,
    `select 1 from (select 1) as ${word}, vault`,
    `select 1 from json_each('[1]') ${word}, vault`,
    `select 1 from orders ${word} indexed by orders_id, vault`,
    `select 1 from orders ${word} not indexed, vault`,
    `select 1 from orders ${word} join orders o on (1), vault`,
    `select 1 from orders join orders ${word} on (1), vault`,
    `select 1 from orders join orders ${word} using (id), vault`,
    `select 1 from orders ${word} natural join vault`,
    `select 1 from orders ${word} where id in vault`,
    `select 1 from (select 1 as ${word}) a join orders on ${word} like (1), vault`,
    `select 1 from (select 1 as ${word}) a join orders on ${word} in (1), vault`,
    `select 1 from (select 1 as ${word}) where ${word} is distinct from (select 1 from vault)`,
    `select ${word} is not distinct from 1 from (select 1 as ${word}), vault`,
    `select 1 ${word}, 2 from orders, vault`,
    `select 1 from orders ${word} window w as (order by 1) union select 1 from vault`,
    `with ${word} as (select 1 as id) select 1 from ${word}, vault`,
    `with ${word} as (select 1 as id) select 1 from ${word} w, vault`,
    `with ${word} as (select 1 as id) select 1 from (${word}, vault)`,
    `with a as materialized (select 1 from orders ${word}, vault) select * from a`,
    `select * from orders where id in (with ${word} as (select 1 as id) select 1 from ${word}, vault)`,
    `select 1 from orders, (with ${word}(x) as (select 1 as id), b as (select 1) select 1 from orders), vault`,
    `insert into orders as ${word} select vault.id from orders, vault`,
    `update orders as ${word} set id = 1 from orders o, vault`,
    `update ${word} set id = 1 from ${word} x, vault`,
    `delete from ${word} where id in vault`,
  ];
}
