import { expect, test } from '@jest/globals';
import { optionRows, usageOf } from '../../shell-terminal/command.ts';
import { commandGroups, commands } from '../../shell-terminal/commands.ts';
import { manualPage } from '../../shell-terminal/manual.ts';

const lines = manualPage(commandGroups).split('\n');
const macro = /^\.(TH|SH|SS|TP|B|I) ?/;

test('each command and each of its options is in the page, once', () => {
  const plain = lines.map(line => line.replaceAll('\\-', '-'));
  for (const spec of commands) {
    const from = plain.findIndex(line => line === `.SS ${usageOf(spec)}`);
    expect([spec.words, from]).not.toEqual([spec.words, -1]);
    const end = plain.findIndex((line, at) => at > from && /^\.S[SH] /.test(line));
    const options = plain.slice(from, end).filter(line => line.startsWith('.B --'));
    expect(options).toEqual(optionRows(spec).map(([option]) => `.B ${option}`));
  }
});

test('no text is taken for a macro, an escape or a hyphen, and all of it is ASCII', () => {
  for (const line of lines) {
    expect(line).toMatch(/^[ -~]+$/);
    if (line.startsWith('.') || line.startsWith("'")) expect(line).toMatch(macro);
    expect(line.replace(/\\(e|-|&|\[u[0-9A-F]{4,6}\])/g, '')).not.toContain('\\');
    expect(line.replaceAll('\\-', '')).not.toMatch(/-/);
  }
});
