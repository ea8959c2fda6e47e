/**
 * Compares three things with daemon/access/settings/settings.ts: the settings' tables in
 * docs/specification.md and docs/guide.md, and the sample for the app's tests and pictures.
 * `--write` writes them anew. A folder argument names another tree.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { defaultSettings, settingKeys, settingSpecs } from '../../daemon/access/settings/settings.ts';
import { viewOfSetting } from '../../daemon/shells/setting-view.ts';
import { withPart } from '../docs/generated-part.ts';

const writes = process.argv.includes('--write');
const elsewhere = process.argv.slice(2).find(word => word !== '--write');
const root = elsewhere === undefined ? new URL('../../', import.meta.url) : pathToFileURL(`${elsewhere}/`);

/** The table in each page. */
const tables = {
  'docs/specification.md': {
    columns: ['Key', 'Takes', 'Default', 'More access where it is', "If it can't be read"],
    row: key => {
      const { default: byDefault, privilegeIncrease, ifUnreadable } = settingSpecs[key];
      const damaged = ifUnreadable === byDefault ? '' : shown(key, ifUnreadable);
      return [`\`${key}\``, taken(key), shown(key, byDefault), privilegeIncrease?.when ?? '', damaged];
    },
  },
  'docs/guide.md': {
    columns: ['Setting', 'Decides', 'Default'],
    row: key => [`\`${key}\``, settingSpecs[key].about, shown(key, settingSpecs[key].default)],
  },
};

/** `1 to 3650 days, 0 for no limit`, or words in backticks. */
function taken(key) {
  const { kind, choices, least, most, unit, zeroMeans } = settingSpecs[key].takes.form;
  if (kind === 'switch') return '`true`, `false`';
  if (kind === 'choice') return choices.map(choice => `\`${choice}\``).join(', ');
  if (kind === 'text') return `at most ${most} characters`;
  const range =
    unit === 'bytes' ? `${bytes(least)} to ${bytes(most)}` : `${least} to ${most}${unit === null ? '' : ` ${unit}`}`;
  return zeroMeans === null ? range : `${range}, 0 for ${zeroMeans}`;
}

function shown(key, value) {
  if (value === '') return 'none';
  if (typeof value !== 'number') return `\`${value}\``;
  return settingSpecs[key].takes.form.unit === 'bytes' ? bytes(value) : `${value}`;
}

function bytes(count) {
  const [unit, size] = [
    ['MiB', 1_048_576],
    ['KiB', 1_024],
  ].find(([, each]) => count >= each && count % each === 0) ?? ['B', 1];
  return `${count / size} ${unit}`;
}

function tableOf({ columns, row }) {
  const lines = [columns, columns.map(() => '---'), ...settingKeys.map(row)];
  return lines.map(cells => `|${cells.map(cell => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`).join('\n');
}

const command = 'node test/settings/check.mjs --write';
const pages = Object.entries(tables).map(([page, table]) => ({
  page,
  said: text => withPart(text, page, command, tableOf(table)),
}));
const sample = settingKeys.map(key => viewOfSetting(key, defaultSettings));
const files = [...pages, { page: 'shared/fixtures/settings.json', said: () => `${JSON.stringify(sample, null, 2)}\n` }];
const stale = files.filter(({ page, said }) => {
  const file = new URL(page, root);
  const text = readFileSync(file, 'utf8');
  const next = said(text);
  if (writes) writeFileSync(file, next);
  return !writes && next !== text;
});
for (const { page } of stale) {
  process.stderr.write(`${page} says other than daemon/access/settings/settings.ts; run \`${command}\`.\n`);
}
if (stale.length > 0) process.exit(1);
process.stdout.write(`settings ${settingKeys.length}, as the documentation says\n`);
