/** The systemd user unit that starts the daemon, as text (spec §16). Writes and runs nothing. */

import { allocatorSettings } from '../../shared/launch.ts';

export const unitName = 'sallyport.service';

/** Its first line: a unit without it is somebody else's, and is left alone. */
export const unitMark = '# Written by `sallyport service install`; `sallyport service uninstall` takes it away.';

/** Crashes within this time, and how many of them, before systemd gives up. */
const crashSeconds = 60;
const crashCount = 5;
/** Longer than the daemon's own drain (spec §2: 3 s). */
const stopSeconds = 10;
/** Misuse: it would be the same the next time. */
const neverAgain = 2;

/**
 * What is left out, and why. `NoNewPrivileges`, and with it all that is done by system call
 * filters: a password command may be a program that is set-group-ID (1Password's `op` is).
 * `MemoryDenyWriteExecute`: Node compiles as it runs. `PrivateTmp`, `ProtectHome` and their kind:
 * the control socket may be in /tmp, SQLite files are anywhere, and these need user namespaces,
 * within which the session bus does not know who asks.
 *
 * @param command with absolute paths.
 */
export function systemdUnit(command: readonly string[]): string {
  return [
    unitMark,
    '[Unit]',
    'Description=Sallyport, the gate of AI clients to your databases',
    `StartLimitIntervalSec=${crashSeconds}`,
    `StartLimitBurst=${crashCount}`,
    '',
    '[Service]',
    'Type=exec',
    `ExecStart=${execStart(command)}`,
    'WorkingDirectory=/',
    // Ended well is not started again: after `sallyport stop`, and where another daemon has the
    // home's lock.
    'Restart=on-failure',
    'RestartSec=1',
    `RestartPreventExitStatus=${neverAgain}`,
    // Its own children are ended by the daemon, in its own order.
    'KillMode=mixed',
    `TimeoutStopSec=${stopSeconds}`,
    'UMask=0077',
    // A core dump would hold passwords.
    'LimitCORE=0',
    // Read by Node and the loader before any of our code; and the home is the one that the bridge
    // looks into.
    'UnsetEnvironment=SALLYPORT_HOME NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_COMPILE_CACHE LD_PRELOAD LD_LIBRARY_PATH LOCALDOMAIN RES_OPTIONS HOSTALIASES',
    // As a daemon that Sallyport launches itself (shared/launch.ts).
    `Environment=${Object.entries(allocatorSettings)
      .map(([name, value]) => `${name}=${value}`)
      .join(' ')}`,
    'SyslogIdentifier=sallyportd',
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ].join('\n');
}

/** systemd takes no program whose path has a quote or a backslash in it; a shell does. */
function execStart(command: readonly string[]): string {
  const [program = ''] = command;
  const words = /["'\\]/.test(program) ? ['/bin/sh', '-c', 'exec "$0" "$@"', ...command] : command;
  return words.map(unitWord).join(' ');
}

/**
 * As systemd.syntax(7) has it: quoted as in C, `%` and `$` doubled. The first word, the program,
 * knows no `$`.
 */
function unitWord(word: string, index: number): string {
  const quoted = word.replace(/["\\]/g, character => `\\${character}`).replaceAll('\n', '\\n');
  const escaped = quoted.replaceAll('%', '%%');
  return `"${index === 0 ? escaped : escaped.replaceAll('$', '$$$$')}"`;
}
