/**
 * `passphrase.set`, `off`, `reset` and `confirm` (spec §11). If there is a passphrase already, the
 * gate has asked for it before. Each is for a person at a terminal, or in Sallyport.app.
 */

import * as z from 'zod';
import { passphraseProblem } from '../../../shared/new-passphrase.ts';
import type { Grant } from '../../access/privilege-increases/grants.ts';
import { fact, type PrivilegeIncrease, plainIncrease } from '../../access/privilege-increases/increase-words.ts';
import { originWords } from '../../access/privilege-increases/origin-words.ts';
import { touchIdKeyProblem } from '../../access/privilege-increases/touch-id.ts';
import { type CommandContext, command, done, invalid, refused } from '../command.ts';
import { type PassphraseView, passphraseStatus } from '../messages/passphrase.ts';
import type { CommandPorts } from '../ports.ts';
import { grantLine, standing, takeBackGrants } from '../standing-grants.ts';
import { takeBackWhatWasAllowed } from './passphrase-reset.ts';

const typed = z.strictObject({ passphrase: z.string('a text is expected').max(1_024, 'it is far too long') });

/**
 * Sets the first passphrase or replaces one. Replacing it, or switching it off, is a privilege
 * increase.
 */
export const passphraseSet = command('passphrase.set', {
  shape: typed,
  result: passphraseStatus,
  privilegeIncrease: (_, { ports }) =>
    ports.owner.state() === 'set' ? plainIncrease('changes the owner passphrase') : firstPassphrase(ports),
  records: { action: 'passphrase.set' },
  run: async ({ passphrase }, context) => {
    const by = await whoTypes(context);
    if (by === null) return noTerminal;
    const problem = await context.ports.owner.set(passphrase, by.words, by.terminal);
    return problem === null ? done(viewOfPassphrase(context.ports)) : invalid('passphrase_not_accepted', problem);
  },
});

/** `forNewHome` comes from `init` in an existing home: it is refused and recorded. */
export const passphraseOff = command('passphrase.off', {
  shape: z.strictObject({ forNewHome: z.literal(true).optional() }),
  result: passphraseStatus,
  privilegeIncrease: ({ forNewHome }, { ports }) => {
    // The command refuses it.
    if (forNewHome === true) return null;
    // If nobody can be asked, the person at the terminal decides, as with choosing the first one.
    if (ports.owner.state() === 'none' && !ports.ownerApp.isKnown()) return null;
    return plainIncrease(
      'removes the owner passphrase; any program that runs as you, your agents too, can then grant more access',
    );
  },
  records: { action: 'passphrase.off' },
  run: async ({ forNewHome }, context) => {
    if (forNewHome === true) return refused('home_in_use', notNew);
    const { owner } = context.ports;
    if (owner.state() === 'off') return refused('passphrase_is_off', 'The owner passphrase is off already.');
    const by = await whoTypes(context);
    if (by === null) return noTerminal;
    await owner.switchOff(by.words);
    return done(viewOfPassphrase(context.ports));
  },
});

/** Replaces a forgotten passphrase: takes back what it allowed; the new one counts after a day. */
export const passphraseReset = command('passphrase.reset', {
  shape: typed,
  result: passphraseStatus,
  // If a passphrase is set, this only takes access away; otherwise it sets the first one.
  privilegeIncrease: (_, { ports }) => (ports.owner.state() === 'set' ? null : firstPassphrase(ports)),
  records: {
    action: 'passphrase.reset',
    done: ({ reset }) => (reset === null ? {} : { reason: `counts from ${reset.countsAt}` }),
  },
  run: async ({ passphrase }, context) => {
    const by = await whoTypes(context);
    if (by === null) return noTerminal;
    const problem = passphraseProblem(passphrase);
    if (problem !== null) return invalid('passphrase_not_accepted', problem);
    // First: a kill in between leaves less access, not more.
    await context.changes(() => takeBackWhatWasAllowed(context));
    await context.ports.owner.beginReset(passphrase, by.words);
    return done(viewOfPassphrase(context.ports));
  },
});

/**
 * The person confirms that they chose it; or, with `grants`, what becomes of what was allowed while
 * it was off.
 */
export const passphraseConfirm = command('passphrase.confirm', {
  shape: z.strictObject({ grants: z.enum(['keep', 'takeBack'], 'keep or takeBack is expected').optional() }),
  result: passphraseStatus,
  privilegeIncrease: ({ grants }, { ports }) => {
    if (grants === 'takeBack') return null;
    if (grants === 'keep') return keepIncrease(standing(ports));
    return ports.owner.chosen() === null
      ? null
      : plainIncrease('records that it was you who chose the owner passphrase, or switched it off');
  },
  records: { action: 'passphrase.confirm' },
  refuses: ({ grants }, { ports: { owner } }) =>
    grants === 'keep' && owner.state() !== 'set' ? refused('passphrase_not_set', notSet) : null,
  run: async ({ grants }, context) => {
    const { ports, confirmedBy } = context;
    if (grants === 'keep') await ports.grants.keep(standing(ports), confirmedBy ?? 'passphrase');
    else if (grants === 'takeBack') await context.changes(() => takeBackGrants(context));
    else await ports.owner.confirmChosen();
    return done(viewOfPassphrase(ports));
  },
});

function keepIncrease(grants: readonly Grant[]): PrivilegeIncrease | null {
  if (grants.length === 0) return null;
  const facts = grants.map((grant, at) => fact(`Allowed ${at + 1}`, grantLine(grant)));
  return { phrase: 'keeps what was allowed while the owner passphrase was off', facts };
}

/**
 * Takes the public half of a key in this Mac's Secure Enclave, which Sallyport.app has made. From
 * then on an approval in the app needs its signature. Null takes the key back, so that only the
 * passphrase confirms.
 */
export const passphraseTouchId = command('passphrase.touchId', {
  shape: z.strictObject({ publicKey: z.string('a text is expected').max(256, 'it is far too long').nullable() }),
  result: passphraseStatus,
  privilegeIncrease: ({ publicKey }) =>
    publicKey === null
      ? null
      : plainIncrease(
          'has Touch ID on this Mac confirm what gives AI clients more access, as the owner passphrase does',
        ),
  records: { action: 'passphrase.touchId', done: ({ touchId }) => ({ reason: touchId ? 'on' : 'off' }) },
  refuses: ({ publicKey }, { isApp, ports: { owner } }) => {
    if (!isApp()) return refused('app_alone', appAlone);
    if (owner.state() !== 'set')
      return refused('passphrase_not_set', 'Choose an owner passphrase first: Touch ID takes its place.');
    const problem = publicKey === null ? null : touchIdKeyProblem(publicKey);
    return problem === null ? null : invalid('invalid_parameters', problem);
  },
  run: async ({ publicKey }, { confirmedBy, ports }) => {
    // A program that poses as the app has its own yes, and could have a key of its own.
    if (publicKey !== null && confirmedBy !== 'passphrase')
      return refused('passphrase_alone', 'Only the owner passphrase has Touch ID confirm in its place.');
    await ports.owner.setTouchIdKey(publicKey);
    return done(viewOfPassphrase(ports));
  },
});

/** Otherwise the program that sets the first passphrase could confirm what only the app may. */
function firstPassphrase({ ownerApp }: CommandContext['ports']): PrivilegeIncrease | null {
  return ownerApp.isKnown()
    ? plainIncrease(
        'sets an owner passphrase, which confirms as Sallyport.app does, and which the program that asks has chosen',
      )
    : null;
}

export function viewOfPassphrase(
  ports: Pick<CommandPorts, 'owner' | 'grants' | 'connections' | 'tokens'>,
): PassphraseView {
  const { owner } = ports;
  const reset = owner.reset();
  // In a home that is still as it was made unattended it is all that there is, and tells nothing.
  const isUnattended = owner.whyOff() === 'unattended';
  const told = standing(ports).filter(({ confirmedBy }) => confirmedBy !== 'unattended' || !isUnattended);
  const unconfirmed = told.map(grantLine);
  return {
    state: owner.state(),
    chosen: owner.chosen(),
    ...(unconfirmed.length > 0 && { unconfirmed }),
    ...(owner.touchIdKey() !== null && { touchId: true as const }),
    reset: reset && { id: reset.id, at: reset.at, by: reset.by, countsAt: reset.countsAt },
  };
}

/** Null if nobody could have typed it. */
async function whoTypes({
  origin,
  isApp,
  shell,
}: CommandContext): Promise<{ readonly words: string; readonly terminal: string | null } | null> {
  if (isApp()) return { words: 'Sallyport.app', terminal: null };
  const asking = await origin();
  return asking?.terminal == null ? null : { words: originWords(asking, shell()), terminal: asking.terminal };
}

const appAlone = 'Only Sallyport.app can use Touch ID, on macOS, where the secrets are in the keychain.';
const notSet = 'Nothing can be confirmed while no owner passphrase is set: `sallyport passphrase set` chooses one.';
const notNew = 'Only a new home can be made unattended, and this one is in use. Nothing was changed.';
const noTerminal = refused('no_terminal', 'There is no terminal to type the passphrase in.');
