/**
 * A small machine suffices: the built daemon's peak with three engines (docs/benchmarks.md), and
 * what it holds once nobody asks.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { until } from '../../waiting/until.ts';
import { describeWithThreeEngines, engineNames, memoryOf } from './three-engines.ts';

const mostMegabytes = 250;
const restMegabytes = 160;
/** So often a parser's functions run before V8 compiles them a second time. */
const statements = 300;
const atOnce = 4;
/** That compilation took 550 MB, some seconds after the first statements. */
const compilingMilliseconds = 4_000;

describeWithThreeEngines('three engines, each asked what it was never asked before', three => {
  test('the peak stays small, and most of it is given back', async () => {
    await three.here(['settings', 'set', 'limits.requestsPerMinute', '0']);
    const { token } = await three.mint();
    for (const engine of engineNames) {
      for (let asked = 0; asked < statements; asked += atOnce) {
        const numbers = Array.from({ length: atOnce }, (_, index) => asked + index);
        await Promise.all(
          numbers.map(n =>
            three.query(token, engine, `SELECT ${n} AS n, t.a FROM (SELECT 1 AS a UNION SELECT ${n}) AS t WHERE a > 0`),
          ),
        );
      }
    }
    await pause(compilingMilliseconds);
    expect(memoryOf(three.daemonPid).peak).toBeLessThan(mostMegabytes);
    await until(() => memoryOf(three.daemonPid).now < restMegabytes, 'the idle daemon gave memory back', 60);
  }, 180_000);
});
