/**
 * MariaDB accounts whose password PAM checks: it is shown to the server itself, so only to one that
 * is known (spec §6). PAM's module here is a script, as LDAP's and Kerberos' would be.
 */

import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TlsMode } from '../../../daemon/access/connection.ts';
import { refusedAs } from '../../access/identity-said.ts';
import { needs, needsRoot } from '../../needs.ts';
import { isMysql, type MariadbServer, mariadbUnavailable, startMariadb } from '../../servers/mariadb.ts';
import { type Home, homeWith } from './mysql-home.ts';

const password = 'right-Zq7';

const pam = existsSync('/etc/pam.d') ? null : 'it needs PAM';
const missing = mariadbUnavailable() ?? (isMysql() ? 'it needs MariaDB' : pam);
needsRoot.describe('an account of PAM', () => {
  needs(missing).describe('on MariaDB', () => {
    let folder = '';
    let service = '';
    let server: MariadbServer;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'sallyport-pam-'));
      // PAM writes its name in small letters.
      service = join('/etc/pam.d', basename(folder).toLowerCase());
      const check = join(folder, 'check');
      writeFileSync(check, `#!/bin/sh\n[ "$(tr -d '\\0')" = '${password}' ]\n`);

      writeFileSync(
        service,
        `auth required pam_exec.so quiet expose_authtok ${check}\naccount required pam_permit.so\n`,
      );
      for (const path of [folder, check, service]) chmodSync(path, 0o755);
      server = await startMariadb();
      await server.ask("INSTALL SONAME 'auth_pam_v1'");
      for (const user of ['tls', 'changed', 'clear', 'socket'])
        for (const host of ['127.0.0.1', 'localhost'])
          await server.client(`CREATE USER ${user}@'${host}' IDENTIFIED VIA pam USING '${basename(service)}'`);
    }, 60_000);
    afterAll(async () => {
      await server?.stop();
      rmSync(service, { force: true });
      rmSync(folder, { recursive: true });
    });

    const home = (user: string, mode: TlsMode, place = {}, typed = password): Promise<Home> =>
      homeWith({ port: server.port, user, tls: { mode, caFile: null }, ...place }, typed);

    test('is in over TLS once a person has tested it, and over verified TLS', async () => {
      const saved = await home('tls', 'prefer');
      expect(await saved.client()).toMatch(/nobody has tested this connection yet/);
      expect(await saved.person()).toBe('42');
      expect(await saved.client()).toBe('42');
      const { caFile } = server.certificates;
      const verified = await home('tls', 'verify-full', { host: 'localhost', tls: { mode: 'verify-full', caFile } });
      expect(await verified.client()).toBe('42');
      expect(await (await home('tls', 'prefer', {}, 'wrong')).person()).toMatch(/Access denied/);
    });

    test('shows nothing to another server', async () => {
      const saved = await home('changed', 'prefer');
      expect(await saved.person()).toBe('42');
      const { wrongHostCertificateFile, wrongHostKeyFile } = server.certificates;
      await server.restart([`--ssl-cert=${wrongHostCertificateFile}`, `--ssl-key=${wrongHostKeyFile}`]);
      expect(await saved.client()).toMatch(refusedAs('another_key'));
      await server.restart();
      expect(await saved.client()).toBe('42');
    }, 60_000);

    test('is not shown without TLS, and is by a socket', async () => {
      expect(await (await home('clear', 'disable')).person()).toMatch(refusedAs('password_would_show'));
      const socket = await home('socket', 'disable', { host: null, port: null, socketPath: server.socketPath });
      expect(await socket.person()).toBe('42');
      expect(await socket.client()).toBe('42');
    });
  });
});
