/**
 * `sallyport init --unattended FILE` (spec §11): makes a home where no person can type a passphrase
 * (CI, images, cron), with its connections, tokens and settings. Only makes a new home, so nobody's
 * home loses its confirmations.
 */

import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ControlCommands } from '../../shared/asked-commands.ts';
import { homePlaceProblem, makeHomeFolder } from '../../shared/home-place.ts';
import { unattendedMark } from '../../shared/locations.ts';
import { unusableHome } from '../../shared/usable-home.ts';
import { CliError, failed, misuse } from '../cli-error.ts';
import { command } from '../command.ts';
import { paramsOf, parsedUrl } from '../connection-fields.ts';
import type { ControlClient } from '../control-client.ts';
import { askDaemon, endingOf, withDaemon } from '../daemon.ts';
import { type PolicyText, withLine } from '../policy/read.ts';
import { startDaemon } from '../starting.ts';
import { locationsOf, print, printJson, remark, type Terminal } from '../terminal.ts';
import { type Plan, readPlan } from '../unattended-plan.ts';
import { applyNarrowing } from './policy.ts';
import { grantOf } from './tokens.ts';

export const initCommand = command(
  {
    words: 'init',
    about: 'Make a home where nobody types a passphrase',
    details: [
      'FILE is JSON: {"connections": [{"name": "Shop", "url": "postgres://…",',
      '"password": "…", "external-clients": "read-write"}], "tokens": [{"name": "ci",',
      '"scope": "read-write", "connections": "Shop"}], "settings": {}}. Connections take',
      'the options of `connections add`, tokens those of `tokens mint`. "policy" names a',
      'policy file beside it, which may only narrow. The home must be new or empty. Its',
      'passphrase is off, so any program of its user can grant itself any access. The',
      'tokens are printed once.',
    ],
    options: {
      unattended: { type: 'string', value: 'FILE', about: 'a JSON file with its content, or - for stdin (needed)' },
    },
  },
  async ({ terminal, options: { unattended }, json }) => {
    if (unattended === undefined) throw misuse('--unattended FILE is needed; a person runs `sallyport setup`.');
    const wanted = await wantedBy(terminal, await readPlan(terminal, unattended));
    const { home } = locationsOf(terminal);
    await beginHome(terminal, home);
    await startDaemon(terminal).catch((error: unknown) => {
      // A later start of this home must not go without a passphrase unasked.
      rmSync(join(home, unattendedMark), { force: true });
      throw error;
    });
    const tokens = await withDaemon(terminal, client => carryOut(client, wanted)).catch((thrown: unknown) => {
      throw failed(
        `${(thrown as Error).message} ${home} is incomplete: stop Sallyport, remove that folder, then try again.`,
      );
    });
    if (json) return printJson(terminal, { home, tokens });
    for (const { name, token } of tokens) print(terminal, `${name}\t${token}`);
    remark(terminal, `${home} is made. Its passphrase is off: nothing is confirmed there.`);
  },
);

/** @throws CliError if there is one already. */
async function beginHome(terminal: Terminal, home: string): Promise<void> {
  const isEmpty = !existsSync(home) || readdirSync(home).length === 0;
  const unfit = isEmpty ? homePlaceProblem(home) : unusableHome(home);
  if (unfit !== null) throw failed(unfit);
  try {
    makeHomeFolder(home);
    if (readdirSync(home).length > 0) {
      // For a row in a running daemon's activity log; without a daemon there is no log to write.
      await askDaemon(terminal, 'passphrase.off', { forNewHome: true }).catch(() => {});
      throw failed(`${home} is not empty, and only a new home can be made unattended. Nothing was changed.`);
    }
    writeFileSync(join(home, unattendedMark), '', { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (error instanceof CliError) throw error;
    throw code === undefined ? failed((error as Error).message) : failed(`${home} can't be made (${code}).`);
  }
}

type Asked<Method extends keyof ControlCommands> = ControlCommands[Method]['params'];

interface Wanted {
  readonly settings: readonly Asked<'settings.set'>[];
  readonly connections: readonly Asked<'connections.save'>[];
  readonly tokens: readonly Asked<'tokens.mint'>[];
  readonly policy: PolicyText | null;
}

/** The requests for the daemon, checked first, so a wrong plan makes no home. @throws CliError */
async function wantedBy(terminal: Terminal, { settings, connections, tokens, policy }: Plan): Promise<Wanted> {
  const saves: Asked<'connections.save'>[] = [];
  for (const { name, url, password, options } of connections) {
    const params = await paramsOf(terminal, options, parsedUrl(terminal, url));
    const stored = password === null ? {} : { password: { kind: 'stored' as const, value: password } };
    saves.push({ name, ...params, ...stored });
  }
  return {
    settings: settings.map(([key, value]) => ({ key, value })),
    connections: saves,
    policy,
    tokens: tokens.map(({ name, confirmInClient, options }) => ({ name, ...grantOf(options), confirmInClient })),
  };
}

/** @throws CliError; whatever was saved before stays in the home. */
async function carryOut(client: ControlClient, { settings, connections, tokens, policy }: Wanted) {
  // The end says once that nothing is confirmed.
  client.onUnconfirmed(() => {});
  const { passphrase } = await client.ask('status', {});
  if (passphrase.state !== 'off') throw failed('Another program started Sallyport in this home first.');
  for (const setting of settings) await client.ask('settings.set', setting);
  for (const connection of connections) await client.ask('connections.save', connection);
  // Before a token is there to use what it narrows.
  if (policy !== null)
    await applyNarrowing(client, policy).catch((error: unknown) => {
      throw withLine(endingOf(error), policy);
    });
  const minted: { name: string; token: string }[] = [];
  for (const wanted of tokens) {
    const { name, token } = await client.ask('tokens.mint', wanted);
    minted.push({ name, token });
  }
  return minted;
}
