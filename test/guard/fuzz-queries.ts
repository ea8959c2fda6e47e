/**
 * Generates queries from the grammars of PostgreSQL and MariaDB, some with a call that acts in one
 * place.
 */

import fc from 'fast-check';

export interface GrownQuery {
  readonly sql: string;
  /** The inserted call that acts; null if there is none. */
  readonly act: string | null;
}

/** Calls that change something, or reveal what nobody may know, when they are evaluated. */
export const postgresActs = fc.constantFrom(
  "nextval('s')",
  "setval('s', 9)",
  `pg_catalog . "nextval" ('s')`,
  "nextval(regclass => 's')",
  "('s'::regclass).nextval",
  'U&"next\\0076al"(\'s\')',
  'pg_try_advisory_lock(1)',
  'lo_create(0)',
  'lo_unlink(4242)',
  "set_config('work_mem', '1MB', true)",
  "pg_read_file('PG_VERSION')",
  "pg_notify('c', 'x')",
  "query_to_xml('table pg_shadow', true, false, '')::text",
  '(select pg_current_xact_id() from t for update limit 1)::text',
);

export const mysqlActs = fc.constantFrom(
  'NEXTVAL(s)',
  'NEXT VALUE FOR s',
  'NEXT/**/VALUE\nFOR adv.s',
  'SETVAL(s, 900)',
  "GET_LOCK('x', 0)",
  "get_lock /* c */ ('x', 0)",
  "LOAD_FILE('/etc/hostname')",
  '`LOAD_FILE`(1)',
);

/** Picks calls that act and puts one in the place of a column. */
function planted(query: fc.Arbitrary<string>, act: fc.Arbitrary<string | null>): fc.Arbitrary<GrownQuery> {
  return fc.tuple(query, act, fc.nat(1000)).map(([sql, chosen, place]) => {
    if (chosen === null) return { sql, act: null };
    const holes = [...sql.matchAll(/(?<![.@'"`\w[])(?:v|1|name)(?![.'"`\w(])/g)];
    const hole = holes[place % Math.max(1, holes.length)];
    if (hole === undefined) return { sql: `select ${chosen}`, act: chosen };
    return { sql: sql.slice(0, hole.index) + chosen + sql.slice(hole.index + hole[0].length), act: chosen };
  });
}

const mysqlTelling = [
  'show tables',
  "show full columns from t like 'n%'",
  "show variables where variable_name = 'x'",
  'desc t',
  'show create table t',
  "help 'select'",
  'show collation',
  'show engines',
  'show status',
  'checksum table t',
  'select * from t procedure analyse()',
];

type Grown = { expression: string; query: string; table: string; order: string; window: string };

export function postgresQueries(act: fc.Arbitrary<string | null>): fc.Arbitrary<GrownQuery> {
  const deep = { maxDepth: 3, depthIdentifier: 'sql' };
  const { query } = fc.letrec<Grown>(tie => {
    const e = tie('expression');
    const q = tie('query');
    return {
      expression: fc.oneof(
        deep,
        fc.constantFrom(
          'v',
          'id',
          't.v',
          'v::text',
          '1',
          '1.5e3',
          "'x'",
          "E'\\\\n'",
          "U&'\\0061'",
          '$$;x$$',
          "B'1'",
          'null',
          'true',
          'a[1]',
          "j->'k'",
          '(t).v',
          'current_date',
          'localtimestamp',
          "date '2020-01-01'",
          "interval '1 day'",
        ),
        fc
          .tuple(e, fc.constantFrom('+', '-', '=', '<>', '<', 'is distinct from', 'operator(pg_catalog.+)'), e)
          .map(([a, o, b]) => `(${a} ${o} ${b})`),
        fc.tuple(e, fc.constantFrom('and', 'or')).map(([a, o]) => `((${a}) is not null ${o} not true)`),
        fc
          .tuple(
            fc.constantFrom(
              'coalesce',
              'greatest',
              'nullif',
              'concat',
              'row',
              'num_nulls',
              'jsonb_build_array',
              'pg_catalog.concat',
              'format_type',
            ),
            e,
            e,
          )
          .map(([f, a, b]) => `${f}(${a}, ${b})`),
        fc
          .tuple(fc.constantFrom('count', 'max', 'array_agg', 'string_agg', 'bool_or'), e)
          .map(
            ([f, a]) =>
              `(select ${f === 'string_agg' ? `string_agg(distinct (${a})::text, ','` : f === 'bool_or' ? `bool_or((${a}) is null` : `${f}(${a} order by ${a}`}) filter (where (${a}) is not null) from t)`,
          ),
        fc
          .tuple(e, e)
          .map(
            ([a, b]) =>
              `case when (${a}) is null then 1 when true then (select 2) else 3 end + case 1 when 2 then length((${b})::text) end`,
          ),
        e.map(a => `cast(${a} as text)`),
        e.map(a => `(array[${a}])[1]`),
        e.map(a => `(array(select ${a} from u))[1:2]`),
        e.map(
          a =>
            `extract(year from now()) + length(substring((${a})::text from 1 for 2)) + length(trim(both 'x' from (${a})::text))`,
        ),
        e.map(a => `xmlforest(${a} as z)::text || overlay('abc' placing (${a})::text from 1)`),
        e.map(a => `(${a}) in (select v from t)`),
        e.map(a => `(${a}) = any (array[${a}])`),
        e.map(a => `(${a})::text between 'a' and 'b'`),
        e.map(a => `(${a})::text similar to 'x%' escape '!'`),
        fc.tuple(e, tie('window')).map(([a, w]) => `(select first_value(${a}) over ${w} from t limit 1)`),
        q.map(inner => `(select count(*) from (${inner}) z)`),
        q.map(inner => `exists (${inner})`),
      ),
      window: fc.oneof(
        deep,
        fc.constant('()'),
        e.map(a => `(partition by ${a} order by v rows between 1 preceding and current row exclude ties)`),
        e.map(a => `(order by ${a} nulls first groups 2 preceding)`),
      ),
      order: fc.oneof(
        deep,
        fc.constant(''),
        e.map(a => ` order by ${a} desc nulls last`),
        e.map(a => ` limit length((${a})::text)`),
        e.map(a => ` offset length((${a})::text) rows fetch first 3 rows only`),
      ),
      table: fc.oneof(
        deep,
        fc.constantFrom(
          't',
          'only t',
          't as t',
          'public.t',
          '"t"',
          't tablesample system (10) repeatable (1)',
          't, u',
          't join u on t_id = v',
          't natural join u',
          't left join u using (id)',
        ),
        e.map(a => `t, lateral (select ${a}) as l(x)`),
        e.map(a => `t, generate_series(1, length((${a})::text)) with ordinality as g(n, o)`),
        e.map(a => `t, rows from (unnest(array[${a}]), generate_series(1, 2)) as r(x, y)`),
        e.map(a => `t tablesample bernoulli (length((${a})::text))`),
        e.map(a => `t cross join (values (${a}), (null)) as w(x)`),
        q.map(inner => `t, (${inner}) as z`),
        e.map(a => `t join u on ((${a}) is null)`),
        e.map(a => `t, xmltable('/a' passing '<a/>'::xml columns x text path 'b' default (${a})::text) as x`),
      ),
      query: fc.oneof(
        { maxDepth: 4, depthIdentifier: 'sql' },
        fc.tuple(e, tie('table'), tie('order')).map(([a, from, order]) => `select ${a} from ${from}${order}`),
        fc.tuple(e, e).map(([a, b]) => `select distinct on (${a}) ${b} as "x;y" from t where (${a}) is not null`),
        fc
          .tuple(e, e)
          .map(
            ([a, b]) =>
              `select count(*) from t group by rollup (${a}), grouping sets ((), (${b})) having (${a}) is null`,
          ),
        fc.tuple(q, fc.constantFrom('union', 'union all', 'except', 'intersect')).map(([a, o]) => `(${a}) ${o} (${a})`),
        fc
          .tuple(q, fc.constantFrom('', 'materialized', 'not materialized'))
          .map(([inner, how]) => `with w as ${how} (${inner}) select count(*) from w, t`),
        e.map(
          a =>
            `with recursive r(n) as (select 1 union all select n + 1 from r where n < length((${a})::text) and n < 3) select n from r`,
        ),
        e.map(a => `values (${a}), (null)`),
        e.map(a => `select sum(v) over w, ${a} from t window w as (partition by v)`),
        fc.constantFrom('table t', 'select from t'),
      ),
    };
  });
  const statement = fc.oneof(
    { weight: 12, arbitrary: query },
    { weight: 1, arbitrary: query.map(inner => `explain ${inner}`) },
    { weight: 1, arbitrary: query.map(inner => `explain (analyze, costs off) ${inner}`) },
    { weight: 1, arbitrary: fc.constantFrom('show work_mem', 'show all') },
  );
  return planted(statement, act);
}

export function mysqlQueries(act: fc.Arbitrary<string | null>): fc.Arbitrary<GrownQuery> {
  const deep = { maxDepth: 3, depthIdentifier: 'sql' };
  const { query } = fc.letrec<Grown>(tie => {
    const e = tie('expression');
    const q = tie('query');
    return {
      expression: fc.oneof(
        deep,
        fc.constantFrom(
          'v',
          'id',
          't.v',
          '`v`',
          '1',
          '1.5',
          '.5',
          '1e3',
          "'x'",
          '"y"',
          "'it''s'",
          "N'x'",
          "_utf8mb4'x'",
          "_utf8mb4'x' collate utf8mb4_bin",
          "x'41'",
          '0x41',
          "b'1'",
          '0b1',
          'null',
          'true',
          '@x',
          '@@version',
          '@@session.sql_mode',
          '@@global.read_only',
          "date '2020-01-01'",
          "timestamp'2020-01-01 00:00:00'",
          'current_timestamp',
          'now(6)',
          'utc_date()',
          'lastval(s)',
          'previous value for s',
          'database()',
          'connection_id()',
          "'a' 'b'",
        ),
        fc
          .tuple(
            e,
            fc.constantFrom(
              '+',
              '-',
              '*',
              '/',
              'div',
              'mod',
              '%',
              '=',
              '<=>',
              '<>',
              '!=',
              '<',
              '&',
              '|',
              '^',
              '<<',
              'and',
              'or',
              'xor',
              '&&',
              '||',
              'like',
              'rlike',
              'regexp',
              'sounds like',
              'is not',
              'not like',
            ),
            e,
          )
          .map(([a, o, b]) => (o === 'is not' ? `(${a} is not null)` : `(${a} ${o} ${b})`)),
        fc
          .tuple(
            fc.constantFrom(
              'coalesce',
              'greatest',
              'ifnull',
              'nullif',
              'concat',
              'json_array',
              'truncate',
              'left',
              'repeat',
              'mod',
              'strcmp',
              'find_in_set',
              'substr',
              'date_format',
              'json_extract',
              'insert_',
              'if_',
            ),
            e,
            e,
          )
          .map(([f, a, b]) =>
            f === 'insert_' ? `insert(${a}, 1, 1, ${b})` : f === 'if_' ? `if(${a}, ${b}, 0)` : `${f}(${a}, ${b})`,
          ),
        fc
          .tuple(
            fc.constantFrom(
              'abs',
              'lower',
              'hex',
              'md5',
              'year',
              'json_valid',
              'isnull',
              'char_length',
              'quote',
              'bin',
              'uuid_',
              'password',
              'values_',
            ),
            e,
          )
          .map(([f, a]) => (f === 'uuid_' ? 'uuid()' : f === 'values_' ? 'value(v)' : `${f}(${a})`)),
        e.map(a => `!(${a})`),
        e.map(a => `- (${a}) + ~(${a})`),
        e.map(a => `binary ${a}`),
        fc
          .tuple(
            e,
            fc.constantFrom(
              'signed',
              'unsigned integer',
              'char(3) character set utf8mb4',
              'decimal(10, 2)',
              'datetime(3)',
              'binary(4)',
              'double',
              'date',
            ),
          )
          .map(([a, type]) => `cast(${a} as ${type})`),
        e.map(a => `convert(${a}, char(5))`),
        e.map(a => `convert(${a} using utf8mb4)`),
        e.map(a => `char(65, ${a} using utf8mb4)`),
        e.map(a => `substring(${a} from 1 for 2)`),
        e.map(a => `trim(leading 'x' from ${a})`),
        e.map(a => `extract(year_month from ${a})`),
        e.map(a => `position('a' in ${a})`),
        e.map(a => `date_add(now(), interval ${a} day)`),
        e.map(a => `now() - interval (${a}) hour_minute`),
        e.map(a => `timestampdiff(month, now(), ${a})`),
        e.map(a => `weight_string(${a} as char(3))`),
        e.map(a => `(select group_concat(distinct ${a} order by ${a} desc separator ';') from t)`),
        e.map(a => `(select count(distinct ${a}, v) from t)`),
        fc.tuple(e, e).map(([a, b]) => `case when ${a} then 1 else ${b} end + case ${a} when 1 then 2 end`),
        fc.tuple(e, e).map(([a, b]) => `(${a} between 1 and ${b})`),
        fc.tuple(e, e).map(([a, b]) => `(${a} in (1, ${b}))`),
        e.map(a => `((${a}, 1) = row(1, 2))`),
        e.map(a => `(${a} like 'x!%' escape '!')`),
        e.map(a => `(${a} = any (select v from t))`),
        e.map(a => `((${a}) is unknown)`),
        fc.tuple(e, tie('window')).map(([a, w]) => `(select lag(${a}, 1) over ${w} from t limit 1)`),
        q.map(inner => `(select count(*) from (${inner}) z)`),
        q.map(inner => `exists (${inner})`),
        fc.constant("(select max(match (name) against ('x' in boolean mode)) from t)"),
      ),
      window: fc.oneof(
        deep,
        fc.constant('(order by id)'),
        e.map(a => `(partition by ${a} order by v)`),
      ),
      order: fc.oneof(
        deep,
        fc.constantFrom(
          '',
          ' limit 1',
          ' limit 1, 2',
          ' limit 2 offset 1',
          ' order by 1 limit 3',
          ' offset 1 rows fetch first 2 rows only',
          ' limit rows examined 1000',
        ),
        e.map(a => ` order by ${a} desc`),
      ),
      table: fc.oneof(
        deep,
        fc.constantFrom(
          't',
          't as x',
          '`adv`.`t`',
          'adv . t',
          't use index (ix)',
          't force index for order by (ix)',
          't ignore index (primary, ix)',
          't, u',
          't join u on t_id = v',
          't natural left join u',
          't straight_join u',
          't left outer join u using (id)',
          '(t, u)',
          '(t join u on true)',
          't cross join u',
          'dual',
          '{ oj t left outer join u on t_id = v }',
        ),
        e.map(a => `t join u on (${a} = 1)`),
        q.map(inner => `t, (${inner}) as z`),
        e.map(
          a =>
            `t, json_table('[1]', '$[*]' columns (n for ordinality, x int path '$' default '0' on empty)) as j where ${a} is null`,
        ),
        e.map(a => `(values (1, 2), (3, 4)) as w where ${a}`),
      ),
      query: fc.oneof(
        { maxDepth: 4, depthIdentifier: 'sql' },
        fc.tuple(e, tie('table'), tie('order')).map(([a, from, order]) => `select ${a} from ${from}${order}`),
        fc
          .tuple(
            fc.constantFrom(
              'distinct',
              'all',
              'high_priority',
              'sql_no_cache',
              'sql_calc_found_rows',
              'straight_join',
              'distinctrow',
              'sql_big_result',
            ),
            e,
            e,
          )
          .map(([how, a, b]) => `select ${how} ${a} as \`x;y\` from t where ${b}`),
        fc.tuple(e, e).map(([a, b]) => `select count(*) c from t group by ${a} with rollup having c > ${b}`),
        fc.tuple(e, e).map(([a, b]) => `select ${a} 'alias', ${b} as "other" from t -- x\n where 1 # y`),
        fc
          .tuple(q, fc.constantFrom('union', 'union all', 'except', 'intersect', 'union distinct'))
          .map(([a, o]) => `(${a}) ${o} (${a})`),
        fc.tuple(e, e).map(([a, b]) => `select ${a} union select ${b} order by 1 limit 2`),
        q.map(inner => `with w as (${inner}) select count(*) from w, t`),
        e.map(
          a =>
            `with recursive r(n) as (select 1 union all select n + 1 from r where n < 3 and n < ${a}) select n from r`,
        ),
        e.map(a => `select ${a}`),
        e.map(
          a =>
            `select sum(v) over w, ${a} from t window w as (partition by v rows between 1 preceding and unbounded following)`,
        ),
        fc.constant('values (1, 2), (3, 4)'),
      ),
    };
  });
  const statement = fc.oneof(
    { weight: 24, arbitrary: query },
    { weight: 1, arbitrary: query.map(inner => `explain format=json ${inner}`) },
    { weight: 1, arbitrary: query.map(inner => `explain extended ${inner}`) },
    { weight: 1, arbitrary: query.map(inner => `analyze ${inner}`) },
    { weight: 1, arbitrary: fc.constantFrom(...mysqlTelling) },
  );
  return planted(statement, act);
}
