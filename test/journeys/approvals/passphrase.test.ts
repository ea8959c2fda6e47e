/**
 * The owner passphrase as its person meets it (spec §11): typed on a real terminal into the built
 * command, and refused without one.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ConnectionView, StatusResult, TokenView } from '../../../shared/control-commands.ts';
import { noteText } from '../../../shared/note.ts';
import { missingPrograms, needs } from '../../needs.ts';
import {
  daemonExecutable,
  executable,
  nobodyConfirmed,
  type RealHome,
  realHome,
} from '../../shell-terminal/real-home.ts';
import { lineOnTerminal } from '../../terminals/on-terminal.mjs';
import { until } from '../../waiting/until.ts';
import { choosing, missingForTyping, passphrasePrompt, runOnTerminal } from '../terminal/typed-on-a-terminal.ts';

const passphrase = 'correct horse battery';
const other = 'another one of mine';
const prompt = passphrasePrompt;
const writer = ['tokens', 'mint', '--name', 'writer', '--scope', 'read-write'];
const opening = ['connections', 'set', 'Demo', '--external-clients', 'read-write'];

needs(missingForTyping()).describe('the owner passphrase', () => {
  let home: RealHome;
  beforeEach(async () => {
    home = realHome(0, 'owner');
    expect((await home.run(['start'])).code).toBe(0);
  }, 30_000);
  afterEach(() => home.clean());

  const typed = (words: readonly string[], ...answers: (readonly [string, string])[]) =>
    runOnTerminal(home, words, answers);
  const known = async () => (await home.json<StatusResult>(['status'])).passphrase;
  const notes = async () => (await home.json<StatusResult>(['status'])).notes.map(noteText).join(' ');
  const tokens = () => home.json<TokenView[]>(['tokens', 'list']);
  const denied = async () =>
    (await home.json<{ action: string; outcome: string }[]>(['activity', '--since', '1d']))
      .filter(({ outcome }) => outcome === 'denied')
      .map(({ action }) => action);
  const demo = () => home.json<ConnectionView>(['connections', 'show', 'Demo']);
  async function choose(): Promise<void> {
    expect((await typed(['passphrase', 'set'], ...choosing(passphrase))).code).toBe(0);
  }

  describe('not set yet', () => {
    test('lets clients read; an increase is refused without a terminal, which no stdin, variable or option replaces', async () => {
      expect((await home.run(['demo'])).code).toBe(0);
      expect((await home.run(['tokens', 'mint', '--name', 'reader'])).stderr).not.toContain('confirmed');
      expect(await known()).toEqual({ state: 'none', chosen: null, reset: null });
      expect(await notes()).toContain('AI clients can only be allowed to read');

      const given = { stdin: `${passphrase}\n${passphrase}\n`, environment: { SALLYPORT_PASSPHRASE: passphrase } };
      expect(await home.run(writer, given)).toEqual({
        code: 1,
        stdout: '',
        stderr:
          'sallyport: This makes a Read & Write token "writer" that reaches every connection, those saved later too, and expires after 30 days. ' +
          'It needs an owner passphrase, and none is chosen yet. A person chooses one on a terminal: `sallyport passphrase set`.\n',
      });
      expect((await home.run([...writer, '--passphrase', passphrase])).code).toBe(2);
      for (const words of [opening, ['passphrase', 'set'], ['passphrase', 'reset'], ['passphrase', 'off']]) {
        const ran = await home.run(words, given);
        expect([words, ran.code, ran.stdout]).toEqual([words, 1, '']);
      }
      expect(await denied()).toEqual(['increase', 'increase', 'passphrase.set', 'passphrase.reset', 'passphrase.off']);
      expect(await known()).toMatchObject({ state: 'none' });
      expect((await tokens()).map(({ name }) => name)).toEqual(['reader']);
      expect((await demo()).externalClients.level).toBe('readOnly');
    }, 60_000);

    test('can’t be switched off by text piped on a terminal', async () => {
      const piped = home.spawnProgram(...lineOnTerminal(`printf 'off\\n' | '${executable}' passphrase off`));
      expect(await new Promise(resolve => piped.once('close', resolve))).toBe(2);
      expect(await known()).toMatchObject({ state: 'none' });
    }, 30_000);

    test('is set where the first act needs it, after the act’s whole effect was shown', async () => {
      for (const answers of [
        [['New owner passphrase: ', '']],
        [['New owner passphrase: ', '\u0003']],
        [
          ['New owner passphrase: ', passphrase],
          ['Type it again: ', `${passphrase}?`],
        ],
        [
          ['New owner passphrase: ', 'short'],
          ['New owner passphrase: ', '\u0003'],
        ],
      ] as const) {
        const given = await typed(writer, ...answers);
        expect([answers, given.code === 0, (await known()).state]).toEqual([answers, false, 'none']);
      }
      expect(await tokens()).toEqual([]);

      const { code, shown } = await typed([...writer, '--json'], ...choosing(passphrase));
      expect(code).toBe(0);
      expect(shown).toMatch(
        /Token writer May do Read & Write .*This makes a Read & Write token .*No owner passphrase is chosen yet: choose one, of 8 characters or more, to allow this\. New owner passphrase: .*Type it again: .*"token": "sp_/,
      );
      expect(shown).not.toContain(passphrase);
      expect(readFileSync(join(home.home, 'secrets.json'), 'utf8')).not.toContain(passphrase);
      expect((await tokens()).map(({ scope }) => scope)).toEqual(['readWrite']);
      expect(await known()).toMatchObject({
        state: 'set',
        chosen: { by: expect.stringMatching(/ on \/dev\//), confirmedAt: null },
      });
    }, 60_000);
  });

  describe('set', () => {
    beforeEach(choose, 30_000);

    test('is asked at each act, after everything that is shown, and never without a terminal', async () => {
      const { code, shown } = await typed([...writer, '--json'], [prompt, passphrase]);
      expect(code).toBe(0);
      expect(shown).toMatch(/May do Read & Write .*those saved later too, and expires after 30 days\. Type the owner /);
      expect(shown).not.toContain(passphrase);
      expect(shown).not.toContain('Nobody confirmed');
      expect(await home.run(writer, { stdin: `${passphrase}\n` })).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(
          'It needs the owner passphrase, which a person types on a terminal or in Sallyport.app.',
        ),
      });
      expect((await home.run(['tokens', 'mint', '--name', 'reader'])).code).toBe(0);
      expect((await home.run(['pause'])).code).toBe(0);
      expect((await home.run(['resume'])).code).toBe(1);
      expect(await typed(['resume'], [prompt, passphrase])).toMatchObject({ code: 0 });
    }, 60_000);

    test('after three wrong ones the right one has to wait, even after a restart', async () => {
      const guesses = await typed(['resume'], [prompt, 'one'], [prompt, 'two'], [prompt, 'three']);
      expect(guesses.code).toBe(1);
      expect(guesses.shown).toContain('for the third time');
      const next = await typed(['resume'], [prompt, passphrase]);
      expect(next.code).toBe(1);
      expect(next.shown).toMatch(/the next try is in \d+ s/);
      await home.run(['stop']);
      await home.run(['start']);
      expect((await known()).state).toBe('set');
      const restarted = await typed(['resume'], [prompt, passphrase]);
      expect(restarted.code).toBe(1);
      expect(restarted.shown).toMatch(/Too many wrong/);
    }, 120_000);

    test('can only be changed with the old one; Ctrl-C gives up', async () => {
      const change = (...more: (readonly [string, string])[]) =>
        typed(['passphrase', 'set'], ...choosing(other), ...more);
      expect((await change([prompt, '\u0003'])).code).toBe(1);
      expect((await typed(['resume'], [prompt, other], [prompt, passphrase])).code).toBe(0);
      expect((await change([prompt, passphrase])).code).toBe(0);
      const differs = await typed(['passphrase', 'set'], choosing('aaaaaaaaaa')[0], choosing('bbbbbbbbbb')[1]);
      expect(differs.code).toBe(1);
      expect(differs.shown).toContain('The two differ');
      const short = await typed(['passphrase', 'set'], choosing('short')[0], ...choosing(other), [prompt, other]);
      expect(short.shown).toContain('has 8 characters or more. Type it only here');
      // The person hears it before typing it again.
      expect(short.shown).toMatch(
        /New owner passphrase: A passphrase has 8 to 256 characters\. New owner passphrase: Type it again: /,
      );
      expect(short.code).toBe(0);
      expect((await typed(['resume'], [prompt, passphrase], [prompt, other])).code).toBe(0);
    }, 120_000);

    test('the shell in which it was typed isn’t asked, by `doctor` either', async () => {
      // Later than the shell by more than the second that `ps` counts in.
      const later = () => setTimeout(1_100, passphrase);
      const words = ['passphrase', `set'; '${executable}' 'doctor' '--all'; 'true`];
      const { shown } = await runOnTerminal(home, words, [...choosing(other), [prompt, later]]);
      expect(shown).toMatch(/passphrase +It is set\./);
      expect(shown).not.toContain('Was that you?');
    });

    test('each command on a terminal says who set it, and none in a pipe, until the person confirms it', async () => {
      const note = 'Note: the owner passphrase was chosen ';
      for (const words of [
        ['settings', 'list'],
        ['connections', 'list'],
        ['connections', 'show', 'nope'],
      ]) {
        const { shown } = await typed(words);
        expect([words, shown.split(note).length]).toEqual([words, 2]);
        expect(shown).toMatch(/ by .* on \/dev\/.*Was that you\? `sallyport passphrase confirm` ends this note\./);
      }
      const piped = await home.run(['connections', 'list']);
      expect(piped.stdout + piped.stderr).not.toContain('Note:');
      expect(await notes()).toMatch(/was chosen .*`sallyport passphrase reset` takes back what was allowed/);

      const status = (await typed(['status'])).shown;
      expect([status.split('was chosen').length, status.includes(note)]).toEqual([2, false]);
      expect((await home.run(['doctor', '--all'])).stdout).toMatch(
        /^advice +passphrase +Chosen by .* on \/dev\/.*Was that you\? Then run `sallyport passphrase confirm`\.$/m,
      );

      // The row says it, so no note follows the problems.
      expect((await typed(['doctor', '--all'])).shown).not.toContain(note);

      expect((await home.run(['passphrase', 'confirm'])).code).toBe(1);
      expect((await typed(['connections', 'list'])).shown).toContain(note);
      expect((await typed(['passphrase', 'confirm'], [prompt, passphrase])).code).toBe(0);
      expect((await typed(['connections', 'list'])).shown).not.toContain(note);
      expect((await home.run(['doctor', '--all'])).stdout).toMatch(/^ok +passphrase +It is set\.$/m);
      expect(await notes()).not.toContain('was chosen');
      expect((await known()).chosen?.confirmedAt).not.toBeNull();

      expect((await typed(['passphrase', 'set'], ...choosing(other), [prompt, passphrase])).code).toBe(0);
      expect((await typed(['connections', 'list'])).shown).toContain(note);
    }, 120_000);

    test('a level that writes asks for how long, before it asks for the passphrase', async () => {
      expect((await home.run(['demo'])).code).toBe(0);
      const choice = 'Number, or Enter for 30 minutes: ';
      const minutesLeft = async (): Promise<number> =>
        (Date.parse((await demo()).externalClients.writeUntil ?? '') - Date.now()) / 60_000;

      const half = await typed(opening, [choice, ''], [prompt, passphrase]);
      expect(half.code).toBe(0);
      expect(half.shown).toMatch(/For how long may AI clients write\? 1 30 minutes 2 until tonight 3 until you end it/);
      const left = await minutesLeft();
      expect(left).toBeGreaterThan(28);
      expect(left).toBeLessThanOrEqual(30);

      // Else "until tonight" gives no more than that in the last half hour of a day.
      expect((await home.run([...opening.slice(0, -1), 'read-only'])).code).toBe(0);
      // None of these prompts is confused with another.
      const tonight = await typed(opening, [choice, '9'], [choice, 'x'], [choice, '2'], [prompt, passphrase]);
      expect(tonight.code).toBe(0);
      // As the guide shows it.
      expect(tonight.shown).toMatch(
        /Connection Demo Clients may read and write, until (\S+ 00:00|\S+ 23:59) until now .* This lets clients write to "Demo" until \1\. Type the owner passphrase to allow this: /,
      );
      // The home's time zone is UTC.
      expect((await demo()).externalClients.writeUntil).toMatch(/T(00:00:0\d|23:59:59)\./);
      expect((await typed(opening, [choice, '3'], [prompt, passphrase])).code).toBe(0);
      expect((await demo()).externalClients).toMatchObject({ level: 'readWrite', writeUntil: null });
      expect((await home.run([...opening, '--for', '1h'])).code).toBe(0);
      expect(await minutesLeft()).toBeGreaterThan(58);
      expect((await typed([...opening, '--for', 'always'], [prompt, passphrase])).code).toBe(0);
      expect((await demo()).externalClients.writeUntil).toBeNull();
    }, 120_000);

    test('reset: what it had allowed is taken back at once; the old one stays valid for a day, and typing it ends the reset', async () => {
      expect((await home.run(['demo'])).code).toBe(0);
      expect((await typed([...opening, '--for', 'always'], [prompt, passphrase])).code).toBe(0);
      expect((await typed(writer, [prompt, passphrase])).code).toBe(0);
      expect((await home.run(['tokens', 'mint', '--name', 'reader'])).code).toBe(0);

      const reset = await typed(['passphrase', 'reset'], ...choosing(other));
      expect(reset.code).toBe(0);
      expect(reset.shown).toContain('The access that the old passphrase allowed has ended');
      expect(reset.shown).toMatch(
        /The new passphrase counts from \d{4}-\d\d-\d\d \d\d:\d\d on, if Sallyport runs until then\./,
      );
      expect(reset.shown).not.toContain('Note:');
      expect((await demo()).externalClients.level).toBe('readOnly');
      const states = Object.fromEntries((await tokens()).map(({ name, state }) => [name, state]));
      expect(states).toEqual({ writer: 'revoked', reader: 'valid' });
      const waiting = (await known()).reset;
      const wait = Date.parse(waiting?.countsAt ?? '') - Date.parse(waiting?.at ?? '');
      // It counts by the time that the daemon runs.
      expect(Math.abs(wait - 86_400_000)).toBeLessThan(1_000);
      expect(await notes()).toContain('A new owner passphrase was chosen');
      expect((await typed(['connections', 'list'])).shown).toMatch(
        /Note: a new owner passphrase, chosen .* counts from /,
      );

      // The new one doesn't count yet, after a restart neither.
      await home.run(['stop']);
      await home.run(['start']);
      expect((await typed(writer, [prompt, other], [prompt, '\u0003'])).code).toBe(1);
      expect((await known()).reset?.id).toBe(waiting?.id);
      expect((await typed(['resume'], [prompt, passphrase])).code).toBe(0);
      expect(await known()).toMatchObject({ state: 'set', reset: null });
    }, 120_000);

    needs(missingPrograms(['faketime'], 'apt-get install faketime')).test(
      'reset: a clock that is set ahead brings the new one no nearer',
      async () => {
        expect((await typed(['passphrase', 'reset'], ...choosing(other))).code).toBe(0);
        await home.run(['stop']);
        for (const ahead of ['+25h', '+6d', '+400d']) {
          const daemon = home.spawnProgram('faketime', ['-f', ahead, daemonExecutable]);
          await until(async () => (await home.here(['status'])).code === 0, 'the daemon answers', 30);
          expect([ahead, (await known()).reset]).toEqual([ahead, expect.objectContaining({ id: expect.any(String) })]);
          expect((await typed(writer, [prompt, other], [prompt, '\u0003'])).code).toBe(1);
          await home.run(['stop']);
          await until(() => daemon.exitCode !== null || daemon.signalCode !== null, 'it has ended', 30);
        }
        await home.run(['start']);
        expect((await typed(writer, [prompt, passphrase])).code).toBe(0);
        expect((await known()).reset).toBeNull();
      },
      120_000,
    );

    test('can only be switched off with it; then each grant says that nobody confirmed it', async () => {
      expect((await typed(['passphrase', 'off'], [prompt, '\u0003'])).code).toBe(1);
      expect((await known()).state).toBe('set');
      const off = await typed(['passphrase', 'off'], [prompt, passphrase]);
      expect(off.code).toBe(0);
      expect(off.shown).toContain('any program that runs as you, your agents too, can then grant more access');
      expect(await notes()).toContain('can grant itself any access');
      expect((await home.run(writer)).stderr).toContain(nobodyConfirmed);
      expect((await home.run(['tokens', 'mint', '--name', 'reader'])).stderr).not.toContain('Nobody');
      expect(off.shown).not.toContain('Note:');
      expect((await typed(['connections', 'list'])).shown).toContain('Note: the owner passphrase was switched off');
      expect((await home.run(['doctor', '--all'])).stdout).toMatch(
        /^advice +passphrase +It is off: any program that runs as you/m,
      );
      const asked = await typed(['passphrase', 'set'], ...choosing(passphrase), [
        'or Enter to decide later: ',
        'keep later',
      ]);
      expect(asked).toMatchObject({ code: 0, shown: expect.stringContaining('passphrase confirm --keep') });
      expect((await home.run(writer)).code).toBe(1);
    }, 120_000);
  });

  test('if there is none yet, off must be spelled out', async () => {
    const word = 'Type off to turn it off: ';
    const not = await typed(['passphrase', 'off'], [word, 'yes']);
    expect([not.code, (await known()).state]).toEqual([1, 'none']);
    expect(not.shown).toContain('any program that runs as you, your agents too, can grant itself more access');
    expect((await typed(['passphrase', 'off'], [word, 'off'])).code).toBe(0);
    expect((await known()).state).toBe('off');
    expect((await typed(['passphrase', 'off'])).code).toBe(1);
    expect(await home.run(writer)).toMatchObject({ code: 0, stderr: expect.stringContaining(nobodyConfirmed) });
  }, 60_000);
});

needs(missingForTyping()).test(
  'a home that was made unattended tells what nobody confirmed once a passphrase is set',
  async () => {
    const home = realHome();
    try {
      expect((await home.run(['start'])).code).toBe(0);
      expect((await home.run(writer)).code).toBe(0);
      const told = async () => (await home.json<StatusResult>(['status'])).passphrase.unconfirmed;
      expect([await told(), (await home.run(['tokens', 'list'])).stdout]).toEqual([
        undefined,
        expect.not.stringContaining('not confirmed'),
      ]);
      const later = ['or Enter to decide later: ', ''] as const;
      const set = await runOnTerminal(home, ['passphrase', 'set'], [...choosing(passphrase), later]);
      expect(set).toMatchObject({ code: 0, shown: expect.stringContaining('makes a Read & Write token "writer"') });
      expect([await told(), (await home.run(['tokens', 'list'])).stdout]).toEqual([
        [expect.stringContaining('makes a Read & Write token "writer"')],
        expect.stringContaining(', not confirmed'),
      ]);
    } finally {
      await home.clean();
    }
  },
  60_000,
);
