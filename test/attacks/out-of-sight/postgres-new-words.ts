/**
 * Words of PostgreSQL 17's grammar that an older server looks up by its path: functions, types and
 * views of such names that read what is hidden.
 */

/** @param read a SELECT of one text that no client may see. */
export const wordsThat = (read: string): string => {
  const text = `'${read.replaceAll("'", "''")}'`;
  const of = (name: string, parameters: string): string =>
    `create function public.${name}(${parameters}) returns text language sql stable as ${text};`;
  return `
${of('json_scalar', 'int')} ${of('json_value', 'text, text')} ${of('json_query', 'text, text')}
${of('json_exists', 'text, text')} ${of('json_array', 'int')} ${of('json_array', '')} ${of('json_serialize', 'text')}
${of('json_object', 'int')} ${of('json_object', '')} ${of('json_arrayagg', 'int')} ${of('json', 'int')} ${of('merge_action', '')}
create function public.through_word() returns text language sql stable as 'select json_scalar(1)';
create function public.default_word() returns text language plpgsql stable as $$ declare b text := json_scalar(1); begin return b; end $$;
create type public.word as (w text);
create function public.row_word() returns text language plpgsql stable as
  $$ declare r public.word := row(json_scalar(1)); begin return r.w; end $$;
${of('source', 'int')}
create function public.row_source() returns text language plpgsql stable as
  $$ declare r public.word := row(source(1)); begin return r.w; end $$;
create view public.system_user as ${read};`;
};

export const words: readonly string[] = [
  'select json_scalar(1)',
  'select * from json_scalar(1)',
  'select x.* from (values (1)) v(i), lateral json_scalar(v.i) x',
  'select case when true then json_scalar(1) end union select 2::text order by 1 desc',
  'select coalesce(null, json_scalar(1), json_scalar(2))',
  "select json_value('1', '$')",
  "select * from json_value('1', '$')",
  "select json_query('1', '$')",
  "select json_exists('1', '$')",
  'select json_array(1)',
  'select json_array()',
  "select json_serialize('1')",
  'select json_object(1)',
  'select pg_catalog.length(json_object(1)), json_object(2)',
  'select json_object()',
  'select json_arrayagg(1)',
  'select json(1)',
  'select merge_action()',
  'select through_word()',
  'select default_word()',
  'select row_word()',
  // A word of every grammar, which may name a function.
  'select row_source()',
  'select * from system_user',
];
