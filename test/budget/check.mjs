/**
 * Checks how many code lines a room has, and that comments are at most 100 columns wide. Fails with
 * the name of a room over its budget or of a wider comment. `--write` gives each room its present
 * size and a little more: 3 %, at least 60 lines. Comments, empty lines and generated code don't
 * count. SALLYPORT_BUDGET_ROOT names another tree.
 */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const elsewhere = process.env.SALLYPORT_BUDGET_ROOT;
const root = elsewhere === undefined ? new URL('../../', import.meta.url) : pathToFileURL(`${elsewhere}/`);
const table = new URL('test/budget/rooms.txt', root);
const head = '# Code lines that each room may have, without comments and empty lines.\n';

/** A room without its own row counts with the room that contains it. */
const rooms = [
  ...[
    'shared',
    'bridge',
    'shell-terminal',
    'daemon',
    'daemon/access',
    'daemon/classifier',
    'daemon/clients',
    'daemon/engines',
  ],
  ...['daemon/engines/mysql', 'daemon/engines/postgres', 'daemon/engines/sqlite', 'daemon/guard', 'daemon/guard/mysql'],
  ...[
    'daemon/guard/postgres',
    'daemon/guard/sqlite',
    'daemon/processes',
    'daemon/shells',
    'daemon/sqlite',
    'daemon/statement',
    'daemon/storage',
    'daemon/tunnels',
  ],
  ...['shell-macos/Sources/ShellRules', 'shell-macos/Sources/Shell'],
];

const widestComment = 100;
const wide = [];

/** @returns how many lines of the text are code. Also notes the comments that are too wide. */
function codeLines(text, path) {
  let inComment = false;
  return text.split('\n').filter((line, at) => {
    const code = line.trim();
    const isComment = inComment || code.startsWith('//') || code.startsWith('/*');
    if (isComment && line.length > widestComment && !code.includes('://')) wide.push(`${path}:${at + 1}`);
    if (inComment || code.startsWith('/*')) inComment = !code.includes('*/');
    return code !== '' && !isComment;
  }).length;
}

function sizes() {
  const found = new Map(rooms.map(room => [room, 0]));
  for (const top of new Set(rooms.map(room => room.split('/')[0]))) {
    if (!existsSync(new URL(`${top}/`, root))) continue;
    for (const file of readdirSync(new URL(`${top}/`, root), { recursive: true, encoding: 'utf8' })) {
      const path = `${top}/${file}`;
      if (!/\.(ts|swift)$/.test(path) || path.includes('/.build') || path.includes('/Generated/')) continue;
      const room = rooms
        .filter(each => path.startsWith(`${each}/`))
        .reduce((one, other) => (other.length > one.length ? other : one), '');
      if (room !== '') found.set(room, found.get(room) + codeLines(readFileSync(new URL(path, root), 'utf8'), path));
    }
  }
  return found;
}

const now = sizes();
const sum = [...now.values()].reduce((one, other) => one + other, 0);
if (process.argv[2] === '--write') {
  const rows = [...now].map(([room, lines]) => `${room.padEnd(32)}${Math.max(Math.ceil(lines * 1.03), lines + 60)}\n`);
  writeFileSync(table, head + rows.join(''));
}
const budget = new Map(
  readFileSync(table, 'utf8')
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => line.trim().split(/\s+/))
    .map(([room, lines]) => [room, Number(lines)]),
);
const over = [...now].filter(([room, lines]) => !(lines <= budget.get(room)));
for (const [room, lines] of over) {
  process.stderr.write(
    `${room} has ${lines} code lines, and its budget is ${budget.get(room) ?? 'missing'} (test/budget/rooms.txt). Take something away, or raise the budget in the same commit and say there what a person would miss without the new lines.\n`,
  );
}
for (const place of wide) process.stderr.write(`${place}: a comment has at most ${widestComment} columns.\n`);
if (over.length + wide.length > 0) process.exit(1);
process.stdout.write(`budget   kept (${sum.toLocaleString('en')} code lines)\n`);
