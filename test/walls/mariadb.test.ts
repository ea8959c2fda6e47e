import { needs } from '../needs.ts';
import { isMysql, mariadbUnavailable } from '../servers/mariadb.ts';
import { mariadbGaps, mysqlGaps } from './gaps.ts';
import { mariadbWorld } from './mariadb-world.ts';
import { prove } from './prove.ts';

const unavailable = mariadbUnavailable();
if (unavailable !== null) needs(unavailable).test('the wall of MariaDB', () => {});
else prove(mariadbWorld(), isMysql() ? mysqlGaps : mariadbGaps);
