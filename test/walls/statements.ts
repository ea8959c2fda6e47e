/** The statements that test the walls: those of the table whose objects are in the fixtures. */

import { readFileSync } from 'node:fs';
import type { Engine } from '../../shared/engine.ts';
import { type JudgedStatement, statementsOf } from '../guard/statements/table.ts';

export type WallStatement = JudgedStatement;

export const statementsFor = (engine: Engine): readonly WallStatement[] =>
  statementsOf(engine).filter(({ walls }) => walls !== null);

export function fixture(name: string): string {
  return readFileSync(new URL(`../sql/fixture-${name}.sql`, import.meta.url), 'utf8');
}
