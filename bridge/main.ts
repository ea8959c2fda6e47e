#!/usr/bin/env node
/** `sallyport-mcp`: wires stdin and stdout to the daemon (SPEC §15). No configuration; everything it decides is decided elsewhere. */

import { randomUUID } from 'node:crypto';
import { LineSplitter } from '../shared/lines.ts';
import { homeFolder } from '../shared/locations.ts';
import { version } from '../shared/version.ts';
import { Finder } from './finding.ts';
import { onParentDeath } from './lifetime.ts';
import { bridgeLimits } from './limits.ts';
import { Output, openStandardOutput } from './output.ts';
import { Relay } from './relay.ts';

if (process.argv.includes('--version')) {
  process.stdout.write(`sallyport-mcp ${version}\n`);
} else {
  run();
}

function run(): void {
  const finder = new Finder(homeFolder(process.env), launch);
  finder.lookAhead();
  const stdout = openStandardOutput();
  const relay = new Relay({ finder, output: new Output(stdout), report: reporter(), bridgeId: randomUUID() });
  const lines = new LineSplitter(bridgeLimits.maxLineBytes, () => relay.refuseTooLong());
  const { stdin } = process;
  let ending = false;

  const exit = () => process.exit(0);
  const exitWhenDone = () => {
    if (relay.isIdle && stdout.writableLength === 0) exit();
  };
  const end = () => {
    if (ending) return;
    ending = true;
    setTimeout(exit, bridgeLimits.lastAnswersMilliseconds);
    stdout.on('drain', exitWhenDone);
    exitWhenDone();
  };

  stdout.on('error', exit);
  onParentDeath(exit);
  stdin.on('data', (chunk: Buffer) => {
    for (const line of lines.push(chunk)) relay.accept(line);
    if (relay.isFull) stdin.pause();
  });
  stdin.on('end', end);
  stdin.on('close', end);
  stdin.on('error', exit);
  relay.onSettled(() => {
    if (ending) exitWhenDone();
    else if (stdin.isPaused() && !relay.isFull) stdin.resume();
  });
}

/** Loaded only when it is needed: most bridges find a daemon. */
async function launch() {
  const { daemonBeside, homeToName, launchDaemon } = await import('../shared/launch.ts');
  return launchDaemon({
    daemonExecutable: daemonBeside(process.argv[1] ?? process.execPath),
    namedHome: homeToName(process.env),
  });
}

/** The same sentence for many requests is said once. */
function reporter(): (sentence: string) => void {
  let last = '';
  return sentence => {
    if (sentence !== last) process.stderr.write(`${sentence}\n`);
    last = sentence;
  };
}
