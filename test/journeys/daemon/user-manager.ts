/**
 * A real `systemd --user` as after a login, for an invented user that only its namespaces know. It
 * doesn't touch the machine's own systemd, and everything in it ends with `stop`.
 */

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { missingPrograms } from '../../missing-programs.ts';
import type { Ran } from '../../shell-terminal/real-home.ts';
import { until } from '../../waiting/until.ts';

const uid = 64_123;
const manager = '/lib/systemd/systemd';
const patienceSeconds = 30;
const namespaces = ['--mount', '--pid', '--fork', '--mount-proc', '--propagation', 'private'];

/** Null, or why it can't run here. */
export function missingForUserManager(): string | null {
  if (process.platform !== 'linux') return 'systemd is of Linux';
  if (process.getuid?.() !== 0) return 'to give it namespaces and a cgroup takes root';
  const bring = 'sh test/install/systemd.sh';
  const missing = missingPrograms(['unshare', 'nsenter', 'setpriv', 'systemctl'], bring);
  if (missing !== null) return missing;
  if (!existsSync(manager)) return `no systemd; ${bring}`;
  try {
    for (const folder of cgroups('sallyport-probe')) {
      mkdirSync(folder);
      rmdirSync(folder);
    }
  } catch {
    return 'no cgroup may be made here';
  }
  if (spawnSync('unshare', [...namespaces, 'true']).status !== 0) return 'no namespace may be made here';
  return null;
}

export interface UserManager {
  readonly folder: string;
  readonly userHome: string;
  /** Logs in; once more after `logOut`. */
  logIn(): Promise<void>;
  logOut(): Promise<void>;
  /** Runs a program in that user's terminal. */
  run(program: string, words: readonly string[], environment?: Record<string, string>): Promise<Ran>;
  /** What the daemon wrote to the journal. */
  journal(): Promise<string>;
  /** A property of the unit, as `systemctl --user show` has it. */
  property(name: string): Promise<string>;
  stop(): Promise<void>;
}

export function userManager(): UserManager {
  const folder = mkdtempSync('/tmp/sallyport-systemd-');
  const name = folder.slice('/tmp/'.length);
  chmodSync(folder, 0o755);
  const userHome = join(folder, 'home');
  mkdirSync(userHome);
  chownSync(userHome, uid, uid);
  const runtime = `/run/user/${uid}`;
  const environment = {
    HOME: userHome,
    USER: 'sallyport-test',
    PATH: '/usr/local/bin:/usr/bin:/bin',
    XDG_RUNTIME_DIR: runtime,
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${runtime}/bus`,
  };
  const asUser = (more: Record<string, string> = {}): string[] => [
    ...['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', 'env', '-i'],
    ...Object.entries({ ...environment, ...more }).map(([key, value]) => `${key}=${value}`),
  ];
  let session: ChildProcess | null = null;
  let inside = 0;

  async function logIn(): Promise<void> {
    for (const cgroup of cgroups(name)) {
      mkdirSync(cgroup, { recursive: true });
      execFileSync('chown', ['-R', String(uid), cgroup]);
    }
    const script = [
      'set -e',
      ...cgroups(name).map(cgroup => `echo $$ > ${cgroup}/cgroup.procs`),
      // systemd uses this to know that it was booted.
      'mkdir -p /run/systemd && mount -t tmpfs tmpfs /run/systemd && mkdir -p /run/systemd/system',
      // In memory, in the place of the machine's own journal.
      'mkdir -p /run/systemd/journal /run/systemd/journald.conf.d /run/log && mount -t tmpfs tmpfs /run/log',
      "printf '[Journal]\\nStorage=volatile\\nReadKMsg=no\\nAudit=no\\n' > /run/systemd/journald.conf.d/test.conf",
      `${manager}-journald &`,
      `mkdir -p /run/user && mount -t tmpfs tmpfs /run/user && mkdir -m 700 ${runtime} && chown ${uid}:${uid} ${runtime}`,
      `{ cat /etc/passwd; echo "sallyport-test:x:${uid}:${uid}::${userHome}:/bin/sh"; } > ${folder}/passwd`,
      `mount --bind ${folder}/passwd /etc/passwd`,
      `exec ${asUser().join(' ')} sh -c '${manager} --user & wait'`,
    ];
    session = spawn('unshare', [...namespaces, 'sh', '-c', script.join('\n')], { stdio: 'ignore' });
    const { pid } = session;
    await until(
      async () => {
        inside = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
        // Checked from outside: a program inside takes as long as the manager's own start.
        if (inside === 0 || !existsSync(`/proc/${inside}/root${runtime}/bus`)) return false;
        return (await run('systemctl', ['--user', 'is-system-running', '--wait'])).stdout === 'running\n';
      },
      'the user manager runs',
      patienceSeconds,
    );
  }

  async function logOut(): Promise<void> {
    const ended = session;
    session = null;
    if (ended !== null && ended.exitCode === null && ended.signalCode === null) {
      const gone = new Promise(resolve => ended.once('close', resolve));
      // The end of a namespace's first process ends everything in it.
      process.kill(inside > 0 ? inside : (ended.pid ?? 0), 'SIGKILL');
      await gone;
    }
    for (const cgroup of cgroups(name)) await until(() => removed(cgroup), 'its cgroup is empty', patienceSeconds);
  }

  const run = (program: string, words: readonly string[], more?: Record<string, string>): Promise<Ran> =>
    runInside([...asUser(more), program, ...words]);

  function runInside(line: readonly string[]): Promise<Ran> {
    const child = spawn('nsenter', ['-t', String(inside), '--mount', '--pid', ...line], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', chunk => {
      stdout += chunk;
    });
    child.stderr.on('data', chunk => {
      stderr += chunk;
    });
    return new Promise(resolve => child.once('close', code => resolve({ code, stdout, stderr })));
  }

  return {
    folder,
    userHome,
    logIn,
    logOut,
    run,
    async journal() {
      const words = ['-D', '/run/log/journal', '-t', 'sallyportd', '-o', 'cat', '--no-pager'];
      return (await runInside(['journalctl', ...words])).stdout;
    },
    async property(property) {
      const shown = await run('systemctl', ['--user', 'show', '--value', '-p', property, 'sallyport.service']);
      return shown.stdout.trim();
    },
    async stop() {
      await logOut();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The unified hierarchy alone, or systemd's own beside it. */
function cgroups(name: string): string[] {
  const root = '/sys/fs/cgroup';
  const roots = existsSync(`${root}/cgroup.controllers`) ? [root] : [`${root}/systemd`, `${root}/unified`];
  return roots.filter(folder => existsSync(folder)).map(folder => join(folder, name));
}

/** Deepest first. */
function removed(cgroup: string): boolean {
  if (!existsSync(cgroup)) return true;
  for (const entry of readdirSync(cgroup, { withFileTypes: true }))
    if (entry.isDirectory() && !removed(join(cgroup, entry.name))) return false;
  rmdirSync(cgroup);
  return true;
}
