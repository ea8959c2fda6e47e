/**
 * `sallyport-mcp`: connects stdin and stdout to the daemon (spec §15). Has no configuration;
 * decides nothing itself.
 */

import '../shared/debugger-shut.ts';

import { homeFolder, MisnamedHome } from '../shared/locations.ts';
import { version } from '../shared/version.ts';
import { bridgeLimits } from './bridge-limits.ts';
import { Input } from './client/input.ts';
import { Output, openStandardOutput } from './client/output.ts';
import { Finder } from './daemon/finding.ts';
import { elapsedMilliseconds } from './elapsed.ts';
import { Relay } from './relay.ts';

/**
 * Time for answers to the last requests before stdin closed. The bridge ends within 200 ms (spec
 * §15).
 */
const lastAnswersMilliseconds = 110;
const parentCheckMilliseconds = 80;
/** Once the first answers are out, work follows that matters only in the long run. */
const settledMilliseconds = 30;
/** The same sentence on stderr is repeated only after this time. */
const sameSentenceMilliseconds = 10_000;

const whatItIs =
  'sallyport-mcp speaks MCP on stdin and stdout, and AI clients start it: `sallyport connect CLIENT` prints the entry for one.\n';

if (process.argv.includes('--version')) {
  process.stdout.write(`sallyport-mcp ${version}\n`);
} else if (process.argv.includes('--help')) {
  process.stdout.write(whatItIs);
} else {
  const home = homeOrNone();
  if (home !== null) {
    const finder = new Finder(home, launch);
    finder.lookAhead();
    // The daemon has been asked for its proof, and makes it while the bridge opens its streams.
    setImmediate(run, finder);
  }
}

/**
 * Null, with the sentence written and the exit code set, if SALLYPORT_HOME is wrong or the account
 * has no home, as in a container under an unknown user id.
 */
function homeOrNone(): string | null {
  try {
    return homeFolder(process.env);
  } catch (error) {
    const noHome = 'This user has no home folder; start sallyport-mcp with HOME or SALLYPORT_HOME set.';
    process.stderr.write(`${error instanceof MisnamedHome ? error.message : noHome}\n`);
    process.exitCode = 1;
    return null;
  }
}

function run(finder: Finder): void {
  const stdout = openStandardOutput();
  const relay = new Relay({ finder, output: new Output(stdout), report: reporter(), limits: bridgeLimits });
  const { stdin } = process;
  if (stdin.isTTY) process.stderr.write(whatItIs);
  const input = new Input(stdin, relay);
  let ending = false;

  const exit = () => process.exit(0);
  const exitWhenDone = () => {
    if (relay.isIdle && stdout.writableLength === 0) exit();
  };
  const end = () => {
    if (ending) return;
    ending = true;
    setTimeout(exit, lastAnswersMilliseconds);
    stdout.on('drain', exitWhenDone);
    exitWhenDone();
  };

  stdout.on('error', exit);
  onParentDeath(exit);
  setTimeout(settle, settledMilliseconds).unref();
  stdout.on('drain', () => input.goOn());
  stdin.on('end', end);
  stdin.on('close', end);
  stdin.on('error', exit);
  relay.onSettled(() => {
    if (ending) exitWhenDone();
    else input.goOn();
  });
}

/**
 * The bridge ends within 200 ms of its client (spec §15), also if another process keeps stdin open:
 * a child whose parent died gets a new parent.
 */
function onParentDeath(listener: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) listener();
  }, parentCheckMilliseconds);
  timer.unref();
}

/**
 * Keeps V8's young generation small. A call leaves a few kilobytes of garbage, for which V8 would
 * set up 32 MB in time. After 1,800 calls a bridge holds 55 MB with this, 62 without. Call it when
 * the first answers are out: changed flags make Node compile its own code again.
 */
async function settle() {
  const { setFlagsFromString } = await import('node:v8');
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Loaded on demand: most bridges find a daemon. */
async function launch() {
  const { isKeptStopped } = await import('../shared/stopped-until-login.ts');
  if (isKeptStopped(homeFolder(process.env)))
    return {
      kind: 'failed',
      problem: 'its user stopped it until the next login',
    } as const;
  const { daemonBeside } = await import('../shared/install.ts');
  const { homeToName, launchDaemon } = await import('../shared/launch.ts');
  const { startedFile } = await import('../shared/started-file.ts');
  return launchDaemon({
    daemonExecutable: daemonBeside(startedFile()),
    namedHome: homeToName(process.env),
  });
}

/** Says the same sentence for many requests once, and again if it recurs later. */
function reporter(): (sentence: string) => void {
  let last = '';
  let saidAt = 0;
  return sentence => {
    const now = elapsedMilliseconds();
    if (sentence === last && now - saidAt < sameSentenceMilliseconds) return;
    last = sentence;
    saidAt = now;
    const { stderr } = process;
    // The client may have closed stderr; answers still go on.
    if (stderr.listenerCount('error') === 0) stderr.on('error', () => {});
    stderr.write(`${sentence}\n`);
  };
}
