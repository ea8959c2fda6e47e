/**
 * Draws a sheet whose time is nearly up, with the built modules, and prints the answer: nobody watches five minutes go by. The
 * clock is the real one; only the end that the daemon would set five minutes ahead is a few seconds ahead.
 */

import { drawSheet } from '../../../build/shell-terminal/sheet/draw.js';
import { drawWatch } from '../../../build/shell-terminal/sheet/draw-watch.js';
import { onOwnScreen } from '../../../build/shell-terminal/sheet/own-screen.js';
import { placeOn } from '../../../build/shell-terminal/sheet/place.js';
import { asked, nothingWatched } from '../../../build/shell-terminal/sheet/watched.js';
import { thisTerminal } from '../../../build/shell-terminal/terminal.js';

const [which, seconds] = process.argv.slice(2);
const times = {
  askedAt: new Date().toISOString(),
  expiresAt: new Date(Date.now() + Number(seconds) * 1000).toISOString(),
};
const connection = { id: 'c', name: 'shop' };
const pairing = {
  ...{ id: 'p', client: 'Ed', scope: 'readOnly', ticked: 'all', expires: 30, waits: false, serverStarted: false },
  redirect: { address: 'http://127.0.0.1:8123/cb', receiver: null, kind: 'loopback' },
  connections: [{ ...connection, engine: 'sqlite', externalClients: 'readOnly' }],
  ...times,
};
const statement = { text: 'drop table t', class: 'destructive', reason: 'It drops.', tables: ['t'] };
const question = {
  ...{ id: 'q', kind: 'destructive_statement', client: 'Ed', token: null, connection },
  statement: { ...statement, characters: 12, lines: 1 },
  ...times,
};

const terminal = thisTerminal();
const place = placeOn(terminal.stdout, terminal);
const watched = asked(nothingWatched, question);
const window = { place, home: '/home', watched: () => watched, onChange: () => () => {}, seen: new Set() };
const answer =
  which === 'pairing'
    ? await drawSheet(pairing, place, new AbortController().signal)
    : await onOwnScreen(place, () => drawWatch(window));
process.stdout.write(`answered ${answer.kind} ${answer.decision?.answer ?? ''}\n`);
