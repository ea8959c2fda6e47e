/**
 * Threat: a program that may write files, but whose own programs are boxed, writes into
 * ~/.ssh/config and has the daemon run it, or go elsewhere, at the next dial of a connection that
 * its person saved before (spec §6).
 */

import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { SshTunnelView } from '../../shared/control-commands.ts';
import { collect } from '../engines/collecting-sink.ts';
import { contextOf } from '../engines/postgres/suite.ts';
import { needs } from '../needs.ts';
import { lendPostgres } from '../servers/lent.ts';
import { findPostgres, type PostgresServer } from '../servers/postgres.ts';
import { type SshHome, sshHome, sshUnavailable } from '../servers/sshd.ts';
import { type ThroughSsh, throughSsh } from '../tunnels/through-ssh.ts';

const found = findPostgres();

needs(sshUnavailable ?? ('unavailable' in found ? found.unavailable : null)).describe('~/.ssh/config edited', () => {
  let postgres: PostgresServer;
  let home: SshHome;
  let through: ThroughSsh;

  beforeAll(async () => {
    postgres = await lendPostgres();
    home = sshHome();
  }, 60_000);
  afterAll(async () => {
    await postgres?.stop();
    await home?.clean();
  }, 60_000);
  beforeEach(() => {
    through = throughSsh(home, systemsFile());
    system('');
    rmSync(mark(), { force: true });
  });
  afterEach(() => through.close());

  const mark = () => join(home.folder, 'ran');
  const runs = () => `touch ${mark()}`;
  const systemsFile = () => join(home.folder, 'ssh_config');
  const system = (lines: string) => writeFileSync(systemsFile(), lines);
  const within = (name: string) => join(home.folder, '.ssh', name);
  /** Nobody listens on port 1 of this machine. */
  const before = 'Host front\n  HostName 127.0.0.1\n  Port 1\n';
  const tunnel = (destination = 'front'): SshTunnelView => ({ kind: 'ssh', destination, jumps: [], keyFile: null });

  async function messageOf(digest: string | null | undefined, destination?: string): Promise<string> {
    const shop = through.postgres(postgres, tunnel(destination), { sshConfigurationDigest: digest });
    const { outcome } = await collect(shop, 'select 1', contextOf());
    return 'message' in outcome ? String(outcome.message) : outcome.kind;
  }

  test('what was there when it was saved runs: the marks below mean something', async () => {
    home.configure(`Host front\n  ProxyCommand ${runs()}\n`);
    const { digest, lines } = await through.tunnels.sshConfiguration(tunnel());
    expect(lines).toContain(`front: proxycommand ${runs()}`);
    expect(existsSync(mark())).toBe(false);
    await messageOf(digest);
    expect(existsSync(mark())).toBe(true);
  });

  const changed = /: what ~\/\.ssh\/config says of the way to \w+ is not what it was when the connection was saved/;
  test.each<[name: string, edit: () => string, destination?: string]>([
    ['a ProxyCommand', () => `Host front\n  ProxyCommand ${runs()}\n${before}`],
    ['a ProxyCommand for all', () => `ProxyCommand ${runs()}\n${before}`],
    ['a ProxyCommand in a file that it includes', () => `Include "${within('planted')}"\n${before}`],
    ['a ProxyCommand of a jump', () => `Host front\n  ProxyJump evil\nHost evil\n  ProxyCommand ${runs()}\n${before}`],
    [
      'a ProxyCommand of a jump’s jump',
      () => `Host front\n  ProxyJump a\nHost a\n  ProxyJump b\nHost b\n  ProxyCommand ${runs()}\n${before}`,
    ],
    ['Match exec', () => `Match exec "${runs()}"\n  User root\n${before}`],
    ['Match exec with exec before it', () => `Match exec "exec ${runs()}"\n  ProxyCommand ${runs()}\n${before}`],
    ['KnownHostsCommand', () => `KnownHostsCommand /bin/sh -c "${runs()}"\n${before}`],
    ['a library for keys', () => `PKCS11Provider ${within('evil.so')}\n${before}`],
    ['a library for security keys', () => `SecurityKeyProvider ${within('evil.so')}\n${before}`],
    ['a library for keys, by its old name', () => `SmartcardDevice ${within('evil.so')}\n${before}`],
    ['a certificate', () => `Host front\n  CertificateFile ${within('evil-cert.pub')}\n${before}`],
    ['a key', () => `Host front\n  IdentityFile ${within('evil')}\n${before}`],
    ['keys that are no longer refused', () => `Host front\n  RevokedHostKeys ${within('none')}\n${before}`],
    ['another server', () => `Host front\n  HostName elsewhere.invalid\n${before}`],
    ['another account', () => `Host front\n  User somebody\n${before}`],
    ['an agent of its own', () => `Host front\n  IdentityAgent ${within('agent')}\n${before}`],
    ['a key that the server is believed by', () => `Host front\n  UserKnownHostsFile ${within('theirs')}\n${before}`],
    ['another name for its key', () => `Host front\n  HostKeyAlias theirs\n${before}`],
  ])('%s is not followed', async (_, edit) => {
    home.configure(before);
    const { digest } = await through.tunnels.sshConfiguration(tunnel());
    writeFileSync(within('planted'), `Host front\n  ProxyCommand ${runs()}\n`, { mode: 0o600 });
    home.configure(edit());
    expect(await messageOf(digest)).toMatch(changed);
    // Nor while a person is shown it.
    await through.tunnels.sshConfiguration(tunnel());
    expect(existsSync(mark())).toBe(false);

    home.configure(before);
    through.retry(null);
    expect(await messageOf(digest)).toContain("can't be reached");
  });

  test.each<[name: string, edit: () => string]>([
    ['a command that ssh would run after a sign-in', () => `PermitLocalCommand yes\nLocalCommand ${runs()}\n${before}`],
    ['a forward from the server to here', () => `RemoteForward 2222 localhost:22\n${before}`],
    ['a ProxyCommand of another host', () => `Host other\n  ProxyCommand ${runs()}\n${before}`],
  ])('%s is passed over, as nothing of it is done', async (_, edit) => {
    home.configure(before);
    const { digest } = await through.tunnels.sshConfiguration(tunnel());
    home.configure(edit());
    expect(await messageOf(digest)).toContain("can't be reached");
    expect(existsSync(mark())).toBe(false);
  });

  test('what a ProxyCommand’s own ssh would read counts, also in a file that is included', async () => {
    mkdirSync(within('conf.d'), { recursive: true });
    writeFileSync(within('conf.d/jump'), 'Host jump\n  Port 1\n', { mode: 0o600 });
    home.configure(`Include "${within('conf.d')}/*"\nHost front\n  ProxyCommand ssh -W %h:%p jump\n`);
    const { digest } = await through.tunnels.sshConfiguration(tunnel());
    writeFileSync(within('conf.d/jump'), `Host jump\n  ProxyCommand ${runs()}\n`, { mode: 0o600 });
    expect(await messageOf(digest)).toMatch(changed);
    expect(existsSync(mark())).toBe(false);
  });

  const jump = 'ProxyCommand ssh -W %h:%p jump';
  test.each<[name: string, system: string, own?: string]>([
    ['of the system', `Host front\n  ${jump}\n`],
    ['of the system, where a Match exec tells at the dial', `Match host front exec "true"\n  ${jump}\n`],
    ['of the system’s KnownHostsCommand', 'Host front\n  KnownHostsCommand /bin/sh -c "ssh jump keys"\n'],
    ['of a jump of the system', `Host front\n  ProxyJump middle\nHost middle\n  ${jump}\n`],
    ['of the person’s, with files that the system’s don’t include', '', `Host front\n  ${jump}\n`],
  ])('what another ssh reads counts: %s', async (_, lines, own = '') => {
    const elsewhere = join(home.folder, 'team');
    writeFileSync(elsewhere, 'Host jump\n  Port 1\n', { mode: 0o600 });
    // Not below the person's home, as daemon and ssh see it.
    const outside = mkdtempSync(join(tmpdir(), 'sallyport-team-'));
    writeFileSync(join(outside, 'ssh'), 'Host jump\n  Port 1\n', { mode: 0o600 });
    for (const file of [elsewhere, join(outside, 'ssh')]) {
      system(lines);
      home.configure(`Include "${elsewhere}" "${outside}/ssh"\n${own}`);
      through.retry(null);
      const { digest } = await through.tunnels.sshConfiguration(tunnel());
      expect(digest).not.toBeNull();
      writeFileSync(file, `Host jump\n  ProxyCommand ${runs()}\n`, { mode: 0o600 });
      expect(await messageOf(digest)).toMatch(changed);
      expect(existsSync(mark())).toBe(false);
      writeFileSync(file, 'Host jump\n  Port 1\n', { mode: 0o600 });
    }
    rmSync(outside, { recursive: true });
  });

  test('what another ssh reads counts: a file that it is given, and what that includes', async () => {
    const [given, more] = [within('given'), within('more')];
    writeFileSync(given, `Include "${more}"\n`, { mode: 0o600 });
    home.configure(`Host front\n  ProxyCommand ssh -F ${given} -W %h:%p jump\n`);
    for (const file of [more, given]) {
      const { digest } = await through.tunnels.sshConfiguration(tunnel());
      writeFileSync(file, `Host jump\n  ProxyCommand ${runs()}\n`, { mode: 0o600 });
      expect(await messageOf(digest)).toMatch(changed);
      expect(existsSync(mark())).toBe(false);
    }
  });

  test('a jump of the system is looked up in ~/.ssh/config, and held to what that said', async () => {
    system('Host front\n  ProxyJump middle\n');
    home.configure(`Host middle\n  HostName 127.0.0.1\n  Port 1\n`);
    const { digest, lines } = await through.tunnels.sshConfiguration(tunnel());
    expect(lines).toContain('middle: port 1');
    home.configure(`Host middle\n  ProxyCommand ${runs()}\n`);
    expect(await messageOf(digest)).toMatch(changed);
    expect(existsSync(mark())).toBe(false);
  });

  // ssh -F would look for it in ~/.ssh, where any program may put one.
  test.each([
    'Include planted.d/*.conf',
    'include=planted',
    '  Include /etc/ssh/none "planted"',
    'Host other\n\tINCLUDE ~/.ssh/planted # ours',
  ])('the system’s Include without a folder is refused: %s', async lines => {
    system(`${lines}\n`);
    home.configure(before);
    expect(await messageOf(undefined)).toMatch(/^.*: the Include of \S*planted\S* in \S+ must name its whole path/);
  });

  test('the system’s Include of a whole path is followed', async () => {
    system('# Include planted\nInclude "/etc/ssh/none.d/*" /etc/ssh/none # planted\n');
    home.configure(before);
    expect(await messageOf(undefined)).toContain("can't be reached");
  });

  // Root's own ssh follows no file of somebody else's; a person's follows their own there.
  test('a file that isn’t root’s, which the system includes, counts', async () => {
    const isRoot = process.getuid?.() === 0;
    const file = join(home.folder, 'not-roots');
    writeFileSync(file, '', { mode: 0o600 });
    if (isRoot) chownSync(file, 65534, 65534);
    system(`Include ${file}\n`);
    home.configure(before);
    const { digest } = await through.tunnels.sshConfiguration(tunnel());
    writeFileSync(file, `ProxyCommand ${runs()}\n`);
    expect(await messageOf(digest)).toMatch(isRoot ? /Bad owner or permissions on \S+not-roots/ : changed);
    expect(existsSync(mark())).toBe(false);
  });

  test('one that could not be read when it was saved fits nothing later', async () => {
    home.configure('Nonsense\n');
    const { digest } = await through.tunnels.sshConfiguration(tunnel());
    expect(digest).toBeNull();
    home.configure(`ProxyCommand ${runs()}\n`);
    expect(await messageOf(digest)).toMatch(changed);
    expect(existsSync(mark())).toBe(false);
  });
});
