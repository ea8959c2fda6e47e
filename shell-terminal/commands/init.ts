/**
 * `sallyport init --unattended FILE` (spec §11): makes a home on a machine where no person types a passphrase (CI, images, cron), with its
 * connections, tokens and settings. Only a home that isn't there yet: none that somebody uses is switched to go unconfirmed.
 */

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unattendedMark } from '../../shared/locations.ts';
import { command } from '../command.ts';
import { paramsOf, parsedUrl } from '../connection-fields.ts';
import type { ControlClient } from '../control-client.ts';
import { withDaemon } from '../daemon.ts';
import { failed, misuse } from '../ending.ts';
import { started } from '../starting.ts';
import { locationsOf, print, printJson, remark, type Terminal } from '../terminal.ts';
import { type Plan, readPlan } from '../unattended-plan.ts';
import { grantOf } from './tokens.ts';

export const initCommand = command(
  {
    words: 'init',
    about: 'Make a home where nobody types a passphrase',
    details: [
      'FILE is JSON: {"connections": [{"name": "Shop", "url": "postgres://…",',
      '"password": "…", "external-clients": "read-write"}], "tokens": [{"name": "ci",',
      '"scope": "read-write", "connections": "Shop"}], "settings": {}}. Each has the',
      'options of `connections add` and `tokens mint`; - reads it from stdin. The home',
      'must be new or empty; its passphrase is off, so any program of its user may',
      'allow itself anything. The tokens are printed once.',
    ],
    options: { unattended: { type: 'string', value: 'FILE', about: 'what the home holds (needed)' } },
  },
  async ({ terminal, options: { unattended }, json }) => {
    if (unattended === undefined) throw misuse('--unattended FILE is needed; a person runs `sallyport setup`.');
    const plan = await readPlan(terminal, unattended);
    beginHome(locationsOf(terminal).home);
    await started(terminal);
    const tokens = await withDaemon(terminal, client => carryOut(terminal, client, plan));
    if (json) return printJson(terminal, { home: locationsOf(terminal).home, tokens });
    for (const { name, token } of tokens) print(terminal, `${name}\t${token}`);
    remark(terminal, `${locationsOf(terminal).home} is made. Its passphrase is off: nothing is confirmed there.`);
  },
);

/** @throws Ending where there is one already. */
function beginHome(home: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    if (readdirSync(home).length > 0)
      throw failed(`${home} is not empty, and only a new home can be made unattended. Nothing was changed.`);
    writeFileSync(join(home, unattendedMark), '', { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw code === undefined ? error : failed(`${home} can't be made (${code}).`);
  }
}

/** @throws Ending; what was saved by then stays in the home, which its maker may remove. */
async function carryOut(terminal: Terminal, client: ControlClient, plan: Plan) {
  // That nothing is confirmed is said at the end, once.
  client.onUnconfirmed(() => {});
  const { passphrase } = await client.ask('status', {});
  if (passphrase.state !== 'off')
    throw failed('Another program started Sallyport in this home first; remove it, then try again.');
  for (const [key, value] of plan.settings) await client.ask('settings.set', { key, value });
  for (const { name, url, password, options } of plan.connections) {
    const params = await paramsOf(terminal, options, parsedUrl(terminal, url));
    const stored = password === null ? {} : { password: { kind: 'stored' as const, value: password } };
    await client.ask('connections.save', { name, ...params, ...stored });
  }
  const minted: { name: string; token: string }[] = [];
  for (const { name, confirmInClient, options } of plan.tokens) {
    const { token } = await client.ask('tokens.mint', { name, ...grantOf(options), confirmInClient });
    minted.push({ name, token });
  }
  return minted;
}
