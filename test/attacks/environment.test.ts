/**
 * Threat: a program that can set a variable or drop a file decides where the daemon dials, as whom,
 * or which code it runs. A daemon that a service or bridge launches gets a fresh environment; one
 * started by hand drops `PG*`, `MYSQL*` and `NODE_*`; neither reads a client's files.
 */

import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { bin } from '../bridge/real-home.ts';
import { describeWithThreeEngines, runSallyport } from '../journeys/databases/three-engines.ts';
import { until } from '../waiting/until.ts';

describeWithThreeEngines('a hostile environment', three => {
  /** Files and variables that other clients of these servers trust. */
  const hostileEnvironment = (folder: string): Record<string, string> => {
    const { home, postgres, mariadb } = three;
    mkdirSync(folder);
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o600 });
    write('.pgpass', `*:*:*:*:${postgres.password}\n`);
    write('.pg_service.conf', `[evil]\nhost=127.0.0.1\nport=${postgres.port}\npassword=${postgres.password}\n`);
    write('.my.cnf', `[client]\npassword=${mariadb.password}\nuser=root\n`);
    return {
      ...home.environment,
      HOME: folder,
      PGPASSWORD: postgres.password,
      PGPASSFILE: join(folder, '.pgpass'),
      PGSERVICE: 'evil',
      PGSERVICEFILE: join(folder, '.pg_service.conf'),
      PGHOST: '203.0.113.1',
      LOCALDOMAIN: 'evil.example',
      RES_OPTIONS: 'ndots:9',
      PGUSER: 'evil',
      PGDATABASE: 'evil',
      PGOPTIONS: '-c search_path=evil',
      PGAPPNAME: 'evil',
      MYSQL_PWD: mariadb.password,
      MYSQL_HOST: '203.0.113.1',
      MYSQL_TCP_PORT: '1',
      NODE_EXTRA_CA_CERTS: three.postgres.certificates.caFile,
      SSL_CERT_FILE: three.postgres.certificates.caFile,
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    };
  };

  const ways: Readonly<Record<string, (environment: Record<string, string>) => Promise<void>>> = {
    'launched by the terminal command': async environment => {
      expect((await runSallyport(environment, ['start'], '')).code).toBe(0);
    },
    'started by hand': async environment => {
      const daemon = spawn(join(bin, 'sallyportd'), { env: environment, stdio: 'ignore' });
      daemon.unref();
      await until(() => three.home.handshake() !== null, 'the daemon is ready');
    },
  };

  test.each(Object.entries(ways))(
    '%s: no password, host, option or trust comes from it',
    async (way, start) => {
      const { home, postgres, mariadb } = three;
      expect((await three.run(['stop'])).code).toBe(0);
      const hostile = hostileEnvironment(join(home.folder, way));
      await start(hostile);
      const dial = async (name: string, url: string) => {
        const words = url === '' ? [] : [['connections', 'add', url, '--name', name]];
        for (const word of words) expect((await runSallyport(hostile, word, '')).code).toBe(0);
        const { code, stdout } = await runSallyport(hostile, ['connections', 'test', name, '--json'], '');
        if (url !== '') await runSallyport(hostile, ['connections', 'remove', name], '');
        return { exit: code, ...JSON.parse(stdout) };
      };
      const pg = `postgres://${postgres.superuser}@localhost:${postgres.port}/shop`;
      const encoded = encodeURIComponent(postgres.password);
      expect(await dial('Bare pg', pg)).toMatchObject({ exit: 1, reachable: false, code: 'password_missing' });
      const maria = `mysql://root@127.0.0.1:${mariadb.port}/shop`;
      expect(await dial('Bare maria', maria)).toMatchObject({ exit: 1, code: 'password_refused' });
      const verified = `${pg.replace('@', `:${encoded}@`)}?sslmode=verify-full`;
      // Node reads NODE_EXTRA_CA_CERTS before any of our code runs, so a daemon started by hand
      // uses it.
      if (way !== 'started by hand')
        expect(await dial('Untrusted', verified)).toMatchObject({ exit: 1, code: 'unknown_authority' });
      // Connections with their own password dial the saved place as the saved user.
      expect(await dial('Pg', '')).toMatchObject({ exit: 0, currentUser: 'postgres', currentDatabase: 'shop' });
      expect(await dial('Maria', '')).toMatchObject({ exit: 0, currentDatabase: 'shop' });
    },
    60_000,
  );

  test('NODE_OPTIONS reaches the command that gets it, as usual, and not the daemon that this launches', async () => {
    const { home } = three;
    expect((await three.run(['stop'])).code).toBe(0);
    const witness = join(home.folder, 'witness');
    const required = join(home.folder, 'required.cjs');
    writeFileSync(
      required,
      `require('node:fs').appendFileSync(${JSON.stringify(witness)}, process.argv.join(' ') + '\\n')`,
    );
    const ran = await runSallyport({ ...home.environment, NODE_OPTIONS: `--require ${required}` }, ['start'], '');
    expect(ran.code).toBe(0);
    expect(readFileSync(witness, 'utf8')).toContain('sallyport');
    expect(readFileSync(witness, 'utf8')).not.toContain('sallyportd');
    // In the foreground neither.
    await runSallyport(home.environment, ['stop'], '');
    const foreground = runSallyport(
      { ...home.environment, NODE_OPTIONS: `--require ${required}` },
      ['start', '--foreground'],
      '',
    );
    await until(async () => (await runSallyport(home.environment, ['status'], '')).code === 0, 'it runs');
    await runSallyport(home.environment, ['stop'], '');
    await foreground;
    expect(readFileSync(witness, 'utf8')).not.toContain('sallyportd');
  }, 60_000);
});
