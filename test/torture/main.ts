/**
 * `make torture`: breaks a running Sallyport in each known way, starts the same home again and
 * checks that everything it said is true. Exits 1 with a list of what wasn't. MINUTES= or HOURS=
 * sets how long, SEED= repeats the choices of a run, FAULT= picks one by name, WRITE=1 writes the
 * table into docs/reliability.md.
 */

import { join } from 'node:path';
import { version } from '../../shared/version.ts';
import { writeInto } from '../docs/generated-part.ts';
import { chance } from './chance.ts';
import type { Fault } from './fault.ts';
import { faults } from './faults/index.ts';
import { root } from './root.ts';
import { longestStart, type Trials, tableOf } from './table.ts';
import { Tally } from './tally.ts';
import { type Trial, tryFault } from './trial.ts';
import { endWorld, startWorld, type World, worldUnavailable } from './world.ts';

const { MINUTES, HOURS, SEED, FAULT, WRITE } = process.env;
const minutes = HOURS ? Number(HOURS) * 60 : Number(MINUTES || 10);
const seed = Number(SEED || Math.floor(Math.random() * 2 ** 31));
/** In CI a run that left faults out fails. */
const isWholeNeeded = process.env.CI === 'true';
/** Times the minutes, so a slow machine seldom leaves one out. */
const firstRoundMost = 4;
/** In shorter runs nothing waits for what happens once a minute. */
const patientMinutes = 6;

interface Run {
  readonly trials: Map<Fault, Trial[]>;
  /** How many faults there was no time for. */
  readonly untried: number;
}

process.exitCode = await main();

async function main(): Promise<number> {
  const unavailable = worldUnavailable();
  if (unavailable !== null) return fail(`Nothing was tried: ${unavailable}.`);
  const chosen = faults.filter(({ name }) => !FAULT || name === FAULT);
  if (chosen.length === 0)
    return fail(`There is no fault ${FAULT}; there are ${faults.map(({ name }) => name).join(', ')}.`);
  say(`SEED=${seed} repeats the choices of this run, which takes ${minutes} minutes.`);
  const undo: World['undo'] = [];
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void endWorld(undo).then(() => process.exit(1)));
  try {
    return report(await torture(await startWorld(undo), chosen), chosen);
  } finally {
    await endWorld(undo);
  }
}

async function torture(world: World, chosen: readonly Fault[]): Promise<Run> {
  const trials = new Map<Fault, Trial[]>();
  const possible = chosen.filter(fault => {
    const missing = fault.missing?.(world) ?? null;
    if (missing !== null) say(`skipped   ${fault.name}: ${missing}`);
    return missing === null;
  });
  const source = chance(seed, 'torture');
  const began = performance.now();
  const end = began + minutes * 60_000;
  const endOfFirst = isWholeNeeded ? began + firstRoundMost * minutes * 60_000 : end;
  const isPatient = minutes >= patientMinutes || Boolean(FAULT);
  // Each is expected to take as long as the last time.
  const took = new Map<Fault, number>();
  for (let round = 0; performance.now() < end; round++) {
    let tried = 0;
    for (const fault of source.shuffled(possible)) {
      if (performance.now() + (took.get(fault) ?? 0) > (round === 0 ? endOfFirst : end)) continue;
      const begun = performance.now();
      const how = { seed, source: chance(seed, `${fault.name} ${round}`), isPatient };
      const trial = await tryFault(fault, world, how).catch(error => brokenOff(world, error));
      took.set(fault, performance.now() - begun);
      trials.set(fault, [...(trials.get(fault) ?? []), trial]);
      sayTrial(fault, trial, took.get(fault) ?? 0);
      tried++;
    }
    if (tried === 0) break;
  }
  const untried = possible.filter(fault => !trials.has(fault));
  for (const { name } of untried) say(`no time   ${name}`);
  return { trials, untried: untried.length };
}

/**
 * Restarts the daemon for the next fault.
 * @throws if it doesn't start any more: then this home can't be tested further.
 */
async function brokenOff(world: World, error: Error): Promise<Trial> {
  world.owner.close();
  await world.daemon.end('SIGKILL');
  const recoveryMilliseconds = await world.daemon.start();
  return { wrong: [error.message], saw: new Tally(), acknowledged: 0, unknown: 0, tookEffect: 0, recoveryMilliseconds };
}

function sayTrial({ name }: Fault, { saw, wrong, recoveryMilliseconds }: Trial, took: number): void {
  const verdict = wrong.length === 0 ? 'holds' : 'WRONG';
  const times = `${(took / 1000).toFixed(1)} s, answers ${Math.round(recoveryMilliseconds)} ms after its start`;
  say(`${verdict}     ${name.padEnd(16)} ${times}`);
  for (const line of saw.lines()) say(`            ${line}`);
  for (const sentence of wrong.slice(0, 12)) say(`            ${sentence}`);
  if (wrong.length > 12) say(`            and ${wrong.length - 12} more`);
}

function report({ trials, untried }: Run, chosen: readonly Fault[]): number {
  const inOrder = new Map(
    chosen.flatMap(fault => (trials.has(fault) ? [[fault, trials.get(fault) ?? []] as const] : [])),
  );
  const wrong = [...trials.values()].flat().flatMap(trial => trial.wrong);
  const text = `${summary(trials, wrong.length)}\n\n${tableOf(inOrder)}`;
  say(`\n${text}\n`);
  if (WRITE) writeInto(join(root, 'docs', 'reliability.md'), 'make torture WRITE=1', `\n${text}\n`);
  if (wrong.length === 0 && isWholeNeeded && untried > 0)
    return fail(`For ${untried} faults there was no time in ${firstRoundMost * minutes} minutes; give MINUTES= more.`);
  if (wrong.length === 0) return 0;
  return fail(`${wrong.length} things were not so; SEED=${seed} repeats the choices.`);
}

function summary(trials: Trials, wrong: number): string {
  const all = [...trials.values()].flat();
  const writes = all.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  const verdict = wrong === 0 ? 'Everything that was said was so' : `${wrong} things were not so`;
  const start = `at most ${longestStart(trials)} ms from a start to its first answer`;
  return `${all.length} trials with ${writes} acknowledged writes, \`SEED=${seed}\`, version ${version}, ${start}. ${verdict}.`;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function fail(sentence: string): number {
  process.stderr.write(`${sentence}\n`);
  return 1;
}
