/** The text of the systemd user unit that starts the daemon (spec §16). Writes and runs nothing. */

import { allocatorSettings } from '../../shared/launch.ts';

export const unitName = 'sallyport.service';

/** Its first line. A unit without it belongs to somebody else, and is left alone. */
export const unitMark =
  "# Sallyport's: `sallyport service install` has it start at login, `sallyport service uninstall` no longer.";

/** systemd gives up after this many crashes within this time. */
const crashSeconds = 60;
const crashCount = 5;
/** Longer than the daemon needs to finish its requests (spec §2: 3 s). */
const stopSeconds = 10;
/** Exit code for misuse: a restart would fail the same way. */
const neverAgain = 2;

const unset = [
  ...['SALLYPORT_HOME', 'NODE_OPTIONS', 'NODE_PATH', 'NODE_EXTRA_CA_CERTS', 'NODE_TLS_REJECT_UNAUTHORIZED'],
  ...['NODE_COMPILE_CACHE', 'OPENSSL_CONF', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'LD_AUDIT', 'LD_PRELOAD'],
  ...['LD_LIBRARY_PATH', 'LOCALDOMAIN', 'RES_OPTIONS', 'HOSTALIASES'],
];

/**
 * Left out on purpose. `NoNewPrivileges`, and all options based on system call filters: a password
 * command may be a set-group-ID program (1Password's `op` is). `MemoryDenyWriteExecute`: Node
 * compiles as it runs. `PrivateTmp`, `ProtectHome` and the like: the control socket may be in /tmp
 * and SQLite files anywhere; also they need user namespaces, in which the session bus can't tell
 * who asks.
 *
 * @param command with absolute paths.
 */
export function systemdUnit(command: readonly string[]): string {
  return [
    unitMark,
    '[Unit]',
    'Description=Sallyport lets AI clients use your databases',
    `StartLimitIntervalSec=${crashSeconds}`,
    `StartLimitBurst=${crashCount}`,
    '',
    '[Service]',
    'Type=exec',
    `ExecStart=${execStart(command)}`,
    'WorkingDirectory=/',
    // A normal end isn't restarted: `sallyport stop`, or another daemon that has the home's lock.
    'Restart=on-failure',
    'RestartSec=1',
    `RestartPreventExitStatus=${neverAgain}`,
    // The daemon ends its own children, in its own order.
    'KillMode=mixed',
    `TimeoutStopSec=${stopSeconds}`,
    'UMask=0077',
    // A core dump would contain passwords.
    'LimitCORE=0',
    // Node and the loader read these before any of our code. The bridge looks into the usual home,
    // so the daemon must use it too.
    `UnsetEnvironment=${unset.join(' ')}`,
    // Like a daemon that Sallyport launches itself (shared/launch.ts).
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

/** The words of its command, as `systemdUnit` writes them. */
export function commandIn(unit: string): readonly string[] {
  const [, line = ''] = /^ExecStart=(.*)$/m.exec(unit) ?? [];
  return [...line.matchAll(/"((?:\\.|[^"\\])*)"|\S+/g)].map(([bare, quoted = bare], index) => {
    const word = quoted.replace(/\\(.)/g, (_, one) => (one === 'n' ? '\n' : one)).replaceAll('%%', '%');
    return index === 0 ? word : word.replaceAll('$$', () => '$');
  });
}

/** systemd refuses a program whose path has a quote or a backslash; a shell accepts it. */
function execStart(command: readonly string[]): string {
  const [program = ''] = command;
  const words = /["'\\]/.test(program) ? ['/bin/sh', '-c', 'exec "$0" "$@"', ...command] : command;
  return words.map(unitWord).join(' ');
}

/**
 * A word as systemd.syntax(7) demands: quoted as in C, `%` and `$` doubled. The first word, the
 * program, doesn't expand `$`.
 */
function unitWord(word: string, index: number): string {
  const quoted = word.replace(/["\\]/g, character => `\\${character}`).replaceAll('\n', '\\n');
  const escaped = quoted.replaceAll('%', '%%');
  return `"${index === 0 ? escaped : escaped.replaceAll('$', '$$$$')}"`;
}
