/** A fault, as the torturer runs it and as the table names it. */

import type { Chance } from './chance.ts';
import type { RunningLoad } from './load.ts';
import type { World } from './world.ts';

export interface Strike {
  readonly world: World;
  readonly load: RunningLoad;
  readonly chance: Chance;
  /** True if there is time for what happens once a minute. */
  readonly isPatient: boolean;
  /** From now on reads continue without rows in the log (spec §14). */
  logCannotBeWritten(): void;
  /** Reports something that is wrong. */
  wrong(sentence: string): void;
  /** For the table: what was seen besides the load. */
  saw(who: string, what: string): void;
}

export interface Fault {
  /** One word, for FAULT=. */
  readonly name: string;
  /** What happens, for the table. */
  readonly title: string;
  /** What is missing here, with the command that installs it; null if the fault can run. */
  missing?(world: World): string | null;
  /** Before the load starts: the daemon runs, and may be ended and started differently. */
  prepare?(world: World): Promise<void>;
  /** Under load. Undoes its changes to the machine; may leave the daemon dead. */
  strike(strike: Strike): Promise<void>;
}
