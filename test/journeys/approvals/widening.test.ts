/** The owner passphrase typed on a real terminal, and what happens where there is none (spec §11). */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { needs } from '../../needs.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { missingForTyping, runOnTerminal } from '../terminal/typed-on-a-terminal.ts';

const passphrase = 'correct horse battery';
const prompt = 'Owner passphrase: ';

needs(missingForTyping()).describe('widening on a terminal', () => {
  let home: RealHome;
  beforeEach(async () => {
    home = realHome();
    expect((await home.run(['start'])).code).toBe(0);
  });
  afterEach(() => home.clean());

  const typed = (words: readonly string[], ...answers: (readonly [string, string])[]) =>
    runOnTerminal(home, words, answers);
  const setPassphrase = () =>
    typed(['passphrase', 'set'], ['New owner passphrase: ', passphrase], ['The same again: ', passphrase]);

  test('free at first, and said so; set once, everything that widens asks, and stdin is no terminal', async () => {
    const before = await home.json<{ widening: string; notes: string[] }>(['status']);
    expect(before.widening).toBe('free');
    expect(before.notes.join(' ')).toContain('any program that runs as you');
    const early = await home.run(['settings', 'set', 'widening', 'ask']);
    expect(early).toMatchObject({ code: 1 });
    expect(early.stderr).toContain('sallyport passphrase set');

    const set = await setPassphrase();
    expect(set).toMatchObject({ code: 0 });
    expect(set.shown).toContain('asks for it before anything grants more access');
    expect(set.shown).not.toContain(passphrase);
    expect(readFileSync(join(home.home, 'secrets.json'), 'utf8')).not.toContain(passphrase);
    const after = await home.json<{ widening: string; notes: string[] }>(['status']);
    expect(after.widening).toBe('ask');
    expect(after.notes.join(' ')).not.toContain('any program that runs as you can give');

    // No terminal: neither piped nor given in a variable.
    const piped = await home.run(['tokens', 'mint', '--name', 'x'], {
      stdin: `${passphrase}\n`,
      environment: { SALLYPORT_PASSPHRASE: passphrase },
    });
    expect(piped).toMatchObject({ code: 1, stdout: '' });
    expect(piped.stderr).toContain(
      'This makes a Read Only token "x" that reaches every connection, those saved later too, and expires after 30 days, so the owner of this Sallyport has to confirm it',
    );
    const flag = await home.run(['tokens', 'mint', '--name', 'x', '--passphrase', passphrase]);
    expect(flag.code).toBe(2);

    const minted = await typed(['tokens', 'mint', '--name', 'x', '--json'], [prompt, passphrase]);
    expect(minted).toMatchObject({ code: 0 });
    expect(minted.shown).toContain('"token": "sp_');
    expect(minted.shown).not.toContain(passphrase);
    expect((await home.run(['tokens', 'mint', '--name', 'y'])).code).toBe(1);
    expect(await home.json(['tokens', 'list'])).toHaveLength(1);

    expect((await home.run(['pause'])).code).toBe(0);
    expect((await home.run(['resume'])).code).toBe(1);
    expect(await typed(['resume'], [prompt, passphrase])).toMatchObject({ code: 0 });
  }, 120_000);

  test('three wrong ones, and the right one has to wait, a restart notwithstanding', async () => {
    expect((await setPassphrase()).code).toBe(0);
    const guesses = await typed(['resume'], [prompt, 'one'], [prompt, 'two'], [prompt, 'three']);
    expect(guesses.code).toBe(1);
    expect(guesses.shown).toContain('for the third time');
    const next = await typed(['resume'], [prompt, passphrase]);
    expect(next.code).toBe(1);
    expect(next.shown).toMatch(/the next try is in \d+ s/);
    await home.run(['stop']);
    await home.run(['start']);
    expect((await home.json<{ widening: string }>(['status'])).widening).toBe('ask');
    const restarted = await typed(['resume'], [prompt, passphrase]);
    expect(restarted.code).toBe(1);
    expect(restarted.shown).toMatch(/Too many wrong/);
  }, 120_000);

  test('changed and cleared with the old one only; Ctrl-C gives up', async () => {
    expect((await setPassphrase()).code).toBe(0);
    const other = ['another one of mine', 'another one of mine'] as const;
    const change = (...more: (readonly [string, string])[]) =>
      typed(['passphrase', 'set'], ['New owner passphrase: ', other[0]], ['The same again: ', other[1]], ...more);
    expect((await change([prompt, '\u0003'])).code).toBe(1);
    expect((await change([prompt, passphrase])).code).toBe(0);
    const differs = await typed(
      ['passphrase', 'set'],
      ['New owner passphrase: ', 'aaaaaaaaaa'],
      ['again: ', 'bbbbbbbbbb'],
    );
    expect(differs.code).toBe(1);
    expect(differs.shown).toContain('not the same');
    const short = await typed(
      ['passphrase', 'set'],
      ['New owner passphrase: ', 'short'],
      ['again: ', 'short'],
      [prompt, other[0]],
    );
    expect(short.code).toBe(2);
    expect((await home.run(['passphrase', 'clear'])).code).toBe(1);
    expect((await typed(['passphrase', 'clear'], [prompt, other[0]])).code).toBe(0);
    expect((await home.run(['tokens', 'mint', '--name', 'z'])).code).toBe(0);
  }, 120_000);
});
