/**
 * The recipe of docs/boxes.md, run exactly as people copy it: the agent inside reads its client's
 * entry and uses it to ask.
 */

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from '@jest/globals';
import { missingPrograms, needs } from '../../needs.ts';
import { executable } from '../../shell-terminal/real-home.ts';
import { here } from '../../waiting/limits.ts';
import { bring, call, homeWithShop } from './box.ts';

/**
 * Starts the entry's command, as a client does, and prints the answer and what it sees of its
 * person's home.
 */
const agent = (home: string): string => `#!/usr/bin/perl
use IPC::Open2; local $/; open(my $f, '<', '.mcp.json') or die; my $entry = <$f>;
my ($path) = $entry =~ /(UNIX-CONNECT:[^"]+)/; $entry =~ /"command": "socat"/ or die; $/ = "\\n";
my $pid = open2(my $out, my $in, 'socat', '-', $path); print $in '${JSON.stringify(call('Shop', 'select name from customers'))}', "\\n";
$in->flush; print scalar <$out>; print -e '${home}/sallyport.db' ? "sees the home\\n" : "sees no home\\n";
`;

needs(missingPrograms(['bwrap', 'socat', 'perl'], bring)).test(
  'bubblewrap',
  async () => {
    const page = readFileSync(new URL('../../../docs/boxes.md', import.meta.url), 'utf8');
    const [, section = ''] = page.split('## bubblewrap\n');
    const recipe = section.split('```sh\n')[1]?.split('```')[0] ?? '';
    expect(recipe).toContain('sallyport boxes run');
    const home = await homeWithShop();
    try {
      const cwd = join(home.folder, 'work');
      writeFileSync(join(cwd, 'agent'), agent(home.home), { mode: 0o755 });
      const PATH = `${dirname(executable)}:/usr/local/bin:/usr/bin:/bin`;
      const env = { PATH, HOME: home.folder, SALLYPORT_HOME: home.home };
      const ran = spawnSync('sh', ['-euc', recipe], { cwd, env, encoding: 'utf8', timeout: here(50_000) });
      expect(ran).toMatchObject({ status: 0, stdout: expect.stringContaining('Ada') });
      expect(ran.stdout).toContain('sees no home');
    } finally {
      await home.clean();
    }
  },
  60_000,
);
