/**
 * Asks macOS whether Sallyport.app is as it was signed: the signature covers each file in it.
 * Misses an app that was changed and then signed by somebody else. Changes nothing.
 */

import { spawnSync } from 'node:child_process';
import { shownText } from '../../shared/shown-text.ts';
import { type Check, ok, problem } from './check.ts';

const waitMilliseconds = 60_000;

/** @param codesign every Mac has it; tests name another. */
export function checkSignature(app: string, codesign = '/usr/bin/codesign'): Check {
  const { status, error, stderr } = spawnSync(codesign, ['--verify', '--deep', '--strict', app], {
    ...{ env: {}, encoding: 'utf8', timeout: waitMilliseconds },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status === 0) return ok('programs', `${app} is as it was signed.`);
  const said = shownText(error?.message ?? stderr.split('\n')[0] ?? '').slice(0, 300);
  return problem(
    'programs',
    `${app} is not as it was signed, or macOS could not tell: ${said.replace(/\.$/, '')}.`,
    'find out who changed it, then install Sallyport again',
  );
}
