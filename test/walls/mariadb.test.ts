import { test } from '@jest/globals';
import { mariadbUnavailable } from '../servers/mariadb.ts';
import { mariadbGaps } from './gaps.ts';
import { mariadbWorld } from './mariadb-world.ts';
import { prove } from './prove.ts';

const unavailable = mariadbUnavailable();
if (unavailable !== null) test.skip(unavailable, () => {});
else prove(mariadbWorld(), mariadbGaps);
