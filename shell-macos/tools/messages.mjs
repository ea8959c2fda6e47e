/**
 * Writes the Swift of the control socket's messages into Sources/ShellRules/Messages/Generated. It
 * is made from the shapes that the daemon checks them with: its commands
 * (daemon/shells/commands.ts), and what it answers and pushes (daemon/shells/messages). `--check`
 * writes nothing and fails if a file isn't what it would write. SALLYPORT_MESSAGES names another
 * folder.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commands } from '../../daemon/shells/commands.ts';
import { pushed } from '../../daemon/shells/messages/pushed.ts';
import { swiftFiles } from './messages/control.mjs';

const shapes = new URL('../../daemon/shells/messages/', import.meta.url);
const nouns = {};
for (const file of readdirSync(shapes)) nouns[basename(file, '.ts')] = await import(new URL(file, shapes));
const files = swiftFiles({ commands, pushed, nouns });

const ours = fileURLToPath(new URL('../Sources/ShellRules/Messages/Generated', import.meta.url));
const folder = process.env.SALLYPORT_MESSAGES ?? ours;
const there = new Map(
  existsSync(folder) ? readdirSync(folder).map(name => [name, readFileSync(join(folder, name), 'utf8')]) : [],
);
const stale = [...new Set([...files.keys(), ...there.keys()])].filter(name => files.get(name) !== there.get(name));

if (process.argv[2] === '--check') {
  for (const name of stale) {
    process.stderr.write(
      `${name} isn't what the daemon's shapes say; \`make messages\` writes the app's messages anew.\n`,
    );
  }
  if (stale.length > 0) process.exit(1);
  process.stdout.write(`messages fresh (${files.size} files of Swift)\n`);
} else {
  mkdirSync(folder, { recursive: true });
  for (const name of stale) {
    if (files.has(name)) writeFileSync(join(folder, name), files.get(name));
    else rmSync(join(folder, name));
  }
}
