/** Runs a daemon in a temporary home for a benchmark; removes all of it at the end. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bareEnvironment } from './measuring.mjs';

export const build = fileURLToPath(new URL('../../build/', import.meta.url));

export async function withDaemon(measure) {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-'));
  const environment = bareEnvironment(join(folder, 'home'));
  const sallyport = (...words) =>
    execFileSync(join(build, 'bin/sallyport'), words, { env: environment, encoding: 'utf8', stdio: 'pipe' });
  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    try {
      sallyport('stop');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  // On every way out: else a reader that left (`| head`) or a Ctrl-C would leave the daemon
  // running.
  process.once('exit', end);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
  process.stdout.on('error', () => process.exit(1));
  try {
    const input = JSON.stringify({ settings: { 'limits.requestsPerMinute': 0 } });
    const making = ['init', '--unattended', '-'];
    execFileSync(join(build, 'bin/sallyport'), making, { env: environment, input, stdio: 'pipe' });
    const handshake = () => JSON.parse(readFileSync(join(folder, 'home', 'mcp-handshake.json'), 'utf8'));
    return await measure({ environment, handshake, sallyport, folder });
  } finally {
    end();
  }
}
