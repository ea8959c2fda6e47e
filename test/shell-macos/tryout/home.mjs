/**
 * A home of the tryout's own for the app, with a connection in it. The app's own daemon makes it,
 * with its secrets in the given keychain.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ran } from './commands.mjs';
import { isAdHoc } from './keychain.mjs';

/** @param place a folder. @param keychain of keychain.mjs. */
export async function makeHome(app, place, keychain) {
  const home = join(place, 'home');
  const sallyport = join(app, 'Contents/Resources/bin/sallyport');
  const environment = { ...process.env, SALLYPORT_HOME: home };
  const terminal = (...words) => ran(sallyport, words, { env: environment, seconds: 60 });
  // This is the first run of each program in the app, which macOS may check for a while.
  await terminal('start');
  const words = ['connections', 'add', `sqlite:${place}/shop.db`, '--create', '--name', 'shop', '--ai-policy', 'ask'];
  const connection = JSON.parse(await terminal(...words, '--json'));
  await terminal('stop');
  const { store, secrets } = JSON.parse(readFileSync(join(home, 'store.json'), 'utf8'));
  if (secrets !== 'keychain') throw new Error('its daemon did not take the keychain');
  if (isAdHoc(app)) keychain.share(`${store}/shell/secret`, [app, join(app, 'Contents/MacOS/sallyportd')]);
  return { home, environment, terminal, sallyport, connection };
}
