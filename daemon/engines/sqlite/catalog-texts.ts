/**
 * Names of an SQLite file's tables, views, columns, constraints and indexes, and the comments in
 * their definitions: three queries.
 */

import { answering } from '../answering.ts';
import { type Answer, type CatalogText, mostCatalogTexts } from '../engine.ts';
import { commentsIn } from './describe/comments.ts';
import { isComment, isWord, tokensOf, unquoted } from './describe/definition-tokens.ts';
import { type LookUp, text } from './look-up.ts';
import { isVisible, kinds, schemaOf } from './schema.ts';

export function catalogTexts(lookUp: LookUp, schemaName: string | null): Promise<Answer<readonly CatalogText[]>> {
  const schema = schemaOf(schemaName);
  return answering(async () => {
    const tables = await lookUp(
      `select t.name, t.type, s.sql from temp.pragma_table_list as t
       left join ${schema}.sqlite_schema as s on s.name = t.name and s.type in ('table', 'view')
       where ${isVisible} order by t.name`,
      schema,
    );
    // A broken view, or a missing module, fails the whole query; then the definitions are searched
    // instead.
    const columns = await lookUp(
      `select t.name, x.name from temp.pragma_table_list as t join temp.pragma_table_xinfo(t.name, t.schema) as x
       where ${isVisible} and t.type = 'table' and x.hidden <> 1 order by t.name, x.cid limit ${mostCatalogTexts}`,
      schema,
    );
    // An index without a definition belongs to a constraint.
    const indexes = await lookUp(
      `select s.tbl_name, s.name from ${schema}.sqlite_schema as s where s.type = 'index' and s.sql is not null order by s.name`,
    );
    const objects = new Map(
      tables.map(([name, type, sql]) => {
        const object = { schema, object: text(name), kind: kinds[text(type)] ?? 'other' };
        return [text(name), { ...object, objectComment: null, comments: commentsIn(text(sql)), sql: text(sql) }];
      }),
    );
    const own = [...objects.values()].flatMap(({ comments, sql, ...object }): CatalogText[] => [
      { ...object, column: null, isComment: false, text: object.object },
      ...comments.map(comment => ({ ...object, column: null, isComment: true, text: comment })),
      ...(object.kind !== 'table' ? [{ ...object, column: null, isComment: true, text: sql }] : []),
    ]);
    const namesOf = (table: string, names: readonly string[], what: Partial<CatalogText>): readonly CatalogText[] => {
      const of = objects.get(table);
      if (of === undefined) return [];
      const { comments: _, sql: __, ...object } = of;
      return names.map(name => ({ ...object, column: null, isComment: false, text: name, ...what }));
    };
    const ofColumns = columns.flatMap(([table, name]) => namesOf(text(table), [text(name)], { column: text(name) }));
    const ofParts = [
      ...[...objects].flatMap(([table, { sql }]) => namesOf(table, constraintsIn(sql), { part: 'constraint' })),
      ...indexes.flatMap(([table, name]) => namesOf(text(table), [text(name)], { part: 'index' })),
    ];
    return [...own, ...ofColumns, ...ofParts].slice(0, mostCatalogTexts);
  });
}

/** CONSTRAINT is a reserved word: outside quotes and comments it can be nothing else. */
function constraintsIn(definition: string): readonly string[] {
  const found = tokensOf(definition).filter(token => !isComment(token));
  return found.flatMap((token, at) => {
    const name = found[at + 1];
    return isWord(token, 'constraint') && name !== undefined ? [unquoted(name.text)] : [];
  });
}
