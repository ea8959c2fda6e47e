import { test } from '@jest/globals';
import { findPostgres } from '../servers/postgres.ts';
import { postgresGaps } from './gaps.ts';
import { postgresWorld } from './postgres-world.ts';
import { prove } from './prove.ts';

const found = findPostgres();
if ('unavailable' in found) test.skip(found.unavailable, () => {});
else prove(postgresWorld(found), postgresGaps);
