/** What each fault is, as the torturer runs it and as the table names it. */

import type { Chance } from './chance.ts';
import type { RunningLoad } from './load.ts';
import type { World } from './world.ts';

export interface Strike {
  readonly world: World;
  readonly load: RunningLoad;
  readonly chance: Chance;
  /** There is time to wait for what happens once a minute. */
  readonly isPatient: boolean;
  /** From now on reads go on without rows in the log (spec §14). */
  logCannotBeWritten(): void;
  /** For what was seen to be wrong. */
  wrong(sentence: string): void;
  /** For the table: what was seen beside the load. */
  saw(who: string, what: string): void;
}

export interface Fault {
  /** One word, for FAULT=. */
  readonly name: string;
  /** What happens, for the table. */
  readonly title: string;
  /** What is missing here, with what brings it; null where it can be run. */
  missing?(world: World): string | null;
  /** Before the load begins: the daemon runs and may be ended and started otherwise. */
  prepare?(world: World): Promise<void>;
  /** Under load. Undoes what it did to the machine; the daemon may be left dead. */
  strike(strike: Strike): Promise<void>;
}
