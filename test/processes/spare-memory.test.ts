/**
 * Parsing takes little memory on the Node that runs this. A new version of Node once took 550 MB
 * for it, and no test looked.
 */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { needsLinux } from '../needs.ts';

const mostMegabytes = 180;

const fileOf = (path: string) => pathToFileURL(join(import.meta.dirname, '..', '..', path)).href;
/** V8 compiles what ran often in the background, for some seconds. */
const program = `
  import { spareMemory } from '${fileOf('daemon/processes/spare-memory.ts')}';
  import { lazyClassifiers } from '${fileOf('daemon/guard/index.ts')}';
  spareMemory();
  const classify = await lazyClassifiers().postgres();
  for (let n = 0; n < 500; n++) classify('SELECT a' + n + ', count(*) FROM b JOIN c USING (id) WHERE d = ' + n + ' GROUP BY 1');
  await new Promise(resolve => setTimeout(resolve, 3_000));
  const status = process.getBuiltinModule('node:fs').readFileSync('/proc/self/status', 'utf8');
  console.log(Number(/VmHWM:\\s+(\\d+)/.exec(status)[1]) / 1024);
`;

// `resourceUsage` counts what the process had before it became this program: Jest's own memory.
needsLinux.test('the parser of PostgreSQL is compiled by the quick compiler alone', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  expect(Number(stdout)).toBeGreaterThan(0);
  expect(Number(stdout)).toBeLessThan(mostMegabytes);
});
