/**
 * What people have in ~/.ssh/config, each with a real ssh, real SSH servers and a real database:
 * what is shown of it before a connection is saved, and whether a dial by what was shown answers.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { SshTunnelView } from '../../shared/control-commands.ts';
import { collect } from '../engines/collecting-sink.ts';
import { contextOf } from '../engines/postgres/suite.ts';
import { needs } from '../needs.ts';
import { freePort } from '../servers/free-port.ts';
import { lendPostgres } from '../servers/lent.ts';
import { findPostgres, type PostgresServer } from '../servers/postgres.ts';
import { type SshHome, type SshServer, sshHome, sshUnavailable, startSshd } from '../servers/sshd.ts';
import { type ThroughSsh, throughSsh } from './through-ssh.ts';

const found = findPostgres();

needs(sshUnavailable ?? ('unavailable' in found ? found.unavailable : null)).describe('~/.ssh/config', () => {
  let postgres: PostgresServer;
  let home: SshHome;
  let outer: SshServer;
  let inner: SshServer;
  let through: ThroughSsh;
  let spare: number;

  beforeAll(async () => {
    postgres = await lendPostgres();
    home = sshHome();
    [outer, inner] = await Promise.all([startSshd(home), startSshd(home)]);
    outer.trust();
    inner.trust();
    spare = await freePort();
  }, 60_000);
  afterAll(async () => {
    await Promise.all([outer?.kill(), inner?.kill(), postgres?.stop()]);
    await home?.clean();
  }, 60_000);
  beforeEach(() => {
    through = throughSsh(home, join(home.folder, 'ssh_config'));
  });
  afterEach(() => through.close());

  interface SetUp {
    readonly name: string;
    /** Lines of ~/.ssh/config; `IN` and `OUT` are the servers' ports. */
    readonly lines: readonly string[];
    readonly destination?: string;
    readonly jumps?: readonly string[];
    /** Lines of the system's file, which else is this machine's. */
    readonly system?: readonly string[];
    /** Each is among the shown lines. */
    readonly shown: readonly (string | RegExp)[];
    /** Why it doesn't answer; absent if it does. */
    readonly refused?: RegExp;
    /** More files, by their names in ~/.ssh. */
    readonly files?: Readonly<Record<string, string>>;
    readonly also?: () => void;
  }
  const at = (port: 'IN' | 'OUT'): string => `HostName 127.0.0.1\n  Port ${port}`;
  const ssh = (name: string): string => join('HOME', '.ssh', name);
  const key = `IdentityFile "${ssh('id')}"`;
  const setUps: readonly SetUp[] = [
    {
      name: 'an alias with a user',
      lines: ['Host front', `  ${at('OUT')}`, '  User USER', `  ${key}`],
      shown: ['front: hostname 127.0.0.1', /^front: port \d+$/, /^front: identityfile .*\/id$/],
    },
    {
      name: 'keywords with an equals sign, in other letters, with comments',
      lines: ['host=front # the bastion', 'hostname=127.0.0.1', 'PORT = OUT', `${key}`],
      shown: ['front: hostname 127.0.0.1'],
    },
    {
      name: 'files that Include names by a pattern',
      lines: [`Include "${ssh('conf.d')}/*.conf"`, 'Host *', `  ${key}`],
      files: {
        'conf.d/one.conf': `Host front\n  ${at('OUT')}\n`,
        'conf.d/two.conf': 'Host other\n  ProxyCommand evil\n',
      },
      shown: ['front: hostname 127.0.0.1'],
    },
    {
      name: 'an Include within a block of another host',
      lines: ['Host other', `  Include "${ssh('more')}"`, 'Host front', `  ${at('OUT')}`, `  ${key}`],
      files: { more: 'ProxyCommand evil\n' },
      shown: ['front: hostname 127.0.0.1'],
    },
    {
      name: 'Match by host and user',
      lines: ['Match originalhost front', `  ${at('OUT')}`, 'Match host 127.0.0.1 user USER', `  ${key}`],
      destination: 'USER@front',
      shown: ['USER@front: hostname 127.0.0.1'],
    },
    {
      name: 'Match exec, which nobody runs',
      lines: [`Match exec "touch ${ssh('ran')}"`, '  ProxyCommand evil', 'Host front', `  ${at('OUT')}`, `  ${key}`],
      shown: [/^Match exec touch .*ran: not run, so nothing matches by it$/],
      also: () => expect(existsSync(join(home.folder, '.ssh', 'ran'))).toBe(false),
    },
    {
      name: 'ProxyJump by an alias',
      lines: ['Host front', `  ${at('OUT')}`, 'Host back', `  ${at('IN')}`, '  ProxyJump front', 'Host *', `  ${key}`],
      destination: 'back',
      shown: ['back: proxyjump front', 'front: hostname 127.0.0.1'],
    },
    {
      name: 'ProxyJump as a URI',
      lines: ['Host back', `  ${at('IN')}`, '  ProxyJump ssh://127.0.0.1:OUT', 'Host *', `  ${key}`],
      destination: 'back',
      shown: [/^back: proxyjump \[127\.0\.0\.1\]:\d+$/, /^\[127\.0\.0\.1\]:\d+: identityfile/],
    },
    {
      name: 'ProxyJump over two, one of which has a jump of its own',
      lines: [
        ...['Host first', `  ${at('OUT')}`, 'Host second', `  ${at('IN')}`, '  ProxyJump first'],
        ...['Host third', `  ${at('OUT')}`, '  ProxyJump second', 'Host *', `  ${key}`],
      ],
      destination: 'third',
      shown: ['third: proxyjump second', 'second: proxyjump first', 'first: hostname 127.0.0.1'],
    },
    {
      name: 'ProxyJump none before one for all',
      lines: ['Host front', `  ${at('OUT')}`, '  ProxyJump none', 'Host *', '  ProxyJump nowhere.invalid', `  ${key}`],
      shown: ['front: hostname 127.0.0.1'],
    },
    {
      name: 'jumps of the connection, whose last ones follow no jump of the file',
      lines: [
        'Host front',
        `  ${at('OUT')}`,
        'Host back',
        `  ${at('IN')}`,
        '  ProxyJump nowhere',
        'Host *',
        `  ${key}`,
      ],
      destination: 'back',
      jumps: ['front'],
      shown: ['back: hostname 127.0.0.1', 'front: hostname 127.0.0.1'],
    },
    {
      name: 'a ProxyCommand',
      lines: [
        ...['Host front', `  ${at('OUT')}`, `  ${key}`],
        `  ProxyCommand bash -c 'exec 3<>/dev/tcp/%h/%p; cat <&3 & exec cat >&3'`,
      ],
      shown: [/^front: proxycommand bash -c 'exec 3<>\/dev\/tcp\/%h\/%p; cat <&3 & exec cat >&3'$/],
    },
    {
      name: 'a ProxyCommand that is ssh, so what that reads counts too',
      lines: [
        ...['Host front', `  ${at('OUT')}`, 'Host back', `  ${at('IN')}`],
        ...[`  ProxyCommand ssh -F "${ssh('config')}" -W %h:%p front`, 'Host *', `  ${key}`],
      ],
      destination: 'back',
      shown: [/^back: proxycommand ssh -F/, /^another ssh on the way reads .*\/config: SHA-256 [0-9a-f]{64}$/],
    },
    {
      name: 'a key in a folder with a blank',
      lines: ['Host front', `  ${at('OUT')}`, `  IdentityFile "${ssh('my keys')}/id"`],
      files: { 'my keys/id': 'KEY' },
      shown: [/^front: identityfile ".*my keys\/id"$/],
    },
    {
      name: 'a key by the host’s name, for the connection’s own options',
      lines: ['Host front', `  ${at('OUT')}`, `  IdentityFile "${ssh('%n-id')}"`, '  IdentitiesOnly yes'],
      files: { 'front-id': 'KEY' },
      shown: ['front: identitiesonly yes', /^front: identityfile .*%n-id$/],
    },
    {
      name: 'HostKeyAlias',
      lines: ['Host front', `  ${at('OUT')}`, '  HostKeyAlias bastion', `  ${key}`],
      also: () => expect(readFileSync(home.knownHosts, 'utf8')).not.toContain('bastion'),
      shown: ['front: hostkeyalias bastion'],
      refused: /nobody has confirmed the SSH host key of bastion/,
    },
    {
      name: 'KnownHostsCommand',
      lines: [
        ...['Host front', `  ${at('OUT')}`, `  ${key}`, '  HostKeyAlias elsewhere', '  UserKnownHostsFile /dev/null'],
        `  KnownHostsCommand /bin/sh -c "sed 's/^[^ ]*/elsewhere/' ${ssh('known_hosts')}"`,
      ],
      shown: [/^front: knownhostscommand \/bin\/sh -c/],
    },
    {
      name: 'a pattern whose HostName takes the name apart',
      lines: ['Host *.lab', '  HostName 127.0.0.1', '  Port OUT', `  ${key}`],
      destination: 'db.lab',
      shown: ['db.lab: hostname 127.0.0.1'],
    },
    {
      name: 'an alias in capitals',
      lines: ['Host Front', `  ${at('OUT')}`, `  ${key}`],
      destination: 'Front',
      shown: ['Front: hostname 127.0.0.1'],
    },
    {
      name: 'a jump of the system, with a block of the person’s',
      system: ['Host back', '  ProxyJump front'],
      lines: ['Host back', `  ${at('IN')}`, 'Host front', `  ${at('OUT')}`, '  User USER', 'Host *', `  ${key}`],
      destination: 'back',
      shown: ['front: hostname 127.0.0.1', /^front: port \d+$/, /^back: port \d+$/],
    },
    {
      name: 'jumps of the system for all but the last of them',
      system: ['Host * !first', '  ProxyJump first'],
      lines: ['Host first', `  ${at('OUT')}`, 'Host front', `  ${at('IN')}`, 'Host *', `  ${key}`],
      shown: ['first: hostname 127.0.0.1', 'front: hostname 127.0.0.1'],
    },
    {
      name: 'a jump of the system that the person’s file takes away',
      system: ['Host *', '  ProxyJump nowhere.invalid'],
      lines: ['Host front', `  ${at('OUT')}`, '  ProxyJump none', `  ${key}`],
      shown: ['front: proxyjump none'],
    },
    {
      name: 'jumps of the connection, where the system has one for all',
      system: ['Host * !front', '  ProxyJump nowhere.invalid'],
      lines: ['Host front', `  ${at('OUT')}`, 'Host back', `  ${at('IN')}`, 'Host *', `  ${key}`],
      destination: 'back',
      jumps: ['front'],
      shown: ['front: hostname 127.0.0.1', 'back: hostname 127.0.0.1'],
    },
    {
      name: 'a jump of the system for all hosts, also for itself',
      system: ['Host *', '  ProxyJump front'],
      lines: ['Host front', `  ${at('OUT')}`, `  ${key}`],
      destination: 'back',
      shown: [/^can't be followed: .*(?:leads back to itself|loop)/],
      refused: /leads back to itself|loop/,
    },
    {
      name: 'a ProxyCommand of the system that is ssh',
      system: ['Host back', `  ProxyCommand ssh -F "${ssh('config')}" -W %h:%p front`],
      lines: ['Host front', `  ${at('OUT')}`, 'Host back', `  ${at('IN')}`, 'Host *', `  ${key}`],
      destination: 'back',
      shown: [/^another ssh on the way reads .*\/config: SHA-256 [0-9a-f]{64}$/],
    },
    {
      name: 'forwards, a command and a terminal that are for people: none is opened',
      lines: [
        ...['Host front', `  ${at('OUT')}`, `  ${key}`, '  LocalForward SPARE localhost:1', '  RemoteCommand evil'],
        ...['  RequestTTY force', '  DynamicForward 1', '  PermitLocalCommand yes', '  LocalCommand evil'],
      ],
      shown: ['front: hostname 127.0.0.1'],
    },
    {
      name: 'algorithms added, put first, and taken away',
      lines: [
        ...['Host front', `  ${at('OUT')}`, `  ${key}`, '  Ciphers ^aes256-gcm@openssh.com'],
        ...['  KexAlgorithms -sntrup761x25519-sha512', '  MACs hmac-sha2-512', '  AddressFamily inet'],
      ],
      shown: [/^front: ciphers aes256-gcm@openssh.com,/, 'front: macs hmac-sha2-512', 'front: addressfamily inet'],
    },
    {
      name: 'names that are to be made whole',
      lines: ['CanonicalizeHostname yes', 'CanonicalDomains lab.invalid', 'Host front', `  ${at('OUT')}`, `  ${key}`],
      shown: ['front: hostname 127.0.0.1'],
    },
    {
      name: 'two hops on one machine',
      lines: ['Host *', `  ${key}`],
      destination: '127.0.0.1:IN',
      jumps: ['127.0.0.1:OUT'],
      shown: [/identityfile/],
    },
    {
      name: 'a keyword that ssh doesn’t know',
      lines: ['Host front', '  UseKeychainOfMine yes'],
      shown: [/^can't be followed: ssh can't read its configuration \(ssh: .*Bad configuration option/],
      refused: /ssh can't read its configuration/,
    },
    {
      name: 'a keyword that ssh doesn’t know, and is told to pass over',
      lines: ['IgnoreUnknown UseKeychain', 'Host front', `  ${at('OUT')}`, '  UseKeychain yes', `  ${key}`],
      shown: ['front: hostname 127.0.0.1'],
    },
    {
      name: 'a jump that leads back to itself',
      lines: ['Host front', `  ${at('OUT')}`, '  ProxyJump back', 'Host back', `  ${at('IN')}`, '  ProxyJump front'],
      shown: ["can't be followed: the ProxyJump of front in ssh's configuration leads back to itself"],
      refused: /the ProxyJump of front in ssh's configuration leads back to itself/,
    },
    {
      name: 'a jump that is an option',
      lines: ['Host front', `  ${at('OUT')}`, '  ProxyJump "-oProxyCommand=touch HOME/.ssh/ran"', `  ${key}`],
      shown: [/^can't be followed: /],
      refused: /ProxyJump|configuration/,
      also: () => expect(existsSync(join(home.folder, '.ssh', 'ran'))).toBe(false),
    },
  ];

  test.each(setUps)(
    '$name',
    async ({ lines, system, destination = 'front', jumps = [], shown, refused, files = {}, also }) => {
      const filled = (text: string): string =>
        text
          .replaceAll(/\bIN\b/g, `${inner.port}`)
          .replaceAll(/\bOUT\b/g, `${outer.port}`)
          .replaceAll('SPARE', `${spare}`)
          .replaceAll('HOME', home.folder)
          .replaceAll('KEY', readFileSync(home.keyFile, 'utf8'))
          .replaceAll('USER', home.user);
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(join(home.folder, '.ssh', name, '..'), { recursive: true });
        writeFileSync(join(home.folder, '.ssh', name), filled(text), { mode: 0o600 });
      }
      home.configure(filled(lines.join('\n')));
      const systems = system ?? ['Include /etc/ssh/ssh_config'];
      writeFileSync(join(home.folder, 'ssh_config'), filled(`${systems.join('\n')}\n`));
      const tunnel: SshTunnelView = {
        kind: 'ssh',
        destination: filled(destination),
        jumps: jumps.map(filled),
        keyFile: null,
      };
      const said = await through.tunnels.sshConfiguration(tunnel);
      for (const line of shown)
        expect(said.lines).toContainEqual(typeof line === 'string' ? filled(line) : expect.stringMatching(line));
      expect(said.lines.join('\n')).not.toContain('evil');

      const shop = through.postgres(postgres, tunnel, { sshConfigurationDigest: said.digest });
      const { outcome, rows } = await collect(shop, 'select 41 + 1', contextOf());
      if (refused === undefined) expect([outcome, rows]).toEqual([expect.objectContaining({ kind: 'done' }), [[42]]]);
      else expect(outcome).toMatchObject({ kind: 'not_connected', message: expect.stringMatching(refused) });
      also?.();
    },
    60_000,
  );
});
