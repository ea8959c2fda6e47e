/**
 * What SQLite's functions and table-valued functions do (lang_corefunc.html, and the extensions
 * that its shell loads).
 */

/** Functions that load code, reach files or forge pointers. */
export const forbiddenFunctions: ReadonlyMap<string, string> = new Map([
  ['load_extension', 'loads native code'],
  ['readfile', 'reads files of this machine'],
  ['writefile', 'writes files of this machine'],
  ['edit', 'starts a program on this machine'],
  ['fsdir', 'lists folders of this machine'],
  ['lsmode', 'looks at files of this machine'],
  ['realpath', 'looks at files of this machine'],
  ['zipfile', 'reads files of this machine'],
  ['fts3_tokenizer', 'takes pointers to code'],
  ['eval', 'runs SQL from a string'],
  ['exec', 'runs SQL from a string'],
  ['sqlite_readint32', 'reaches memory'],
  ['sqlite_rename_column', 'edits the schema'],
  ['sqlite_rename_table', 'edits the schema'],
  ['sqlite_rename_test', 'edits the schema'],
  ['sqlite_rename_quotefix', 'edits the schema'],
  ['sqlite_drop_column', 'edits the schema'],
  ['sqlite_add_constraint', 'edits the schema'],
  ['sqlite_attach', 'opens files'],
  ['sqlite_detach', 'changes the session'],
  ['shell_add_schema', 'belongs to a client program'],
  ['shell_module_schema', 'belongs to a client program'],
  ['sqlite_dbpage', 'reaches raw pages'],
  ['sqlite_dbdata', 'reaches raw pages'],
  ['sqlite_dbptr', 'reaches raw pages'],
  ['bytecode', 'prepares SQL from a string'],
  ['tables_used', 'prepares SQL from a string'],
  ['sha3_query', 'runs SQL from a string'],
  ['sha1_query', 'runs SQL from a string'],
  ['define', 'makes code of a string'],
  ['define_free', 'drops code'],
  ['undefine', 'drops code'],
  ['fileio_read', 'reads files of this machine'],
  ['fileio_scan', 'reads files of this machine'],
  ['fileio_write', 'writes files of this machine'],
  ['fileio_append', 'writes files of this machine'],
  ['fileio_mkdir', 'writes files of this machine'],
  ['fileio_symlink', 'writes files of this machine'],
  ['fileio_mode', 'looks at files of this machine'],
  ['fileio_ls', 'lists folders of this machine'],
  ['lsdir', 'lists folders of this machine'],
]);

/**
 * Those of the functions that are tables without being made or called. As a column's name, they are
 * as good as any.
 */
export const forbiddenTables = new Set([
  'fsdir',
  'lsdir',
  'zipfile',
  'bytecode',
  'tables_used',
  'fileio_ls',
  'fileio_scan',
  'sqlite_dbpage',
  'sqlite_dbdata',
  'sqlite_dbptr',
]);

/**
 * Tables that SQLite makes of modules, unless the file has one of the name. Then each program finds
 * that one instead.
 */
export const moduleTables: ReadonlySet<string> = new Set([
  ...forbiddenTables,
  'dbstat',
  'generate_series',
  'json_each',
  'json_tree',
  'jsonb_each',
  'jsonb_tree',
]);

/**
 * Virtual table modules that stay within the file. Any other is unknown code or reaches outside.
 */
export const harmlessModules = new Set([
  'fts3',
  'fts4',
  'fts5',
  'fts5vocab',
  'fts4aux',
  'fts3tokenize',
  'rtree',
  'rtree_i32',
  'geopoly',
  'dbstat',
  'spellfix1',
  'closure',
  'vec0',
]);

/**
 * Functions that are built in, or in extensions that everybody compiles in. No catalog needs to be
 * asked.
 */
export const builtInFunctions = new Set(
  `abs acos acosh asin asinh atan atan2 atanh avg bm25 ceil ceiling changes char coalesce concat concat_ws cos cosh count
   cume_dist current_date current_time current_timestamp date datetime decimal degrees dense_rank exp first_value floor format fts5 fts5_get_locale fts5_insttoken fts5_locale fts5_source_id generate_series
   geopoly_area geopoly_bbox geopoly_blob geopoly_ccw geopoly_contains_point geopoly_debug geopoly_group_bbox geopoly_json geopoly_overlap
   geopoly_regular geopoly_svg geopoly_within geopoly_xform glob group_concat hex highlight if ifnull iif instr json
   json_array json_array_insert json_array_length json_each json_error_position json_extract json_group_array
   json_group_object json_insert json_object json_patch json_pretty json_quote json_remove json_replace json_set json_tree
   json_type json_valid jsonb jsonb_array jsonb_array_insert jsonb_each jsonb_extract jsonb_group_array jsonb_group_object
   jsonb_insert jsonb_object jsonb_patch jsonb_remove jsonb_replace jsonb_set jsonb_tree julianday lag last_insert_rowid
   last_value lead length like likelihood likely ln log log10 log2 lower ltrim match matchinfo max median min
   mod nth_value ntile nullif octet_length offsets optimize percent_rank percentile percentile_cont percentile_disc pi pow
   power printf quote radians random randomblob rank regexp replace round row_number rtreecheck rtreedepth rtreenode rtrim
   sign sin sinh snippet soundex sqlite_compileoption_get sqlite_compileoption_used sqlite_log sqlite_offset
   sqlite_source_id sqlite_version sqrt strftime string_agg subtype substr substring subtype sum tan tanh time timediff
   total total_changes trim trunc typeof unhex unicode unistr unistr_quote unixepoch unknown unlikely upper zeroblob`.split(
    /\s+/,
  ),
);

/** Words that stand before a parenthesis and aren't a function's name. */
export const notFunctions = new Set(
  `all and any as between by case cast check collate columns conflict constraint cross default delete desc distinct do else
   end escape except exists filter following for foreign from group having in index inner insert intersect into is isnull
   join key left limit materialized natural not notnull nothing null of offset on or order outer over partition preceding
   primary raise range recursive references returning right row rows select set table temp temporary then to union unique
   update using values view virtual when where window with within without abort fail ignore rollback generated always
   stored asc add column rename drop indexed explain query plan begin trigger after before instead each`.split(/\s+/),
);
