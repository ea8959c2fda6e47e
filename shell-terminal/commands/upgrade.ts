/**
 * `sallyport upgrade`: tells whether a newer Sallyport is there, where the way of its installation
 * can know, and what to type. Installs nothing.
 */

import { version } from '../../shared/version.ts';
import { command } from '../command.ts';
import { installedWay, upgradeLine, type Way } from '../installed-way.ts';
import { runProgram } from '../run-program.ts';
import type { Terminal } from '../terminal.ts';

/** A registry that doesn't answer isn't waited for longer. */
const patienceMilliseconds = 15_000;

export const upgradeCommand = command(
  {
    words: 'upgrade',
    about: 'Say whether a newer Sallyport is there, and what to type',
    details: ['Asks npm or apt, if one of them installed it. Installs nothing itself.'],
  },
  async ({ terminal, answer }) => {
    const way = installedWay(terminal.script);
    const { newer, says } = await newest(terminal, way);
    const type = newer !== null && way.kind === 'deb' ? 'sudo apt install --only-upgrade sallyport' : upgradeLine(way);
    const then = newer === null ? 'To install a newer one' : 'Type';
    answer(
      { version, installed: way.kind, newer, says, type },
      `This is Sallyport ${version}. ${says} ${then}: ${type}; then \`sallyport restart\`.`,
    );
  },
);

interface Newest {
  /** Null if none is, or nobody knows. */
  readonly newer: string | null;
  readonly says: string;
}

async function newest(terminal: Terminal, way: Way): Promise<Newest> {
  const env = { ...(terminal.environment as NodeJS.ProcessEnv), LC_ALL: 'C' };
  if (way.kind === 'deb')
    return knownToApt(await runProgram('apt-cache', ['policy', 'sallyport'], { timeout: patienceMilliseconds, env }));
  // A name on a registry is asked for only if this one came from there: it may be a stranger's.
  if (way.kind !== 'npm' || way.source?.startsWith('http') !== true)
    return { newer: null, says: 'Nothing here knows whether a newer one is there.' };
  const words = ['view', 'sallyport', 'version', '--fetch-retries=0', `--fetch-timeout=${patienceMilliseconds}`];
  const { stdout, problem } = await runProgram('npm', words, { timeout: 2 * patienceMilliseconds, env });
  const latest = stdout.trim();
  if (problem !== null || !isVersion(latest))
    return {
      newer: null,
      says: `npm could not ask its registry (${problem ?? 'no version'}), so nobody knows whether a newer one is there.`,
    };
  return isNewer(latest)
    ? { newer: latest, says: `npm has ${latest}.` }
    : { newer: null, says: 'npm has no newer one.' };
}

/** apt-cache(8): what was known at the last `apt update`. */
function knownToApt({ stdout, problem }: { readonly stdout: string; readonly problem: string | null }): Newest {
  const [, candidate = ''] = /^ {2}Candidate: (\S+)$/m.exec(stdout) ?? [];
  if (problem !== null || candidate === '')
    return { newer: null, says: `apt told nothing (${problem ?? 'no candidate'}).` };
  // Debian's own revision stands behind a hyphen.
  const ofOurs = candidate.replace(/-[^-]*$/, '');
  if (isVersion(ofOurs) && isNewer(ofOurs)) return { newer: ofOurs, says: `apt has ${candidate}.` };
  // dpkg's own list, a file, tells what is installed.
  const hasSource = stdout.split('\n').some(line => /^ {8,}-?\d+ [^/]/.test(line));
  return {
    newer: null,
    says: hasSource
      ? 'apt knew no newer one at its last `sudo apt update`.'
      : 'No source of apt has Sallyport, so nothing here knows of a newer one.',
  };
}

const isVersion = (text: string): boolean => /^\d+\.\d+\.\d+$/.test(text);

function isNewer(other: string): boolean {
  const [theirs, ours] = [other, version].map(text => text.split('.').map(Number));
  const at = (theirs ?? []).findIndex((number, index) => number !== ours?.[index]);
  return at !== -1 && (theirs?.[at] ?? 0) > (ours?.[at] ?? 0);
}
