/**
 * `sallyport-mcp`: wires stdin and stdout to the daemon (spec §15). No configuration; everything it
 * decides is decided elsewhere.
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
 * What was asked just before stdin closed may still be answered in this time; the bridge is gone
 * within 200 ms (spec §15).
 */
const lastAnswersMilliseconds = 110;
const parentCheckMilliseconds = 80;
/** When the first answers are out, what only matters in the long run is seen to. */
const settledMilliseconds = 30;
/** A sentence on stderr is not said again so soon. */
const sameSentenceMilliseconds = 10_000;

const whatItIs =
  'sallyport-mcp speaks MCP on stdin and stdout, and AI clients start it: `sallyport connect CLIENT` prints what one needs for that.\n';

if (process.argv.includes('--version')) {
  process.stdout.write(`sallyport-mcp ${version}\n`);
} else if (process.argv.includes('--help')) {
  process.stdout.write(whatItIs);
} else {
  const home = homeOrNone();
  if (home !== null) {
    const finder = new Finder(home, launch);
    finder.lookAhead();
    // By then the daemon has been asked for its proof, and makes it while we open our streams.
    setImmediate(run, finder);
  }
}

/**
 * Null, said and the exit code set, where none is named rightly, or the account has none: as in a
 * container, under a user id of no account.
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
 * Within 200 ms of the client's end, however that shows (spec §15). Also where another process
 * keeps our stdin open: a child whose parent died gets another one.
 */
function onParentDeath(listener: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) listener();
  }, parentCheckMilliseconds);
  timer.unref();
}

/**
 * A young generation that never grows: a call leaves a few kilobytes of garbage, for which V8 would
 * set up 32 MB in time. Without it a bridge holds 62 MB after 1,800 calls, with it 55. To be called
 * when the first answers are out: of Node's own code, what is loaded under other flags than it was
 * built with is compiled anew.
 */
async function settle() {
  const { setFlagsFromString } = await import('node:v8');
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Loaded only when it is needed: most bridges find a daemon. */
async function launch() {
  const { isKeptStopped } = await import('../shared/stopped-until-login.ts');
  if (isKeptStopped(homeFolder(process.env)))
    return {
      kind: 'failed',
      problem: 'its user stopped it until the next login',
    } as const;
  const { daemonBeside } = await import('../shared/install.ts');
  const { homeToName, launchDaemon, startedFile } = await import('../shared/launch.ts');
  return launchDaemon({
    daemonExecutable: daemonBeside(startedFile()),
    namedHome: homeToName(process.env),
  });
}

/**
 * The same sentence for many requests is said once; when it comes up again later, it is said again.
 */
function reporter(): (sentence: string) => void {
  let last = '';
  let saidAt = 0;
  return sentence => {
    const now = elapsedMilliseconds();
    if (sentence === last && now - saidAt < sameSentenceMilliseconds) return;
    last = sentence;
    saidAt = now;
    const { stderr } = process;
    // A client may have closed it: nobody reads then, and the answers go on.
    if (stderr.listenerCount('error') === 0) stderr.on('error', () => {});
    stderr.write(`${sentence}\n`);
  };
}
