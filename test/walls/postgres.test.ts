import { needs } from '../needs.ts';
import { findPostgres } from '../servers/postgres.ts';
import { postgresGaps } from './gaps.ts';
import { postgresWorld } from './postgres-world.ts';
import { prove } from './prove.ts';

const found = findPostgres();
if ('unavailable' in found) needs(found.unavailable).test('the wall of PostgreSQL', () => {});
else prove(postgresWorld(found), postgresGaps);
