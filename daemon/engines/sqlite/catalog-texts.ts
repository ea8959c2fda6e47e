/**
 * Names of an SQLite file's tables, views and columns, and the comments in their definitions: two
 * queries.
 */

import { answering } from '../answering.ts';
import { type Answer, type CatalogText, mostCatalogTexts } from '../engine.ts';
import { commentsIn } from './describe/comments.ts';
import { type LookUp, text } from './look-up.ts';
import { kinds, schemaOf, visible } from './schema.ts';

export function catalogTexts(lookUp: LookUp, schemaName: string | null): Promise<Answer<readonly CatalogText[]>> {
  const schema = schemaOf(schemaName);
  return answering(async () => {
    const tables = await lookUp(
      `select t.name, t.type, s.sql from temp.pragma_table_list as t
       left join ${schema}.sqlite_schema as s on s.name = t.name and s.type in ('table', 'view')
       where ${visible} order by t.name`,
      schema,
    );
    // A broken view, or a missing module, fails the whole query; then the definitions are searched
    // instead.
    const columns = await lookUp(
      `select t.name, x.name from temp.pragma_table_list as t join temp.pragma_table_xinfo(t.name, t.schema) as x
       where ${visible} and t.type = 'table' and x.hidden <> 1 order by t.name, x.cid limit ${mostCatalogTexts}`,
      schema,
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
    const ofColumns = columns.flatMap(([table, name]): CatalogText[] => {
      const of = objects.get(text(table));
      if (of === undefined) return [];
      const { comments: _, sql: __, ...object } = of;
      return [{ ...object, column: text(name), isComment: false, text: text(name) }];
    });
    return [...own, ...ofColumns].slice(0, mostCatalogTexts);
  });
}
