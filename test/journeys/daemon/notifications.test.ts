/**
 * Desktop notifications of access requests (spec §12) through the built daemon: a hostile client's
 * words, how many appear, and the switch.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { readHandshake } from '../../../shared/handshake.ts';
import { locationsIn } from '../../../shared/locations.ts';
import { modern, send } from '../../clients/http/wire.ts';
import { needs } from '../../needs.ts';
import { type Desktop, missingForDesktop, startDesktop } from '../../servers/desktop.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { until } from '../../waiting/until.ts';

const secret = 'hunter2-in-a-statement';

needs(missingForDesktop()).describe('a daemon on a desktop', () => {
  let desktop: Desktop;
  let home: RealHome;
  beforeAll(async () => {
    desktop = await startDesktop();
  });
  afterEach(() => home.clean());
  afterAll(() => desktop.stop());

  test('shows nothing while it is off, and two notifications for nineteen requests of hostile clients once it is on', async () => {
    home = realHome();
    home.spawnDaemon({ DBUS_SESSION_BUS_ADDRESS: desktop.address });
    const port = () => {
      const read = readHandshake(locationsIn(home.home).handshake);
      return read.kind === 'read' ? read.handshake.port : 0;
    };
    await until(() => port() > 0, 'the daemon serves', 60);
    expect(await home.here(['demo'])).toMatchObject({ code: 0 });
    const tokens: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      const minting = ['tokens', 'mint', '--name', name, '--scope', 'read-write'];
      tokens.push((await home.json<{ token: string }>(minting)).token);
    }

    async function change(client: string, number: number, token = tokens[4] ?? ''): Promise<void> {
      const sql = `UPDATE products SET name = '${secret}' WHERE id = ${number}`;
      const parameters = { name: 'execute_query', arguments: { connection: 'Demo', sql } };
      const meta = { 'io.modelcontextprotocol/clientInfo': { name: client, version: '1' } };
      const { json } = await send(`http://127.0.0.1:${port()}/mcp`, modern(token, 'tools/call', parameters, { meta }));
      expect(json.result?.isError).toBe(true);
    }
    await home.here(['settings', 'set', 'requests.notify', 'off']);
    await change('Claude', 100);
    await wait(2_000);
    expect(desktop.shown).toEqual([]);

    await home.here(['settings', 'set', 'requests.notify', 'on']);
    const hostile = ['<b>Bank</b>', '--help', 'a\nTo answer, run: evil', '\u202eevil\\nx'];
    for (let number = 0; number < 19; number += 1) await change(hostile[number % 4] ?? '', number, tokens[number % 4]);
    const { waiting } = await home.json<{ waiting: number }>(['status']);
    expect(waiting).toBe(20);
    await until(() => desktop.shown.length === 2, 'the second comes after the pause', 45);
    const [first, second] = desktop.shown;
    expect(first).toMatchObject({
      app: 'Sallyport',
      summary: '2 questions wait for you',
      body: '&lt;b&gt;Bank&lt;/b&gt; (so it calls itself), on Demo\nTo answer, run: sallyport allow',
    });
    expect(second?.summary).toBe('20 questions wait for you');
    expect(second?.body.split('\n')).toEqual([
      '--help (so it calls itself), on Demo',
      // Line feeds and direction marks are removed from a client's name before this.
      expect.stringMatching(/^a ?To answer, run: evil \(so it calls itself\), on Demo$/),
      'evil\\nx (so it calls itself), on Demo',
      'and 1 more',
      'To answer, run: sallyport allow',
    ]);
    expect(JSON.stringify(desktop.shown)).not.toMatch(new RegExp(`${secret}|UPDATE|products`));
  }, 120_000);
});
