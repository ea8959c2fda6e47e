/**
 * A connection moves to a role of its own on a server that is known: the server is held to the same
 * key and owner as before, and nobody has to test it again (spec §6). A MySQL asks a new user for the
 * password itself.
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ConnectionView } from '../../../shared/control-commands.ts';
import { needs } from '../../needs.ts';
import { isMysql, type MariadbServer, mariadbUnavailable, startMariadb } from '../../servers/mariadb.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';

const password = 'right-Zq7';

needs(mariadbUnavailable()).describe('a role of its own', () => {
  let server: MariadbServer;
  let home: RealHome;

  beforeAll(async () => {
    server = await startMariadb();
    await server.client(
      `create database shop; create table shop.goods (id int primary key);
       create user admin@'127.0.0.1' identified by '${password}'; grant all on *.* to admin@'127.0.0.1' with grant option;
       create user admin@localhost identified by '${password}'; grant all on *.* to admin@localhost with grant option`,
    );
    home = realHome();
    await home.run(['start']);
  }, 60_000);
  afterAll(async () => {
    await home?.clean();
    await server?.stop();
  });

  test.each([
    ['over TLS', 'Tls', () => `mysql://admin@127.0.0.1:${server.port}/shop`, 'prefer'],
    ['in clear text', 'Clear', () => `mysql://admin@127.0.0.1:${server.port}/shop`, 'disable'],
    ['by its socket', 'Socket', () => `mysql://admin@localhost/shop?socket=${server.socketPath}`, 'disable'],
  ])(
    '%s',
    async (_, name, url, mode) => {
      const added = await home.here(['connections', 'add', url(), '--name', name, '--tls', mode, '--password-stdin'], {
        stdin: password,
      });
      expect([added.code, added.stderr]).toEqual([0, expect.not.stringContaining("can't be reached")]);
      expect(await home.here(['connections', 'test', name])).toMatchObject({ code: 0 });
      const keys = async () => {
        const shown = await home.json<ConnectionView>(['connections', 'show', name]);
        return [shown.user, shown.knownServers?.map(known => [known.keys, known.socketOwner])];
      };
      const [, before] = await keys();
      const moved = await home.here(['connections', 'role', name, '--apply', '--yes']);
      expect([moved.code, moved.stderr]).toEqual([0, expect.any(String)]);
      const role = `sallyport_ro_${name.toLowerCase()}`;
      expect(await keys()).toEqual([role, before]);
      for (const _ of [1, 2]) {
        expect(await home.here(['query', name, 'select count(*) from goods'])).toMatchObject({ code: 0 });
        if (isMysql()) await server.client('flush privileges');
      }
    },
    60_000,
  );
});
