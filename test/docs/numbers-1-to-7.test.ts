/**
 * The limits that the specification names are those of the code: each number stands, with its unit,
 * in the section that tells it. The words around it are free.
 */

import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { firstUseHours } from '../../daemon/access/questions/first-use.ts';
import { defaultSettings, mostRows, mostSeconds } from '../../daemon/access/settings/settings.ts';
import { bridgeTokenLimits } from '../../daemon/access/tokens/bridge-token.ts';
import { classifierLimits } from '../../daemon/classifier/classifier-limits.ts';
import { httpLimits } from '../../daemon/clients/http/http-limits.ts';
import { wireLimits } from '../../daemon/clients/wire/wire-limits.ts';
import { maxWireBytes } from '../../daemon/engines/request.ts';
import { mostPatterns } from '../../daemon/guard/sight.ts';
import { heldLimits } from '../../daemon/statement/held-rows.ts';
import { maxParameters } from '../../daemon/statement/query-limits.ts';
import { logFileLimits } from '../../daemon/storage/log/log-file.ts';

const specification = readFileSync(new URL('../../docs/specification.md', import.meta.url), 'utf8');

function sectionOf(number: number): string {
  const start = specification.indexOf(`\n## ${number}. `);
  const end = specification.indexOf('\n## ', start + 1);
  return specification.slice(start, end).replace(/\s+/g, ' ');
}

const count = (value: number): string => value.toLocaleString('en-US');
const bytes = (value: number): string => {
  const [unit, size] =
    [['GiB', 1024 ** 3] as const, ['MiB', 1024 ** 2] as const].find(([, each]) => value >= each) ??
    (['KiB', 1024] as const);
  return `${count(value / size)} ${unit}`;
};
const seconds = (value: number): string => `${count(value)} s`;
const milliseconds = (value: number): string => (value < 1_000 ? `${value} ms` : seconds(value / 1_000));
const minutes = (value: number): string => `${value / 60} minutes`;

const said: Readonly<Record<number, readonly string[]>> = {
  1: [bytes(logFileLimits.fileBytes)],
  3: [
    bytes(httpLimits.mcpBodyBytes),
    `${count(httpLimits.mcpBodyMembers)} members`,
    `${httpLimits.mcpBodyLevels} levels`,
    bytes(httpLimits.exchangeBodyBytes),
    count(httpLimits.connections),
    seconds(httpLimits.headerSeconds),
    seconds(httpLimits.bodySeconds),
    seconds(httpLimits.keepAliveSeconds),
  ],
  4: [
    bytes(httpLimits.judgedLaterBytes),
    count(httpLimits.legacyIdleSeconds / 60),
    count(httpLimits.legacySessions),
    count(httpLimits.legacySessionsOfPrincipal),
    milliseconds(httpLimits.outcomeMilliseconds),
  ],
  5: [
    minutes(bridgeTokenLimits.rotateBeforeSeconds),
    seconds(bridgeTokenLimits.checkSeconds),
    count(wireLimits.clients),
    bytes(wireLimits.messageBytes),
    bytes(wireLimits.resultBytes),
    milliseconds(wireLimits.cancelMilliseconds),
    minutes(wireLimits.idleTransactionMilliseconds / 1_000),
    count(wireLimits.statementsPerMinute),
    count(wireLimits.rowsPerMinute),
  ],
  6: [`${mostPatterns} patterns`, `${count(mostRows)} rows`, seconds(mostSeconds), `${firstUseHours} hours`],
  7: [
    milliseconds(classifierLimits.firstMilliseconds),
    milliseconds(classifierLimits.secondMilliseconds),
    milliseconds(classifierLimits.waitMilliseconds),
    milliseconds(classifierLimits.burstMilliseconds),
    `${count(maxParameters)} parameters`,
    bytes(maxWireBytes),
    `${heldLimits.resultsOfPrincipal} results`,
    bytes(heldLimits.bytesOfPrincipal),
    bytes(heldLimits.bytesInAll),
    minutes(heldLimits.milliseconds / 1_000),
    count(defaultSettings['results.defaultRows']),
    count(defaultSettings['results.maxRows']),
    bytes(defaultSettings['results.defaultBytes']),
    bytes(defaultSettings['results.maxBytes']),
    bytes(defaultSettings['results.maxCellBytes']),
    seconds(defaultSettings['query.defaultSeconds']),
    seconds(defaultSettings['query.maxSeconds']),
    count(defaultSettings['writes.maxRows']),
  ],
};

test.each(Object.entries(said))('section %s names the limits of the code', (section, numbers) => {
  const text = sectionOf(Number(section));
  expect(numbers.filter(number => !standsIn(text, number))).toEqual([]);
});

test('a number within another one does not count', () => {
  expect(['1 MiB', '30 s', '1,280'].map(number => standsIn('11 MiB, 30 seconds, 1,280.', number))).toEqual([
    false,
    false,
    true,
  ]);
});

function standsIn(text: string, number: string): boolean {
  return new RegExp(`(?<![\\w.,])${number}(?!\\w)`).test(text);
}
