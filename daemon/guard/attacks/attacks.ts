import type { Engine } from '../../../shared/engine.ts';
import type { AttackGroup } from './attack.ts';
import { mysqlAttacks } from './mysql.ts';
import { postgresAttacks } from './postgres.ts';
import { sqliteAttacks } from './sqlite.ts';

export const attacksOf: Readonly<Record<Engine, readonly AttackGroup[]>> = {
  postgres: postgresAttacks,
  mysql: mysqlAttacks,
  sqlite: sqliteAttacks,
};
