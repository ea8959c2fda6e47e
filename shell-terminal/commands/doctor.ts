/** `sallyport doctor`: looks at everything that may keep a client from its databases, one line each (SPEC §16). Mends nothing. */

import type { StatusResult } from '../../shared/control-commands.ts';
import { daemonBeside } from '../../shared/launch.ts';
import { shownText } from '../../shared/shown-text.ts';
import { readStoreRecord } from '../../shared/store-record.ts';
import { command } from '../command.ts';
import type { Connecting } from '../control-client.ts';
import { tryDaemon } from '../daemon.ts';
import { type Check, ok, problem } from '../doctor/check.ts';
import { checkClients } from '../doctor/clients.ts';
import { checkFiles } from '../doctor/files.ts';
import { checkDaemon, checkNode, checkPort } from '../doctor/running.ts';
import { checkTrust } from '../doctor/trust.ts';
import { failed } from '../ending.ts';
import { bridgeBeside } from '../install.ts';
import { findShellSecret } from '../shell-secret.ts';
import { locationsOf, print, printJson, styled, type Terminal, widthOf, wrapped } from '../terminal.ts';

export const doctorCommand = command(
  {
    words: 'doctor',
    arguments: [],
    about: 'Look for what may be wrong, and say what to do',
    details: ['Works without the daemon too. Exit code 1 where a problem was found.'],
    options: {},
    json: true,
  },
  async ({ terminal, json }) => {
    const checks = await allChecks(terminal);
    const problems = checks.filter(check => !check.ok).length;
    if (json) printJson(terminal, { ok: problems === 0, checks });
    else print(terminal, ...shown(terminal, checks));
    if (problems > 0) throw failed(problems === 1 ? 'One problem was found.' : `${problems} problems were found.`);
  },
);

async function allChecks(terminal: Terminal): Promise<Check[]> {
  const locations = locationsOf(terminal);
  const connecting = await tryDaemon(terminal);
  const status = await statusOf(connecting);
  const bridge = bridgeBeside(terminal.script);
  return [
    checkNode(),
    checkInstall(terminal, bridge),
    ...checkFiles(locations),
    await checkSecrets(terminal),
    ...checkDaemon(connecting, status, locations),
    ...(await checkTrust(locations, status !== null)),
    checkPort(status),
    ...checkClients(terminal.userHome, bridge, status?.port ?? null),
  ];
}

/** Null without a daemon that answers. */
async function statusOf(connecting: Connecting): Promise<StatusResult | null> {
  if (connecting.kind !== 'connected') return null;
  try {
    return await connecting.client.ask('status', {});
  } catch {
    return null;
  } finally {
    connecting.client.close();
  }
}

function checkInstall(terminal: Terminal, bridge: string | null): Check {
  const again = 'build or install Sallyport again';
  if (daemonBeside(terminal.script) === null)
    return problem('install', 'sallyportd is not beside this command.', again);
  if (bridge === null) return problem('install', 'sallyport-mcp is not beside this command.', again);
  return ok('install', `Clients start ${bridge}.`);
}

async function checkSecrets(terminal: Terminal): Promise<Check> {
  const locations = locationsOf(terminal);
  const record = readStoreRecord(locations.storeRecord);
  if (record.kind === 'absent') return ok('secrets', 'None yet; the first start decides where they are kept.');
  const found = await findShellSecret(locations, terminal.environment);
  if (found.kind === 'unusable') return problem('secrets', found.problem, 'see what it says, then run doctor again');
  const isInFile = record.kind === 'read' && record.record.secrets === 'file';
  if (found.kind === 'absent')
    return problem(
      'secrets',
      `${locations.secrets} has no secret for this command.`,
      'restore it from a backup, or start the daemon again',
    );
  return ok(
    'secrets',
    isInFile ? 'In secrets.json, which any program that runs as you can read.' : 'In the keychain, which is open.',
  );
}

function shown(terminal: Terminal, checks: readonly Check[]): string[] {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const available = widthOf(terminal.stdout);
  const indent = ' '.repeat(width + 11);
  return checks.flatMap(({ name, ok: isFine, says, remedy }) => {
    const mark = isFine ? styled(terminal, 'green', 'ok     ') : styled(terminal, 'yellow', 'problem');
    const text = shownText(remedy === null ? says : `${says} To do: ${remedy}.`);
    const [first = '', ...rest] = wrapped(
      text,
      available === null ? null : Math.max(20, available - indent.length),
      '',
    );
    return [`${mark}  ${name.padEnd(width)}  ${first}`, ...rest.map(line => `${indent}${line}`)];
  });
}
