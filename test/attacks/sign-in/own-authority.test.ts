/**
 * A connection has a CA file of its own. Threats: another holder of a certificate of that authority
 * answers in the server's place and asks for less than the server did; and another program of the
 * user puts its own authority into the file, so that its certificate is "verified" (spec §6).
 */

import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { ControlClient } from '../../../shell-terminal/control-client.ts';
import { refusedAs } from '../../access/identity-said.ts';
import { describeWithPostgres, endpointOf, runOn } from '../../engines/postgres/suite.ts';
import { missingForTyping, runOnTerminal } from '../../journeys/terminal/typed-on-a-terminal.ts';
import { needs } from '../../needs.ts';
import { type Certificate, type Chain, makeChain } from '../../servers/certificates.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { postgresAt } from '../../shells/asking.ts';
import { forgedShell } from '../agent-with-a-shell/forged-shell.ts';
import { type Impostor, ok, startImpostor, switchTo } from './mysql-impostor.ts';
import { openPlace, type Place, remembering, served, throughTo } from './postgres-place.ts';
import { int32, letIn, message } from './postgres-visitor.ts';

const password = 'not-to-be-read';
const passphrase = 'correct horse battery';
const requests = {
  'clear text': message('R', int32(3)),
  MD5: message('R', int32(5), 'salt'),
  nothing: letIn,
} as const;

describeWithPostgres('with a CA file of its own,', suite => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-own-authority-'));
  const caFile = join(folder, 'ca.pem');
  let chain: Chain;
  let place: Place;

  beforeAll(async () => {
    chain = makeChain(folder, ['localhost']);
    await suite.server.psql(`create role anna login password '${password}'`);
  }, 60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  beforeEach(async () => {
    copyFileSync(suite.server.certificates.caFile, caFile);
    place = await openPlace({ host: '127.0.0.1', port: 0 });
    place.is(throughTo(suite.server.port));
  });
  afterEach(() => place.close());

  function impostor(certificate: Certificate, says: Buffer): void {
    place.cut();
    place.journal.clear();
    place.is(async visitor => {
      await visitor.startUp(served(certificate));
      visitor.send(says);
      for (;;) {
        await visitor.message();
        visitor.send(letIn);
      }
    });
  }

  test.each(Object.entries(requests))(
    'another holder of a certificate of it that asks for %s gets nothing',
    async (_, request) => {
      const { wrongHostCertificateFile: certificateFile, wrongHostKeyFile: keyFile } = suite.server.certificates;
      const home = await remembering(password, {
        ...endpointOf(suite.server, { user: 'anna' }),
        port: place.port,
        tls: { mode: 'verify-ca', caFile },
      });
      const ask = () => runOn(home.database, 'select 1', { timeoutSeconds: 3 });
      expect((await ask()).outcome.kind).toBe('done');
      impostor({ certificateFile, keyFile }, request);
      for (const asks of [ask, () => home.asPerson(ask)]) {
        const { outcome } = await asks();
        expect(outcome).toMatchObject({
          kind: 'not_connected',
          message: expect.stringMatching(refusedAs('weaker_method', 'asks_nothing')),
        });
      }
      expect(place.journal.text).toContain('anna');
      expect(place.journal.text).not.toContain(password);
      expect(place.journal.letters.filter(letter => letter !== 'X')).toEqual([]);
      place.is(throughTo(suite.server.port));
      expect((await ask()).outcome.kind).toBe('done');
      await home.database.close();
    },
  );

  needs(missingForTyping()).describe('and a daemon,', () => {
    let home: RealHome;
    let agent: ControlClient;
    let mysql: Impostor | null = null;

    beforeAll(async () => {
      home = realHome(0, 'owner');
      await home.run(['start']);
      agent = await forgedShell(home.home, 'terminal');
      await runOnTerminal(
        home,
        ['passphrase', 'set'],
        [
          ['New owner passphrase: ', passphrase],
          ['again: ', passphrase],
        ],
      );
    }, 60_000);
    afterAll(async () => {
      agent?.close();
      await home?.clean();
    });
    afterEach(async () => {
      await mysql?.stop();
      mysql = null;
      for (const { id } of (await agent.ask('connections.list', {})).connections)
        await agent.ask('connections.delete', { connection: id });
    });

    const save = (name: string, more: object = {}) =>
      agent.ask(
        'connections.save',
        {
          name,
          endpoint: { ...postgresAt('localhost', place.port), database: 'postgres' },
          tls: { mode: 'verify-full', caFile },
          password: { kind: 'stored', value: password },
          ...more,
        },
        passphrase,
      );
    const tested = async (connection: string) => {
      const { reachable, problem } = (await agent.ask('connections.test', { connection })) as {
        reachable: boolean;
        problem?: string;
      };
      return reachable ? 'reachable' : problem;
    };
    const changed =
      /the CA file \S+ is not what it was when the connection was saved, so [^.]*\. If you renewed it, .*connections trust/;

    test('another program’s authority in the file vouches for nobody', async () => {
      await save('Shop');
      expect(await tested('Shop')).toBe('reachable');
      copyFileSync(chain.rootFile, caFile);
      impostor(chain, requests['clear text']);
      expect(await tested('Shop')).toMatch(changed);
      // A client is told no more than that, and a person's look doesn't take it.
      expect((await home.here(['query', 'Shop', 'select 1'])).stderr).toMatch(/is not what it was/);
      expect(place.journal.text).toBe('');

      for (const draft of [
        { connection: 'Shop', tls: { mode: 'verify-full' as const, caFile } },
        { connection: 'Shop', tls: { caFile }, databases: 'all' as const },
      ])
        await agent.ask('connections.try', draft);
      await agent.ask('connections.save', { connection: 'Shop', tls: { mode: 'verify-full', caFile } });
      expect(await tested('Shop')).toMatch(changed);
      expect(place.journal.text).toBe('');

      copyFileSync(suite.server.certificates.caFile, caFile);
      place.is(throughTo(suite.server.port));
      expect(await tested('Shop')).toBe('reachable');
    });

    test('a link in its place, nor a file where none was', async () => {
      await save('Linked');
      unlinkSync(caFile);
      symlinkSync(chain.rootFile, caFile);
      expect(await tested('Linked')).toMatch(changed);
      unlinkSync(caFile);
      await save('Missing');
      expect(await tested('Missing')).toMatch(/could not be read/);
      copyFileSync(chain.rootFile, caFile);
      impostor(chain, requests['clear text']);
      expect(await tested('Missing')).toMatch(changed);
      expect(place.journal.text).toBe('');
    });

    test('nor where no password is saved, or before the first sign-in', async () => {
      await save('Open', { password: { kind: 'none' } });
      copyFileSync(chain.rootFile, caFile);
      impostor(chain, requests.nothing);
      expect(await tested('Open')).toMatch(changed);
      expect(place.journal.text).toBe('');
    });

    test('nor with MySQL', async () => {
      mysql = await startImpostor({
        tls: chain,
        answer: async visit => {
          visit.send(switchTo('mysql_clear_password'));
          await visit.read();
          visit.send(ok);
        },
      });
      await save('Wares', { endpoint: { ...postgresAt('localhost', mysql.port), engine: 'mysql' } });
      copyFileSync(chain.rootFile, caFile);
      expect(await tested('Wares')).toMatch(changed);
      expect(mysql.logins()).toBe(0);
      expect(mysql.received()).toHaveLength(0);
    });

    test('a renewed bundle is taken once its owner has said so, with the passphrase', async () => {
      await save('Cloud');
      writeFileSync(caFile, Buffer.concat([readFileSync(caFile), readFileSync(chain.rootFile)]));
      expect(await tested('Cloud')).toMatch(changed);
      await expect(agent.ask('connections.trust', { connection: 'Cloud' })).rejects.toThrow(/takes whoever answers/);
      expect(await tested('Cloud')).toMatch(changed);
      const trusted = await agent.ask('connections.trust', { connection: 'Cloud' }, passphrase);
      expect(trusted).toMatchObject({ reachable: true });
      expect(await tested('Cloud')).toBe('reachable');
      expect(await agent.ask('connections.show', { connection: 'Cloud' })).toMatchObject({
        tls: { mode: 'verify-full', caFile },
      });
    });
  });
});
