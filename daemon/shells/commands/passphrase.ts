/**
 * `passphrase.set`, `off`, `reset` and `confirm` (spec §11). Where there is one already, the gate has asked for it before. Each is for
 * a person at a terminal, or in Sallyport.app.
 */

import * as z from 'zod';
import type { PassphraseView } from '../../../shared/control-commands.ts';
import { passphraseProblem } from '../../../shared/new-passphrase.ts';
import { originWords } from '../../access/privilege-increases/origin.ts';
import type { OwnerPassphrase } from '../../access/privilege-increases/passphrase.ts';
import { type CommandContext, command, done, invalid, refused } from '../command.ts';
import { takeBackWhatWasAllowed } from './passphrase-reset.ts';

const typed = z.strictObject({ passphrase: z.string('a text is expected').max(1_024, 'it is far too long') });

export const setPassphrase = command<'passphrase.set'>(typed, async ({ passphrase }, context) => {
  const by = await whoTypes(context);
  if (by === null) return noTerminal;
  const problem = await context.ports.owner.set(passphrase, by);
  return problem === null ? done(passphraseView(context.ports.owner)) : invalid(problem);
});

const switchingOff = z.strictObject({ forNewHome: z.literal(true).optional() });

export const switchOffPassphrase = command<'passphrase.off'>(switchingOff, async ({ forNewHome }, context) => {
  if (forNewHome === true) return refused(notNew);
  const { owner } = context.ports;
  if (owner.state() === 'off') return refused('The owner passphrase is off already.');
  const by = await whoTypes(context);
  if (by === null) return noTerminal;
  await owner.switchOff(by);
  return done(passphraseView(owner));
});

/** Needs no confirmation: all that it does at once is to take away. */
export const resetPassphrase = command<'passphrase.reset'>(typed, async ({ passphrase }, context) => {
  const by = await whoTypes(context);
  if (by === null) return noTerminal;
  const problem = passphraseProblem(passphrase);
  if (problem !== null) return invalid(problem);
  // First: what a kill in between leaves is less, not more.
  await context.changes(() => takeBackWhatWasAllowed(context));
  await context.ports.owner.beginReset(passphrase, by);
  return done(passphraseView(context.ports.owner));
});

export const confirmPassphrase = command<'passphrase.confirm'>(z.strictObject({}), async (_, { ports: { owner } }) => {
  await owner.confirmChosen();
  return done(passphraseView(owner));
});

export function passphraseView(owner: OwnerPassphrase): PassphraseView {
  const reset = owner.reset();
  return {
    state: owner.state(),
    chosen: owner.chosen(),
    reset: reset && { id: reset.id, at: reset.at, by: reset.by, countsAt: reset.countsAt },
  };
}

/** Null where nobody could have typed it. */
async function whoTypes({ origin, isApp, shell }: CommandContext): Promise<string | null> {
  if (isApp()) return 'Sallyport.app';
  const asking = await origin();
  return asking?.terminal == null ? null : originWords(asking, shell());
}

const notNew = 'Only a new home can be made unattended, and this one is in use. Nothing was changed.';
const noTerminal = refused('There is no terminal to type the passphrase in.');
