/**
 * Checks the table of mechanisms (mechanisms.txt beside it): every kept file belongs to one, each
 * has a sentence that says what a user would miss, and none grew or shrank by more than 3 % (at
 * least 60 lines) since its numbers were written. Checks too that comments in code, tests apart, are
 * at most 100 columns wide. `--write` fills in the numbers. SALLYPORT_BUDGET_ROOT names another tree.
 *
 * Kept is what people write by hand to run or test: programs, scripts, SQL, texts of the app.
 * Generated files, documents, JSON, pictures and recorded screens aren't counted, nor are comments
 * and empty lines.
 */

import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readTable, tableText } from './table.mjs';

const root = process.env.SALLYPORT_BUDGET_ROOT ?? fileURLToPath(new URL('../..', import.meta.url));
const tableFile = `${root}/test/budget/mechanisms.txt`;

const notOurs = /^(\.git|node_modules|build|\.build.*|coverage|Generated)$/;
const comments = new Map([
  ...['.ts', '.mts', '.cts', '.mjs', '.cjs', '.swift', '.java', '.strings'].map(each => [each, '//']),
  ...['.sh', '.py', '.yml', '.in', ''].map(each => [each, '#']),
  ...['.sql'].map(each => [each, '--']),
  ...['.plist'].map(each => [each, '<!--']),
]);
/** JSON, but texts. */
const texts = 'shared/texts.json';
/** Programs whose names have no extension. Others are texts. */
const nameless = /(^|\/)(Makefile|run)$/;
const isTest = path => /^(test|shell-macos\/(Tests|PlatformSurface)|\.ci)\//.test(path);

const slack = lines => Math.max(60, Math.ceil(lines * 0.03));
const widestComment = 100;

/** @returns the paths of all kept files, from the root. */
function keptFiles(folder = '') {
  return readdirSync(`${root}/${folder}`, { withFileTypes: true }).flatMap(entry => {
    const path = `${folder}${entry.name}`;
    if (entry.isDirectory()) return notOurs.test(entry.name) ? [] : keptFiles(`${path}/`);
    const isProgram = comments.has(extname(path)) && (extname(path) !== '' || nameless.test(path));
    return entry.isFile() && (isProgram || path === texts) ? [path] : [];
  });
}

/** @returns how many lines are code, and where a comment is too wide. */
function measured(path) {
  const sign = comments.get(extname(path)) ?? '//';
  const wide = [];
  let inComment = false;
  const lines = readFileSync(`${root}/${path}`, 'utf8').split('\n');
  const code = lines.filter((line, at) => {
    const text = line.trim();
    const begins = sign === '//' && text.startsWith('/*');
    const isComment = inComment || begins || text.startsWith(sign);
    const isJudged = sign === '//' && !text.includes('://') && !path.endsWith('.strings');
    if (isComment && isJudged && line.length > widestComment) wide.push(`${path}:${at + 1}`);
    if (inComment || begins) inComment = !text.includes('*/');
    return text !== '' && !isComment;
  });
  return { lines: code.length, wide };
}

const faults = [];
const table = readTable(readFileSync(tableFile, 'utf8'), fault => faults.push(`mechanisms.txt: ${fault}`));
const files = keptFiles();
const kept = new Set(files);

/** @returns the patterns that a pattern with alternatives in braces stands for. */
function alternatives(pattern) {
  const [braces, inside] = /\{([^{}]*)\}/.exec(pattern) ?? [];
  return braces ? inside.split(',').flatMap(each => alternatives(pattern.replace(braces, each))) : [pattern];
}

// Of several patterns that match a file, the longest has it: a file's own name before its folder's.
const patterns = table.mechanisms.flatMap(mechanism =>
  mechanism.patterns.flatMap(alternatives).map(pattern => ({ mechanism, pattern })),
);
const owners = new Map();
for (const { mechanism, pattern } of patterns.sort((one, other) => one.pattern.length - other.pattern.length)) {
  for (const path of globSync(pattern, { cwd: root })) if (kept.has(path)) owners.set(path, { mechanism, pattern });
}
const used = new Set([...owners.values()].map(({ pattern }) => pattern));
for (const { pattern } of patterns) {
  if (!used.has(pattern)) faults.push(`mechanisms.txt: no kept file needs ${pattern}. Take it away.`);
}

const now = new Map(table.mechanisms.map(mechanism => [mechanism, { code: 0, tests: 0 }]));
for (const path of files) {
  const { lines, wide } = measured(path);
  if (!isTest(path)) faults.push(...wide.map(place => `${place}: a comment has at most ${widestComment} columns.`));
  const owner = owners.get(path);
  if (owner === undefined) {
    faults.push(`${path} belongs to no mechanism. Add it to one in test/budget/mechanisms.txt, or take it away.`);
    continue;
  }
  now.get(owner.mechanism)[isTest(path) ? 'tests' : 'code'] += lines;
}

if (process.argv[2] === '--write')
  writeFileSync(
    tableFile,
    tableText(table, mechanism => now.get(mechanism)),
  );
else {
  for (const [mechanism, sizes] of now) {
    for (const kind of ['code', 'tests']) {
      const [is, was] = [sizes[kind], mechanism[kind]];
      if (Math.abs(is - was) <= slack(was)) continue;
      faults.push(
        is > was
          ? `${mechanism.name}: ${is} lines of ${kind}, and the table has ${was}. Take something away, or write the number (node test/budget/check.mjs --write) and say in the commit what a user would miss without the new lines.`
          : `${mechanism.name}: ${is} lines of ${kind}, and the table has ${was}. Write the number: node test/budget/check.mjs --write`,
      );
    }
  }
}
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exit(1);
const sum = kind => [...now.values()].reduce((all, sizes) => all + sizes[kind], 0).toLocaleString('en');
process.stdout.write(
  `budget   kept (${now.size} mechanisms, ${sum('code')} lines of code, ${sum('tests')} of tests)\n`,
);
