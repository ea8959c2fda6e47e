/**
 * A daemon whose clock is three years ahead removes nothing from the log or the history, says so,
 * and continues once the clock is right.
 */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect } from '@jest/globals';
import { type Note, noteText } from '../../../shared/note.ts';
import { missingPrograms, needs } from '../../needs.ts';
import { until } from '../../waiting/until.ts';
import { type ActivityHome, activityHome } from '../activity/home.ts';

const daemon = fileURLToPath(new URL('../../../build/bin/sallyportd', import.meta.url));

let home: ActivityHome;
afterEach(() => home.clean());

const kept = (): { readonly rows: number; readonly statements: number } => {
  let counts = { rows: 0, statements: 0 };
  home.edit(store => {
    const count = (table: string): number => Number(store.value(`select count(*) from ${table}`));
    counts = { rows: count('activity'), statements: count('history') };
  });
  return counts;
};
const notes = async (): Promise<string> =>
  (await home.json<{ notes: Note[] }>(['status'])).notes.map(noteText).join(' ');

needs(missingPrograms(['faketime'], 'apt-get install faketime')).test(
  'three years ahead for a minute',
  async () => {
    home = await activityHome();
    const { token } = await home.mint('Reader');
    for (let times = 0; times < 5; times++) await home.query(token, `select ${times}`);
    await home.run(['stop']);
    const before = kept();
    expect(before).toMatchObject({ statements: 5 });

    // Thirty times as fast, so its minute takes two of our seconds.
    const ahead = spawn('faketime', ['-f', '+1095d x30', daemon], {
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home.folder, TZ: 'UTC', SALLYPORT_HOME: home.home },
      stdio: 'ignore',
    });
    await until(() => existsSync(join(home.home, 'mcp-handshake.json')), 'the daemon answers', 60);
    expect(await notes()).toMatch(/clock is 109\d days ahead/);
    // Both are searched for old rows a minute after the start.
    await new Promise(resolve => setTimeout(resolve, 3_000));
    expect(kept().statements).toBe(before.statements);
    expect(kept().rows).toBeGreaterThanOrEqual(before.rows);
    await home.run(['stop']);
    await until(() => ahead.exitCode !== null || ahead.signalCode !== null, 'the daemon has ended', 30);

    await home.run(['start']);
    expect(await notes()).not.toContain('clock');
    expect(await home.verify()).toMatchObject({ intact: true });
    expect(kept().statements).toBe(before.statements);
  },
  150_000,
);
