/**
 * Sets the version of a release in every file that names it, and moves the Unreleased part of
 * CHANGELOG.md under that version. If VERSION is invalid or not newer, or nothing is unreleased, it
 * changes nothing, says why and exits with 1. Usage, from the project's folder: node
 * release-version.mjs VERSION
 */

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const version = process.argv[2] ?? '';
const former = JSON.parse(readFileSync('package.json', 'utf8')).version;
const changelog = readFileSync('CHANGELOG.md', 'utf8');
const unreleased = /^## Unreleased\n\n((?:(?!## ).*\n)*)/m;
const entries = unreleased.exec(changelog)?.[1].trim() ?? '';

const problem = problemOf();
if (problem === null) setVersion();
else {
  process.stderr.write(`release: ${problem}\n`);
  process.exitCode = 1;
}

/** A sentence, or null if all is well. */
function problemOf() {
  if (!/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(version)) {
    return `VERSION must be three numbers, as in \`make release VERSION=1.2.0\`, not "${version}".`;
  }
  if (isOlder(version, former)) return `${version} is older than ${former}, the version in package.json.`;
  if (changelog.includes(`\n## ${version} (`)) return `CHANGELOG.md has ${version} already; name a newer version.`;
  if (entries === '') return 'CHANGELOG.md has nothing under Unreleased; say there what the release brings.';
  return null;
}

function isOlder(one, other) {
  const [left, right] = [one, other].map(text => text.split('.').map(Number));
  const at = left.findIndex((number, index) => number !== right[index]);
  return at !== -1 && left[at] < right[at];
}

function setVersion() {
  // In package.json and package-lock.json.
  const words = ['version', version, '--no-git-tag-version', '--allow-same-version', '--ignore-scripts'];
  execFileSync('npm', [...words, '--loglevel=error'], { stdio: ['ignore', 'ignore', 'inherit'] });
  replace('shared/version.ts', `version = '${former}'`, `version = '${version}'`);
  for (const file of ['bridge/packaging/manifest.json', 'bridge/packaging/server.json']) {
    replace(file, `"version": "${former}"`, `"version": "${version}"`);
  }
  const today = new Date().toISOString().slice(0, 10);
  const moved = `## Unreleased\n\n## ${version} (${today})\n\n${entries}\n\n`;
  writeFileSync('CHANGELOG.md', `${changelog.replace(unreleased, () => moved).trimEnd()}\n`);
}

function replace(file, from, to) {
  const text = readFileSync(file, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} has no ${from}.`);
  writeFileSync(file, text.replaceAll(from, to));
}
