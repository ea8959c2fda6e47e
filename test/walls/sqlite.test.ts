import { prove } from './prove.ts';
import { sqliteWorld } from './sqlite-world.ts';

prove(sqliteWorld(), {});
