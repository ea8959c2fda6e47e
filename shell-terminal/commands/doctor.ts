/**
 * `sallyport doctor`: checks everything that may keep a client from its databases, and prints a
 * line for each check (spec §16). It repairs nothing.
 */

import { appAround } from '../../shared/app-bundle.ts';
import type { StatusResult } from '../../shared/control-commands.ts';
import { bridgeBeside, daemonBeside } from '../../shared/install.ts';
import { unusableFolder } from '../../shared/usable-home.ts';
import { failed } from '../cli-error.ts';
import { command } from '../command.ts';
import type { Connecting } from '../control-client.ts';
import { tryDaemon } from '../daemon.ts';
import { checkSignature } from '../doctor/app-signature.ts';
import { type Check, ok, problem } from '../doctor/check.ts';
import { checkLines } from '../doctor/check-lines.ts';
import { checkDatabases } from '../doctor/databases.ts';
import { checkFiles } from '../doctor/files.ts';
import { checkNativeModules } from '../doctor/native-modules.ts';
import { checkPath, checkPrograms } from '../doctor/programs.ts';
import {
  checkAccess,
  checkActivity,
  checkDaemon,
  checkDescriptors,
  checkNode,
  checkPassphrase,
  checkPort,
} from '../doctor/running.ts';
import { checkSecrets } from '../doctor/secrets.ts';
import { checkStore } from '../doctor/store.ts';
import { checkTrust } from '../doctor/trust.ts';
import { sayNoMoreOfPassphrase } from '../owner-passphrase.ts';
import { locationsOf, print, printJson, say, type Terminal } from '../terminal.ts';
import { showWaiting } from '../waiting-line.ts';

export const doctorCommand = command(
  {
    words: 'doctor',
    about: 'Check for problems, and say what to do',
    details: ['Works without the daemon too. Exits with 1 if it finds a problem.'],
    options: { all: { type: 'boolean', about: 'list what is fine too' } },
  },
  async ({ terminal, options: { all }, json }) => {
    let at = '';
    const told = (says: string): void => {
      at = `: ${says}`;
    };
    const checks = await showWaiting(terminal, () => `Looking${at}`, allChecks(terminal, told));
    const problems = checks.filter(check => !check.ok).length;
    // One of the checks says it already.
    sayNoMoreOfPassphrase();
    const fine = checks.filter(check => check.ok && !check.advice);
    const advised = checks.filter(check => check.advice);
    const toDo = [...checks.filter(check => !check.ok), ...advised];
    if (json) printJson(terminal, { ok: problems === 0, checks });
    else print(terminal, ...checkLines(terminal, all ? [...toDo, ...fine] : toDo));
    if (!json && !all) say(terminal, `${fine.length} checks are fine; \`sallyport doctor --all\` lists them.`);
    if (problems > 0) throw failed(problems === 1 ? 'One problem was found.' : `${problems} problems were found.`);
  },
);

async function allChecks(terminal: Terminal, told: (says: string) => void): Promise<Check[]> {
  const locations = locationsOf(terminal);
  const bridge = bridgeBeside(terminal.script);
  const app = appAround(process.platform, process.execPath);
  const programs = app === null ? checkPrograms() : [checkSignature(app)];
  const install = [checkNode(), checkInstall(terminal, bridge), ...programs, ...(await checkNativeModules())];
  const onPath = checkPath(terminal.environment.PATH, terminal.script);
  const unusable = unusableFolder(locations.home);
  if (unusable !== null) return [...install, ...onPath, problem('home', `${unusable.problem}.`, unusable.remedy)];
  const connecting = await tryDaemon(terminal);
  const { status, activity, databases } = await answersOf(connecting, told);
  // Loaded on demand: the parsers would add a third to every command's start.
  const { checkClients } = await import('../doctor/clients.ts');
  const [{ checkPast }, { lookingFrom }] = await Promise.all([
    import('../doctor/past.ts'),
    import('../past/entries.ts'),
  ]);
  const looking = lookingFrom(terminal);
  const secrets = await checkSecrets(locations, terminal.environment);
  return [
    ...install,
    ...onPath,
    ...checkFiles(locations),
    ...checkStore(locations.store),
    secrets,
    ...(await checkDaemon(connecting, status, locations, secrets.ok)),
    ...(await checkTrust(locations, status !== null || (!secrets.ok && connecting.kind === 'untrusted'))),
    checkPort(status),
    ...(await checkPassphrase(status)),
    ...checkAccess(status),
    ...databases,
    ...checkDescriptors(status),
    ...activity,
    ...checkClients(looking, {
      home: locations.home,
      bridge,
      port: status?.port ?? null,
    }),
    ...(await checkPast(looking)),
  ];
}

interface Answers {
  /** Null unless a daemon answers. */
  readonly status: StatusResult | null;
  readonly activity: readonly Check[];
  readonly databases: readonly Check[];
}

const noAnswers: Answers = { status: null, activity: [], databases: [] };

async function answersOf(connecting: Connecting, told: (says: string) => void): Promise<Answers> {
  if (connecting.kind !== 'connected') return noAnswers;
  const { client } = connecting;
  try {
    const status = await client.ask('status', {}).catch(() => null);
    if (status === null) return noAnswers;
    if (client.unproved !== null) return { ...noAnswers, status };
    const activity = client.ask('activity.query', { limit: 1 }).then(answer => [checkActivity(answer)]);
    return {
      status,
      activity: await orProblem('activity', activity),
      databases: await orProblem('database', checkDatabases(client, told)),
    };
  } finally {
    client.close();
  }
}

/** A check that fails by itself is a problem. The daemon runs all the same: it gave its status. */
function orProblem(name: string, checks: Promise<Check[]>): Promise<Check[]> {
  return checks.catch((error: Error) => [
    problem(name, `This check failed: ${error.message}`, 'run `sallyport doctor` again'),
  ]);
}

function checkInstall(terminal: Terminal, bridge: string | null): Check {
  const again = 'build or install Sallyport again';
  if (daemonBeside(terminal.script) === null)
    return problem('install', 'sallyportd is not beside this command.', again);
  if (bridge === null) return problem('install', 'sallyport-mcp is not beside this command.', again);
  return ok('install', `Clients start ${bridge}.`);
}
