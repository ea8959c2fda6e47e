/**
 * Each type of MariaDB with values at its limits, to compare with the output of the `mariadb`
 * client.
 */

import { isMysql } from '../../servers/mariadb.ts';

/** The column as declared, its type as our result names it, and its rows' values as SQL. */
const all: readonly (readonly [string, string, readonly string[]])[] = [
  ['tinyint', 'tinyint', ['-128', '127', '0']],
  ['tinyint unsigned', 'tinyint unsigned', ['255', '0']],
  ['tinyint(1)', 'tinyint(1)', ['1', '0', '-5']],
  ['smallint', 'smallint', ['-32768', '32767']],
  ['mediumint', 'mediumint', ['-8388608', '8388607']],
  ['int', 'int', ['-2147483648', '2147483647']],
  ['int(7) unsigned zerofill', 'int(7) unsigned zerofill', ['42', '1234567', '123456789']],
  ['bigint', 'bigint', ['-9223372036854775808', '9223372036854775807']],
  ['bigint unsigned', 'bigint unsigned', ['18446744073709551615', '9007199254740993']],
  ['decimal(65,30)', 'decimal(65,30)', ["'-12345678901234567890123456789012345.123456789012345678901234567890'", '0']],
  ['decimal(20,5) unsigned', 'decimal(20,5) unsigned', ['123456789012345.67891', '0.00001']],
  ['decimal(10,0)', 'decimal(10,0)', ['-9999999999']],
  ['float', 'float', ['0.1', '3.40282e38', '-1.17549e-38', '16777217', '-0e0', '0', '1e10', '1e-10']],
  ['float(7,2)', 'float(7,2)', ['12345.68', '0.10', '-0e0', '-0.001']],
  [
    'double',
    'double',
    [
      ...[
        '0.1',
        '1.7976931348623157e308',
        '2.2250738585072014e-308',
        '0.30000000000000004',
        '1e15',
        '123456789012345678',
      ],
      ...['-0e0', '1e308', '-1e-300', '1e14', '1e16', '1e21', '0.00001', '5e-324'],
    ],
  ],
  ['double(12,3)', 'double(12,3)', ['1.5', '-123456.789', '-0e0', '100']],
  ['date', 'date', ["'0000-00-00'", "'2026-00-00'", "'9999-12-31'", "'0001-01-01'"]],
  ['time', 'time', ["'-838:59:59'", "'838:59:59'", "'00:00:00'"]],
  ['time(6)', 'time(6)', ["'-100:00:00.000001'", "'12:34:56.789'"]],
  ['datetime', 'datetime', ["'0000-00-00 00:00:00'", "'9999-12-31 23:59:59'"]],
  ['datetime(3)', 'datetime(3)', ["'2026-03-29 02:30:00.120'"]],
  ['datetime(6)', 'datetime(6)', ["'1000-01-01 00:00:00.000001'", "'2026-03-29 02:30:00'"]],
  ['timestamp(6)', 'timestamp(6)', ["'2038-01-19 03:14:07.999999'", "'0000-00-00 00:00:00'"]],
  ['year', 'year', ['1901', '2155', '0', "'0000'"]],
  ['char(10)', 'char(10)', ["'ab'", "'日本'", "''"]],
  ['varchar(50)', 'varchar(50)', ["'Zoë \\\\ ''quoted'''", "'🎉'", "' spaces '"]],
  ['varchar(20) character set latin1', 'varchar(20)', ["'é ü €'"]],
  ['varchar(20) character set utf16', 'varchar(20)', ["'é 日 🎉'"]],
  ['tinytext', 'tinytext', ["'x'"]],
  ['text', 'text', ["'é'", 'null']],
  ['mediumtext', 'mediumtext', ["'x'"]],
  ['longtext', 'longtext', ["'x'"]],
  ['binary(4)', 'binary(4)', ["x'00ff'", "x'41424344'"]],
  ['varbinary(8)', 'varbinary(8)', ["x'00ff4180'", "x''"]],
  ['tinyblob', 'tinyblob', ["x'ff'"]],
  ['blob', 'blob', ["x'00'"]],
  ['mediumblob', 'mediumblob', ["x'0102'"]],
  ['longblob', 'longblob', ["x'c3a9'"]],
  ['bit(1)', 'bit(1)', ["b'1'", "b'0'"]],
  ['bit(20)', 'bit(20)', ["b'10000000000000000001'"]],
  ["enum('a','it''s','日')", 'enum', ["'a'", "'it''s'", "'日'"]],
  ["set('a','b','c')", 'set', ["'a,c'", "''"]],
  ['json', 'json', [`'{"a": [1, 2.50, 12345678901234567890]}'`]],
  ['uuid', 'uuid', ["'123e4567-e89b-12d3-a456-426655440000'"]],
  ['inet4', 'inet4', ["'192.0.2.1'"]],
  ['inet6', 'inet6', ["'2001:db8::ff00:42:8329'", "'::ffff:192.0.2.1'"]],
  ['point', 'point', ["st_geomfromtext('POINT(1.5 -2)')"]],
  ['geometry', 'geometry', ["st_geomfromtext('LINESTRING(0 0,1 1)')"]],
  ['polygon', 'polygon', ["st_geomfromtext('POLYGON((0 0,1 0,1 1,0 0))')"]],
  ['tinyint(3) unsigned zerofill', 'tinyint(3) unsigned zerofill', ['0', '7']],
  ['bigint(20) unsigned zerofill', 'bigint(20) unsigned zerofill', ['1']],
  ['decimal(10,2) unsigned zerofill', 'decimal(10,2) unsigned zerofill', ['1.5']],
  ['double(12,3) unsigned zerofill', 'double(12,3) unsigned zerofill', ['1.5']],
];

export const types = isMysql() ? all.filter(([type]) => !['uuid', 'inet4', 'inet6'].includes(type)) : all;
