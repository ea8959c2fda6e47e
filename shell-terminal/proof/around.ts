/**
 * What is around a connection: who may allow more, where secrets lie, whether its server proves
 * itself, and which ways lead past Sallyport.
 */

import type { BoxView, ConnectionProof, ConnectionView, StatusResult } from '../../shared/control-commands.ts';
import { connectionsOf } from '../../shared/engine.ts';
import type { ControlClient } from '../control-client.ts';
import { advice, type Check, ok, problem } from '../doctor/check.ts';
import { checkFiles } from '../doctor/files.ts';
import { checkPassphrase } from '../doctor/running.ts';
import { checkSecrets } from '../doctor/secrets.ts';
import { anyServerAdvice, isUnproved, proofCell } from '../server-proof.ts';
import { locationsOf, type Terminal } from '../terminal.ts';

export async function checkAround(
  terminal: Terminal,
  client: ControlClient,
  proof: ConnectionProof,
): Promise<readonly Check[]> {
  const status = await client.ask('status', {});
  const view = await client.ask('connections.show', { connection: proof.id });
  const { boxes } = await client.ask('boxes.list', {});
  // Loaded on demand: the parsers of clients' files take long.
  const [{ checkPast }, { lookingFrom }] = await Promise.all([
    import('../doctor/past.ts'),
    import('../past/entries.ts'),
  ]);
  const locations = locationsOf(terminal);
  return [
    ...(await checkWideners(status)),
    await checkSecrets(locations, terminal.environment),
    ...checkFiles(locations),
    ...(connectionsOf[view.engine].isFile ? [] : [serverCheck(view)]),
    sightCheck(view),
    masksCheck(view),
    ...(await checkPast(lookingFrom(terminal))),
    boxes.some(isForAgent)
      ? ok('box', 'There is a box for an agent. One outside it, with a shell, reads what you can read.')
      : advice('box', 'There is no box for an agent: one with a shell reads what you can read (docs/boxes.md).'),
  ];
}

/** A wire alone is for psql and tests. */
function isForAgent({ state, problem: why, socket, tokenFile }: BoxView): boolean {
  return state === 'valid' && why === null && (socket !== null || tokenFile !== null);
}

async function checkWideners(status: StatusResult): Promise<readonly Check[]> {
  if (status.passphrase.state === 'off')
    return [
      problem(
        'passphrase',
        'It is off: any program that runs as you can allow itself everything.',
        '`sallyport passphrase set`',
      ),
    ];
  if (status.passphrase.state === 'none')
    return [
      advice('passphrase', 'None is chosen yet: who first allows something chooses it (`sallyport passphrase set`).'),
    ];
  const checks = await checkPassphrase(status);
  const isTouched = status.passphrase.touchId === true;
  return isTouched ? [...checks, ok('Touch ID', 'It stands in for the passphrase in Sallyport.app.')] : checks;
}

function sightCheck({ sight }: ConnectionView): Check {
  if (sight === undefined || (sight.hide.length === 0 && sight.only.length === 0))
    return ok('hidden', 'No table is out of sight of clients.');
  const { hide, only, show } = sight;
  const told = [
    ...(hide.length > 0 ? [`${hide.join(', ')} hidden`] : []),
    ...(only.length > 0 ? [`only ${only.join(', ')} shown`] : []),
    ...(show.length > 0 ? [`${show.join(', ')} shown nevertheless`] : []),
  ];
  return ok('hidden', `Of its tables: ${told.join('; ')}.`);
}

function masksCheck({ masks = [] }: ConnectionView): Check {
  if (masks.length === 0) return ok('masked', 'No column is masked for clients.');
  return ok('masked', `Columns that no client reads: ${masks.join(', ')}.`);
}

function serverCheck(view: ConnectionView): Check {
  // Any server is let in with TLS, too.
  const anyServer = anyServerAdvice(view);
  if (anyServer !== null) return advice('server', anyServer);
  const by = proofCell(view);
  if (by === '' || view.password.kind === 'none')
    return ok('server', 'No password is kept that could go to another server.');
  return isUnproved(view)
    ? advice('server', 'Nothing proves that the same server answers each time; --tls verify-full or its socket would.')
    : ok('server', `It proves itself by ${by}.`);
}
