/**
 * Draws a sheet whose time is nearly up, with the built modules, and prints the answer, since no
 * test can wait five minutes. The clock is real; only the daemon's deadline is a few seconds ahead
 * instead of five minutes.
 */

import { Watching } from '../../../build/shell-terminal/desk/watched.js';
import { watchedContent } from '../../../build/shell-terminal/desk/window-content.js';
import { placeOn } from '../../../build/shell-terminal/sheet/drawing-place.js';
import { onOwnScreen } from '../../../build/shell-terminal/sheet/own-screen.js';
import { pairingSheet } from '../../../build/shell-terminal/sheet/pairing.js';
import { ask } from '../../../build/shell-terminal/sheet/prompt.js';
import { thisTerminal } from '../../../build/shell-terminal/terminal.js';

const [which, seconds] = process.argv.slice(2);
const times = {
  askedAt: new Date().toISOString(),
  expiresAt: new Date(Date.now() + Number(seconds) * 1000).toISOString(),
};
const connection = { id: 'c', name: 'shop', tags: ['eu'], colour: 'red' };
const asked = {
  waits: true,
  client: 'Ed',
  program: null,
  token: null,
  lacks: null,
  runsBy: null,
  means: null,
  connection: null,
  facts: [],
  statement: null,
  increase: null,
  pairing: null,
  answers: ['yes', 'no'],
  times: 1,
  ...times,
};
const pairing = {
  ...asked,
  id: 'p',
  kind: 'pairing',
  title: { text: 'Pair this client with Sallyport?', parts: [] },
  pairing: {
    scope: 'readOnly',
    ticked: [connection.id],
    expires: 30,
    hasTurn: true,
    serverStarted: false,
    redirect: { address: 'http://127.0.0.1:8123/cb', receiver: null, kind: 'loopback' },
    connections: [{ ...connection, engine: 'sqlite', externalClients: 'readOnly' }],
  },
};
const statement = { text: 'drop table t', class: 'destructive', reason: 'It drops.', tables: ['t'], parameters: [] };
const question = {
  ...asked,
  id: 'q',
  kind: 'statement',
  title: { text: 'Run a destructive statement?', parts: [] },
  connection,
  statement: { ...statement, characters: 12, lines: 1 },
};

const terminal = thisTerminal();
const place = placeOn(terminal.stdout, terminal);
const watching = new Watching(Date.now);
watching.put(question);
const content =
  which === 'pairing'
    ? pairingSheet(pairing, place.paint).content
    : () => watchedContent(watching, '/home', Date.now(), place.paint);
const answer = await onOwnScreen(place, () => ask({ place, content, seen: new Set() }));
process.stdout.write(`answered ${answer.kind}\n`);
