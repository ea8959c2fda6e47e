/**
 * One fault, from a running home to the same home verified: load, strike, the load's end, death,
 * start, all invariants.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../waiting/until.ts';
import type { Chance } from './chance.ts';
import type { Fault } from './fault.ts';
import { isBackToBase, nothingIsLeftBehind, sessionsAreGone } from './invariants/left-behind.ts';
import { requestsStillWait, waitingRequests } from './invariants/left-waiting.ts';
import { extentOfLog, logIsIntact, nothingWentAway, rowsAfter } from './invariants/log.ts';
import { ownerWasToldTheTruth } from './invariants/said-by-owner.ts';
import { clientsWereToldTheTruth } from './invariants/said-to-clients.ts';
import { startLoad } from './load.ts';
import { factsOf } from './process-facts.ts';
import type { Tally } from './tally.ts';
import type { World } from './world.ts';

export interface Trial {
  readonly wrong: readonly string[];
  readonly saw: Tally;
  readonly acknowledged: number;
  readonly unknown: number;
  readonly tookEffect: number;
  readonly recoveryMilliseconds: number;
}

/** @throws if the daemon doesn't start again: then this home can't be tested further. */
export async function tryFault(
  fault: Fault,
  world: World,
  { seed, source, isPatient }: { readonly seed: number; readonly source: Chance; readonly isPatient: boolean },
): Promise<Trial> {
  const wrong: string[] = [];
  const { daemon } = world;
  await fault.prepare?.(world);
  const before = world.ledger.extent ?? extentOfLog(world);
  const first = daemon.pid;
  const base = factsOf(first);
  let unrecordedFrom = Number.POSITIVE_INFINITY;
  const logCannotBeWritten = (): void => {
    unrecordedFrom = performance.now();
  };
  const load = startLoad(world, seed, `${fault.name} ${source.word(6)}`);
  try {
    const answered = () => world.ledger.calls.filter(({ outcome }) => outcome === 'answered').length;
    await until(() => answered() >= 12, 'the load is under way', 60);
    await pause(source.between(0, 800));
    const saw = (who: string, what: string): void => load.tally.count(who, what);
    await fault.strike({
      world,
      load,
      chance: source,
      isPatient,
      logCannotBeWritten,
      wrong: sentence => wrong.push(sentence),
      saw,
    });
  } finally {
    await load.stop();
  }
  // What was asked while the disk was full is not kept.
  const waiting = unrecordedFrom === Number.POSITIVE_INFINITY ? await waitingRequests(world) : null;
  world.owner.close();
  if (world.home.daemons().includes(first)) wrong.push(...(await isBackToBase(first, base)));
  await daemon.end('SIGKILL');
  wrong.push(...(await sessionsAreGone(world)));
  const recoveryMilliseconds = await daemon.start();
  // First what must hold at once: a later look would find what the running daemon has repaired
  // since.
  wrong.push(...(await ownerWasToldTheTruth(world)), ...(await requestsStillWait(world, waiting)));
  const rows = rowsAfter(world, before.newestRow);
  const truth = await clientsWereToldTheTruth(world, rows, unrecordedFrom);
  wrong.push(...truth.wrong, ...(await logIsIntact(world)), ...(await nothingIsLeftBehind(world)));
  world.ledger.extent = extentOfLog(world);
  wrong.push(...nothingWentAway(before, world.ledger.extent));
  const failed = rows.filter(row => row.action === 'exchange' && row.outcome === 'denied');
  const recorded = failed.reduce((sum, row) => sum + row.count, 0);
  const failures = world.ledger.failedExchanges;
  world.ledger.failedExchanges = 0;
  if (recorded < failures && unrecordedFrom === Number.POSITIVE_INFINITY)
    wrong.push(`${failures} failed exchanges were answered, and the log has ${recorded}`);
  return { ...truth, wrong, saw: load.tally, recoveryMilliseconds };
}
