/**
 * Words that MariaDB 10.11 or MySQL 9.7 refuse as an unquoted name of a table or column in some
 * common statement.
 */

import { wordsOf } from '../../dialect.ts';

export const reservedWords = wordsOf(`
  accessible add all alter analyze and as asc asensitive before between bigint binary bit_and bit_or bit_xor blob both by call cascade
  case cast change char character check collate column condition constraint continue convert count create cross cube cume_dist curdate
  current_date current_role current_time current_timestamp current_user cursor curtime database databases date_add date_sub day_hour
  day_microsecond day_minute day_second dec decimal declare default delayed delete delete_domain_id dense_rank desc describe
  deterministic distinct distinctrow div do_domain_ids double drop dual each else elseif empty enclosed escaped except exists exit
  explain external extract false fetch first_value float float4 float8 for force foreign from fulltext function generated get grant
  group group_concat grouping groups having high_priority hour_microsecond hour_minute hour_second if ignore ignore_domain_ids in index
  infile inner inout insensitive insert int int1 int2 int3 int4 int8 integer intersect interval into io_after_gtids io_before_gtids is
  iterate join json_arrayagg json_objectagg json_table key keys kill lag last_value lateral lead leading leave left library like limit
  linear lines load localtime localtimestamp lock long longblob longtext loop low_priority master_demote_to_replica
  master_demote_to_slave master_ssl_verify_server_cert match max maxvalue median mediumblob mediumint mediumtext mid middleint min
  minute_microsecond minute_second mod modifies natural no_write_to_binlog not now nth_value ntile null numeric of offset on optimize
  optimizer_costs option optionally or order out outer outfile over page_checksum parse_vcol_expr partition percent_rank percentile_cont
  percentile_disc portion position precision primary procedure purge qualify range rank read read_write reads real recursive
  ref_system_id references regexp release rename repeat replace require resignal restrict return returning revoke right rlike rollup row
  row_number rows schema schemas second_microsecond select sensitive separator set show signal smallint spatial specific sql
  sql_big_result sql_buffer_result sql_cache sql_calc_found_rows sql_no_cache sql_small_result sqlexception sqlstate sqlwarning ssl
  starting stats_auto_recalc stats_persistent stats_sample_pages std stddev stddev_pop stddev_samp stored straight_join substr substring
  sum sysdate system table tablesample terminated then tinyblob tinyint tinytext to trailing trigger trim true undo union unique unlock
  unsigned update usage use using utc_date utc_time utc_timestamp value values var_pop var_samp varbinary varchar varcharacter variance
  varying virtual when where while window with write xor year_month zerofill
`);
