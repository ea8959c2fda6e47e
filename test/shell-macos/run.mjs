/**
 * Runs the macOS shell's Swift tests, with the built daemon beside them and a real MCP client that
 * asks it. The Swift test may be in a chroot that sees this folder only and no variable: where the
 * daemon is, and what the client is to do, goes through files.
 * Exits with the code of `swift test`; 1 where there is no Swift.
 */

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beginUnattended } from '../unattended-home.mjs';
import { answerMail } from './mail.mjs';
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
  // As `sallyport init --unattended` begins one: nothing is confirmed in it until a passphrase is
  // chosen.
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(join(home, 'unattended'), '', { mode: 0o600 });
  const postman = await answerMail(mail, home, sallyport);
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
    // Longer, and the daemon's socket would be where the chroot sees nothing.
    if (Buffer.byteLength(join(home, 'control.sock')) > 103) throw new Error(`${home} is too long a path for a socket`);
    beginUnattended(home);
    execFileSync(sallyport, ['start'], { env: environment, stdio: ['ignore', 'ignore', 'inherit'] });
    writeFileSync(place, JSON.stringify({ home, mail, link: postman.link }));
    return await swiftTest(swift, process.argv.slice(2));
  } finally {
    await postman.end();
    cleanUp();
  }
}

function swiftTest([command, ...first], more) {
  const environment = { ...process.env, INSWIFT_DIR: project };
  const words = [command, ...first, 'test', ...buildFlags, ...more];
  // The daemon asks a person only where it sees them: at a terminal, since off a Mac there is no
  // Sallyport.app that it would know.
  const [program, ...rest] =
    process.platform === 'linux' ? ['script', '-qefc', words.map(quoted).join(' '), '/dev/null'] : words;
  const child = spawn(program, rest, {
    cwd: shell,
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', code => resolve(code ?? 1));
  });
}

function quoted(word) {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The Swift test stops it too, at its end. */
function stop(environment) {
  try {
    execFileSync(sallyport, ['stop'], { env: environment, stdio: 'ignore' });
  } catch {
    // It had stopped already.
  }
}

process.exitCode = await main();
