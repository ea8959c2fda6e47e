/**
 * The built-in functions of MySQL 5.7 to 9 and MariaDB 10 to 12 that only compute and read. A name
 * missing here counts as a user-defined routine, which the catalog decides. A name here that writes
 * would be a hole.
 * Sources: MySQL 8.4 manual 14.1, `sql/item_create.cc`; MariaDB `information_schema.SQL_FUNCTIONS`
 * and its manual.
 */

const text = `
  ascii bin bit_length char char_length character_length chr concat concat_operator_oracle concat_ws decode_oracle elt
  export_set field find_in_set format from_base64 hex insert instr lcase left length lengthb like_range_max like_range_min
  locate lower lpad lpad_oracle ltrim ltrim_oracle make_set mid natural_sort_key oct octet_length ord position
  quote regexp_instr regexp_like regexp_replace regexp_substr repeat replace replace_oracle reverse right rpad rpad_oracle
  rtrim rtrim_oracle sformat soundex space strcmp substr substr_oracle substring substring_index to_base64 to_char to_number
  trim trim_oracle ucase unhex upper weight_string convert collation coercibility charset`;

const numbers = `
  abs acos asin atan atan2 ceil ceiling conv cos cot crc32 crc32c degrees exp floor ln log log10 log2 mod pi pow power
  radians rand round sign sin sqrt tan truncate bit_count greatest least interval nullif ifnull if nvl nvl2 coalesce isnull
  decode_histogram format_bytes format_pico_time any_value default values value name_const cast row
  double decimal dec numeric float real integer int bigint smallint tinyint mediumint unsigned signed bit boolean binary
  varbinary varchar nchar nvarchar char_byte`;

const dates = `
  add_months adddate addtime convert_tz curdate current_date current_time current_timestamp curtime date date_add date_format
  date_sub datediff datetime day dayname dayofmonth dayofweek dayofyear extract from_days from_unixtime get_format hour
  last_day localtime localtimestamp makedate maketime microsecond minute month monthname months_between now period_add
  period_diff quarter sec_to_time second str_to_date subdate subtime sysdate time time_format time_to_sec timediff timestamp
  timestampadd timestampdiff to_date to_days to_seconds trunc unix_timestamp utc_date utc_time utc_timestamp week weekday
  weekofyear year yearweek`;

const aggregates = `
  avg bit_and bit_or bit_xor count cume_dist dense_rank first_value group_concat grouping json_arrayagg json_objectagg lag
  last_value lead max median min nth_value ntile percent_rank percentile_cont percentile_disc rank row_number st_collect std
  stddev stddev_pop stddev_samp sum var_pop var_samp variance`;

const digests = `
  aes_decrypt aes_encrypt compress decode des_decrypt des_encrypt encode encrypt etag kdf md5 old_password password random_bytes
  sha sha1 sha2 statement_digest statement_digest_text uncompress uncompressed_length validate_password_strength
  asymmetric_decrypt asymmetric_derive asymmetric_encrypt asymmetric_sign asymmetric_verify create_asymmetric_priv_key
  create_asymmetric_pub_key create_dh_parameters create_digest`;

const session = `
  benchmark connection_id current_role current_user database found_rows icu_version is_free_lock is_used_lock last_insert_id
  lastval row_count rownum schema schemas session_user sleep sys_guid system_user user uuid uuid_short uuid_v4 uuid_v7
  uuid_to_bin bin_to_uuid is_uuid version ps_current_thread_id ps_thread_id roles_graphml mysql_query_attribute_string
  master_gtid_wait master_pos_wait source_pos_wait wait_for_executed_gtid_set wait_until_sql_thread_after_gtids
  binlog_gtid_pos gtid_subset gtid_subtract wsrep_last_seen_gtid wsrep_last_written_gtid wsrep_sync_wait_upto_gtid
  statement_digest inet_aton inet_ntoa inet4 inet6 inet6_aton inet6_ntoa is_ipv4 is_ipv4_compat is_ipv4_mapped is_ipv6
  gen_blocklist gen_range gen_rnd_email gen_rnd_pan gen_rnd_ssn gen_rnd_us_phone mask_inner mask_outer mask_pan
  mask_pan_relaxed mask_ssn gen_rnd_canada_sin gen_rnd_iban gen_rnd_uk_nin gen_rnd_uuid mask_canada_sin mask_iban
  mask_uk_nin mask_uuid`;

const json = `
  json json_array json_array_append json_array_insert json_array_intersect json_compact json_contains json_contains_path
  json_depth json_detailed json_duality_object json_equals json_exists json_extract json_insert json_key_value json_keys
  json_length json_loose json_merge json_merge_patch json_merge_preserve json_normalize json_object json_object_filter_keys
  json_object_to_array json_overlaps json_pretty json_query json_quote json_remove json_replace json_schema_valid
  json_schema_validation_report json_search json_set json_storage_free json_storage_size json_table json_type json_unquote
  json_unwrap json_valid json_value column_add column_check column_create column_delete column_exists column_get column_json
  column_list extractvalue updatexml xmltype string_to_vector to_vector vector_dim vector_distance vector_to_string
  from_vector distance vec_distance vec_distance_cosine vec_distance_euclidean vec_fromtext vec_totext`;

const geometry = `
  area asbinary astext aswkb aswkt boundary buffer centroid contains convexhull crosses dimension disjoint endpoint envelope
  equals exteriorring geomcollfromtext geomcollfromwkb geometrycollection geometrycollectionfromtext
  geometrycollectionfromwkb geometryfromtext geometryfromwkb geometryn geometrytype geomcollection geomfromtext geomfromwkb
  glength interiorringn intersects isclosed isempty isring issimple linefromtext linefromwkb linestring linestringfromtext
  linestringfromwkb mbrcontains mbrcoveredby mbrcovers mbrdisjoint mbrequal mbrequals mbrintersects mbroverlaps mbrtouches
  mbrwithin mlinefromtext mlinefromwkb mpointfromtext mpointfromwkb mpolyfromtext mpolyfromwkb multilinestring
  multilinestringfromtext multilinestringfromwkb multipoint multipointfromtext multipointfromwkb multipolygon
  multipolygonfromtext multipolygonfromwkb numgeometries numinteriorrings numpoints overlaps point pointfromtext
  pointfromwkb pointn pointonsurface polyfromtext polyfromwkb polygon polygonfromtext polygonfromwkb srid startpoint touches
  within x y st_area st_asbinary st_asgeojson st_astext st_aswkb st_aswkt st_boundary st_buffer st_buffer_strategy
  st_centroid st_contains st_convexhull st_crosses st_difference st_dimension st_disjoint st_distance st_distance_sphere
  st_endpoint st_envelope st_equals st_exteriorring st_frechetdistance st_geohash st_geomcollfromtext st_geomcollfromtxt
  st_geomcollfromwkb st_geometrycollectionfromtext st_geometrycollectionfromwkb st_geometryfromtext st_geometryfromwkb
  st_geometryn st_geometrytype st_geomfromgeojson st_geomfromtext st_geomfromwkb st_hausdorffdistance st_interiorringn
  st_intersection st_intersects st_isclosed st_isempty st_isring st_issimple st_isvalid st_latfromgeohash st_latitude
  st_length st_linefromtext st_linefromwkb st_lineinterpolatepoint st_lineinterpolatepoints st_linestringfromtext
  st_linestringfromwkb st_longfromgeohash st_longitude st_makeenvelope st_mlinefromtext st_mlinefromwkb st_mpointfromtext
  st_mpointfromwkb st_mpolyfromtext st_mpolyfromwkb st_multilinestringfromtext st_multilinestringfromwkb
  st_multipointfromtext st_multipointfromwkb st_multipolygonfromtext st_multipolygonfromwkb st_numgeometries
  st_numinteriorring st_numinteriorrings st_numpoints st_overlaps st_pointatdistance st_pointfromgeohash st_pointfromtext
  st_pointfromwkb st_pointn st_pointonsurface st_polyfromtext st_polyfromwkb st_polygonfromtext st_polygonfromwkb st_relate
  st_simplify st_srid st_startpoint st_swapxy st_symdifference st_touches st_transform st_union st_validate st_within st_x
  st_y`;

/** Stored functions of the `sys` schema. To a user they are built in. */
const sys = `
  extract_schema_from_file_name extract_table_from_file_name format_bytes format_path format_statement format_time list_add
  list_drop ps_is_account_enabled ps_is_consumer_enabled ps_is_instrument_default_enabled ps_is_instrument_default_timed
  ps_is_thread_instrumented ps_thread_account ps_thread_id quote_identifier sys_get_config
  version_major version_minor version_patch`;

const words = (list: string): string[] => list.trim().split(/\s+/);

/** Lower case. */
export const builtInFunctions: ReadonlySet<string> = new Set(
  [text, numbers, dates, aggregates, digests, session, json, geometry].flatMap(words),
);

/** Lower case; only after `sys.`. */
export const sysFunctions: ReadonlySet<string> = new Set(words(sys));

/** Names that some servers lack. There, a user's stored function may have the name. Lower case. */
export const builtInOnSomeServers: ReadonlySet<string> = new Set([
  ...words(geometry).filter(name => !/^(st_|mbr)/.test(name)),
  ...words(session).filter(name =>
    /^(gen_|mask_|uuid_v|sys_guid|roles_graphml|icu_|wsrep_|binlog_|master_|source_)/.test(name),
  ),
  ...words(digests).filter(name => !/^(aes_|md5|sha|compress|uncompress|random_bytes)/.test(name)),
  ...words(json).filter(name =>
    /^(json_(array_intersect|compact|detailed|duality|equals|exists|key_value|loose|normalize|object_|query|unwrap|schema)|column_|xmltype|string_to|to_vector|vec|from_vector|distance)/.test(
      name,
    ),
  ),
  ...words(`add_months chr concat_operator_oracle decode_oracle like_range_max like_range_min lpad_oracle ltrim_oracle
    natural_sort_key replace_oracle rpad_oracle rtrim_oracle sformat substr_oracle to_char to_number trim_oracle crc32c
    decode_histogram format_pico_time grouping any_value nvl nvl2 months_between to_date trunc median percentile_cont
    percentile_disc json_arrayagg json_objectagg st_collect st_distance_sphere st_validate st_transform st_swapxy
    is_uuid uuid_to_bin bin_to_uuid inet4 inet6 regexp_like regexp_instr regexp_replace regexp_substr format_bytes
    ps_thread_id ps_current_thread_id rownum lastval schemas char_byte mysql_query_attribute_string
    wait_for_executed_gtid_set wait_until_sql_thread_after_gtids gtid_subset gtid_subtract json_storage_free json_storage_size
    mbrcoveredby mbrcovers mbrequal st_buffer_strategy st_frechetdistance st_geohash st_geomcollfromtxt st_hausdorffdistance
    st_isvalid st_latfromgeohash st_latitude st_lineinterpolatepoint st_lineinterpolatepoints st_longfromgeohash st_longitude
    st_makeenvelope st_numinteriorring st_pointatdistance st_pointfromgeohash st_simplify st_boundary st_isring
    st_pointonsurface st_relate lengthb md5 sha sha1`),
]);
