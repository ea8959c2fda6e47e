/**
 * Checks each regular expression of the product with recheck: none may take more than linear time,
 * for any text. safe.json notes those found safe, so `make check` only checks new ones;
 * PATTERNS=all checks all again.
 *
 * A pattern that can't be linear, or isn't known before the program runs, needs a line
 * `// Pattern excused: …` above it that says why its text is always short.
 *
 * A literal is ASCII: esbuild leaves it unchanged, and the built commands are read as Latin-1
 * (shared/start-built.ts).
 *
 * No program reads a sentence of ours (own-words.ts).
 *
 * A script's patterns of `case` are such that macOS's bash can read them (scripts.ts). What a Mac
 * runs needs nothing that a Mac's bash, make and programs don't have (mac.ts).
 */

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { beyondMac, isRunByMacs } from './mac.ts';
import { ownWordsIn } from './own-words.ts';
import { isScript, unclosedCases } from './scripts.ts';
import { nodesIn, nodesOf, parsedOf } from './syntax.mjs';

const require = createRequire(import.meta.url);
// The build in plain JavaScript: the others are native programs or start a JVM.
process.env.RECHECK_BACKEND = 'pure';
const rooms = ['shared', 'daemon', 'bridge', 'shell-terminal'];
const excuse = /^\s*\/\/ Pattern excused: \S/;
/** Where the words of others are read, each in one place: they give no code. */
const foreign = {
  'daemon/engines/certificate-authority.ts': 'PEM',
  'daemon/engines/mysql/failure.ts': 'MySQL and MariaDB',
  'daemon/engines/postgres/failure.ts': 'PostgreSQL and poolers before it',
  'daemon/engines/role.ts': 'a server that quotes a statement',
  'daemon/engines/sqlite/dialect.ts': 'SQLite',
  'daemon/engines/sqlite/failure.ts': 'SQLite',
  'daemon/engines/tls-reason.ts': 'OpenSSL and Node',
  'daemon/storage/secrets/keychain-worker.ts': 'the keychain',
  'shared/semicolon-pairs.ts': "a person's connection string",
  'shell-terminal/connect/toml-document.ts': 'smol-toml',
  'shell-terminal/connect/yaml-document.ts': 'yaml',
  'shell-terminal/default-handler.ts': "the desktop's files",
  'shell-terminal/scheme-handler.ts': "the desktop's files",
};
const settings = { timeout: 60_000, randomSeed: 1 };
const noted = new URL('./safe.json', import.meta.url);

/** The text of an expression; null if only the running program knows it. */
function textOf(node, constants) {
  const expression = node?.expression ?? node;
  if (expression?.type === 'StringLiteral') return expression.value;
  if (expression?.type === 'NumericLiteral') return String(expression.value);
  if (expression?.type === 'Identifier') return constants.get(expression.value) ?? null;
  const isRaw = expression?.type === 'TaggedTemplateExpression' && expression.tag.property?.value === 'raw';
  const template = isRaw ? expression.template : expression;
  if (template?.type !== 'TemplateLiteral') return null;
  return template.quasis.reduce((text, quasi, index) => {
    const before = index === 0 ? '' : textOf(template.expressions[index - 1], constants);
    return text === null || before === null ? null : text + before + (isRaw ? quasi.raw : quasi.cooked);
  }, '');
}

/** The lines of the comment directly above a line, counted from 1. */
function commentAbove(lines, line) {
  const above = lines.slice(0, line - 1);
  return above.slice(above.findLastIndex(each => !/^\s*\/\/ /.test(each)) + 1);
}

/** @returns where a sentence of ours is taken apart. */
function ownWordsOf(file) {
  if (file in foreign) return [];
  const nodes = nodesIn(file);
  const constants = new Map();
  for (const { type, id, init } of nodes) {
    if (type !== 'VariableDeclarator' || id.type !== 'Identifier') continue;
    const text = init?.type === 'RegExpLiteral' ? init.pattern : textOf(init, constants);
    if (text !== null) constants.set(id.value, text);
  }
  return nodes
    .map(node => ownWordsIn(node, constants))
    .filter(words => words !== null)
    .map(words => `${file}: "${words}" is looked for in a sentence; have what says it say a code as well`);
}

/** @returns the place of each pattern and, if it can be known, its text. */
function patternsOf(file) {
  const source = readFileSync(file, 'utf8');
  const lines = source.split('\n');
  const constants = new Map();
  const found = [];
  let from = 0;
  const note = (shown, pattern, flags, isLiteral) => {
    const at = source.indexOf(shown, from);
    from = at + shown.length;
    const line = source.slice(0, at).split('\n').length;
    const isExcused = commentAbove(lines, line).some(each => excuse.test(each));
    found.push({ place: `${file}:${line}`, pattern, flags, isLiteral, isExcused });
  };
  for (const node of nodesOf(parsedOf(source))) {
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier') {
      const text = textOf(node.init, constants);
      if (text !== null) constants.set(node.id.value, text);
    }
    if (node.type === 'RegExpLiteral') note(`/${node.pattern}/${node.flags}`, node.pattern, node.flags, true);
    const isMade = (node.type === 'NewExpression' || node.type === 'CallExpression') && node.callee.value === 'RegExp';
    if (isMade)
      note('RegExp(', textOf(node.arguments?.[0], constants), textOf(node.arguments?.[1], constants) ?? '', false);
  }
  return found;
}

const { version } = require('recheck/package.json');
const listed = ['ls-files', '--cached', '--others', '--exclude-standard'];
const filesIn = folders => execFileSync('git', [...listed, ...folders], { encoding: 'utf8' }).split('\n');
const sources = filesIn(rooms).filter(file => file.endsWith('.ts'));
const patterns = sources.flatMap(patternsOf);
const before = JSON.parse(readFileSync(noted, 'utf8'));
const known = new Set(before.recheck === version && process.env.PATTERNS !== 'all' ? before.safe : []);
const safe = new Set();
const complaints = sources.flatMap(ownWordsOf);
for (const complaint of filesIn([])
  .filter(isScript)
  .flatMap(file => unclosedCases(readFileSync(file, 'utf8')).map(line => `${file}:${line}`))
  .map(place => `${place}: within $( ), each pattern of case needs a ( before it, or bash 3.2 can't read it`))
  complaints.push(complaint);
for (const file of [...filesIn([]).filter(isScript).filter(isRunByMacs), 'Makefile'])
  for (const found of beyondMac(readFileSync(file, 'utf8'), file === 'Makefile' ? 'makefile' : 'script'))
    complaints.push(`${file}:${found}`);
for (const { place, pattern, flags, isLiteral, isExcused } of patterns) {
  if (isLiteral && Buffer.byteLength(pattern) !== pattern.length)
    complaints.push(`${place}: a sign beyond ASCII in a literal is written as \\u and its number`);
  if (isExcused) continue;
  const shown = `/${pattern}/${flags}`;
  if (pattern === null) complaints.push(`${place}: a pattern made while the program runs can't be checked`);
  else if (known.has(shown) || safe.has(shown)) safe.add(shown);
  else {
    const { check } = require('recheck');
    const { status, complexity, attack, error } = await check(pattern, flags, settings);
    if (status === 'safe') safe.add(shown);
    else {
      const why = status === 'vulnerable' ? `${complexity.summary}: ${attack.pattern}` : (error?.kind ?? status);
      complaints.push(`${place}: ${shown} may take more than linear time (${why})`);
    }
  }
}
writeFileSync(noted, `${JSON.stringify({ recheck: version, safe: [...safe].sort() }, null, 1)}\n`);
for (const complaint of complaints) process.stderr.write(`${complaint}\n`);
if (complaints.length === 0) process.stdout.write(`patterns linear (${patterns.length})\n`);
process.exit(complaints.length === 0 ? 0 : 1);
