/**
 * Runs the macOS shell's Swift tests, with the built daemon beside them and a real MCP client that
 * asks it. The Swift test may be in a chroot that sees this folder only and no variable. So files
 * say where the daemon is, and what the client is to do. Exits with the code of `swift test`; 1 if
 * there is no Swift, or if the tests beside the daemon did not run.
 */

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTerminal } from '../terminals/on-terminal.mjs';
import { beginUnattended } from '../unattended-home.mjs';
import { answerMail } from './mail.mjs';
import { standOutside } from './outside.mjs';
import { notRun } from './real-daemon-ran.mjs';
import { startWithSecretsInFile } from './secrets-in-file.mjs';
import { buildFlags, swiftCommand } from './swift-toolchain.mjs';

const project = fileURLToPath(new URL('../..', import.meta.url));
const shell = join(project, 'shell-macos');
const sallyport = join(project, 'build/bin/sallyport');

async function main() {
  const swift = swiftCommand();
  if (swift === null) {
    process.stderr.write('There is no Swift here; test/install/swift.sh installs it on Debian.\n');
    return 1;
  }
  mkdirSync(join(shell, '.build'), { recursive: true });
  const folder = mkdtempSync(join(shell, '.build/real-'));
  const home = join(folder, 'h');
  const place = join(shell, '.build/real-daemon.json');
  const environment = { ...process.env, SALLYPORT_HOME: home };
  const mail = join(folder, 'mail');
  mkdirSync(mail);
  // A home as `sallyport init --unattended` begins it: nothing needs confirmation until a
  // passphrase is set.
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(join(home, 'unattended'), '', { mode: 0o600 });
  const outside = await standOutside(home, sallyport);
  const endMail = answerMail(mail, outside);
  const cleanUp = () => {
    rmSync(place, { force: true });
    stop(environment);
    rmSync(folder, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => {
      cleanUp();
      process.exit(1);
    });
  }
  try {
    // With a longer path the daemon's socket would be outside what the chroot sees.
    if (Buffer.byteLength(join(home, 'control.sock')) > 103) throw new Error(`${home} is too long a path for a socket`);
    beginUnattended(home);
    startWithSecretsInFile(project, sallyport, environment);
    writeFileSync(place, JSON.stringify({ home, mail, link: outside.link }));
    return await swiftTest(swift, process.argv.slice(2));
  } finally {
    endMail();
    await outside.end();
    cleanUp();
  }
}

function swiftTest([command, ...first], more) {
  const environment = { ...process.env, INSWIFT_DIR: project };
  const words = [command, ...first, 'test', ...buildFlags, ...more];
  // The daemon only asks a person whom it sees. Here it sees one at a terminal, as it would know
  // Sallyport.app by the keychain alone.
  const child = spawn(...onTerminal(words), {
    cwd: shell,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    said += text;
    process.stdout.write(text);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', code => {
      // Chosen tests may be others.
      const problem = more.length === 0 ? notRun(said.replaceAll('\r', '')) : null;
      if (problem !== null) process.stderr.write(`${problem}\n`);
      resolve(code || (problem === null ? 0 : 1));
    });
  });
}

/** The Swift test also stops it at its end. */
function stop(environment) {
  try {
    execFileSync(sallyport, ['stop'], { env: environment, stdio: 'ignore' });
  } catch {
    // It has already stopped.
  }
}

process.exitCode = await main();
