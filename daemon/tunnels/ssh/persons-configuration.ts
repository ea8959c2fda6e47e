/**
 * What the person's ~/.ssh/config says of each hop of a tunnel, by `ssh -G`: what ssh would do
 * otherwise without that file. It is shown before a tunnel is saved, and a dial follows these lines
 * and not the file, so what another program writes there is not run. Nothing of it runs here.
 */

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SshTunnelView } from '../../../shared/control-commands.ts';
import { freshEnvironment } from '../../../shared/launch.ts';
import { sshHopIn } from '../../../shared/ssh-hop.ts';
import { TunnelFailed } from '../tunnel.ts';
import { asked, type ConfigurationPlaces, configurationOf, hopArguments, type Way } from './configuration.ts';
import { configurationFailure } from './failure.ts';
import { configurationsNamed, fileDigest, isRoots, refuseRelativeIncludes, startsAnotherSsh } from './read-files.ts';

export interface PersonsConfiguration {
  /** For people, `bastion: hostname 10.0.0.1`; none if the file changes nothing. */
  readonly lines: readonly string[];
  /** SHA-256 of them, in base64. */
  readonly digest: string;
  /** For `ssh -F`. */
  readonly text: string;
}

/** The names of one hop may take a look-up (`CanonicalizeHostname`). */
const readMilliseconds = 5_000;
const mostHops = 16;
const mostOutput = 1024 * 1024;

/**
 * Options that are of no use to a tunnel, or not to be carried out for it: a forward there is the
 * person's own. The rest of `canonical…` has done its work in the host's name.
 */
const leftOut =
  /^(?:host|localforward|remoteforward|dynamicforward|remotecommand|localcommand|requesttty|sendenv|setenv|tunneldevice|canonical\w*) /;

/** Options of one argument, which is a name or a path: blanks in it want quotes. */
const oneArgument =
  /^(?:identityfile|certificatefile|identityagent|hostkeyalias|hostname|user|pkcs11provider|securitykeyprovider|revokedhostkeys|bindaddress|bindinterface|xauthlocation) /;

/** @param folder of this user alone; files are left there. Rejects with TunnelFailed. */
export async function personsConfiguration(
  { destination, jumps, keyFile }: SshTunnelView,
  folder: string,
  places: ConfigurationPlaces,
): Promise<PersonsConfiguration> {
  const files = { theirs: join(folder, 'theirs'), without: join(folder, 'without'), shell: join(folder, 'no-shell') };
  writeFileSync(files.theirs, asked(places), { mode: 0o600 });
  writeFileSync(files.without, asked({ ...places, userHome: null }), { mode: 0o600 });
  // ssh runs `Match exec` by this shell, also for -G: nothing runs, and nothing matches by it.
  writeFileSync(files.shell, '#!/bin/sh\nexit 1\n', { mode: 0o700 });
  const hops: { readonly hop: string; readonly host: string; readonly lines: readonly string[] }[] = [];
  const notes = new Set<string>();
  const known = new Set<string>();
  const waiting = waysOf([...jumps, destination], keyFile, []);
  for (let way = waiting.shift(); way !== undefined; way = waiting.shift()) {
    const key = [...way.jumps, way.hop].join(',');
    if (known.has(key)) continue;
    if (known.add(key).size > mostHops)
      throw new TunnelFailed(`the ProxyJumps of ssh's configuration lead to more than ${mostHops} SSH servers`, true);
    const [theirs, without] = await Promise.all([
      resolved(files.theirs, files.shell, way),
      resolved(files.without, files.shell, way),
    ]);
    refuseRelativeIncludes(without.files);
    for (const file of without.files.filter(each => !isRoots(each)))
      notes.add(`the system's ssh_config reads ${file}: SHA-256 ${fileDigest(file)}`);
    const isNested = startsAnotherSsh(theirs.lines, without.files, without.commands.length > 0);
    for (const command of theirs.commands.filter(each => !without.commands.includes(each)))
      notes.add(
        `Match exec ${command}: not run, so nothing matches by it${isNested ? ', but for another ssh on the way' : ''}`,
      );
    if (isNested) {
      const named = configurationsNamed(theirs.lines, places.userHome);
      const read = await Promise.all(named.map(file => filesFrom(file, files.shell, way)));
      for (const file of [...theirs.files.filter(each => !without.files.includes(each)), ...read.flat()])
        notes.add(`another ssh on the way reads ${file}: SHA-256 ${fileDigest(file)}`);
    }
    hops.push({ hop: way.hop, host: hostOf(way.hop), lines: difference(theirs.lines, without.lines) });
    // Also the system's own, as ~/.ssh/config may say how to get to its hops.
    const through = theirs.lines.find(line => line.startsWith('proxyjump '))?.slice('proxyjump '.length) ?? '';
    // -J is followed instead, and its hops are known.
    if (way.jumps.length === 0 && through !== '' && through !== 'none')
      waiting.push(...waysOf(hopsIn(through, way.hop), null, [...way.after, way.hop]));
  }
  const lines = [...new Set(hops.flatMap(({ hop, lines: own }) => own.map(line => `${hop}: ${line}`))), ...notes];
  const digest = createHash('sha256').update(JSON.stringify(lines)).digest('base64');
  return { lines, digest, text: configurationOf(hops, places.systemsFile) };
}

interface Found extends Way {
  /** The hops that led to it by their ProxyJump. */
  readonly after: readonly string[];
}

/** Each hop with those before it, as ssh comes to them; the key is for the last one. */
function waysOf(hops: readonly string[], keyFile: string | null, after: readonly string[]): Found[] {
  const again = hops.find(hop => after.includes(hop));
  // ssh would start one after the other without an end.
  if (again !== undefined)
    throw new TunnelFailed(
      `the ProxyJump of ${again} in ssh's configuration leads back to itself`,
      true,
      'ssh_configuration',
    );
  return hops.map((hop, at) => ({
    after,
    hop,
    jumps: hops.slice(0, at),
    keyFile: at === hops.length - 1 ? keyFile : null,
  }));
}

/** What could be read in two ways is followed in none. */
function hopsIn(proxyJump: string, hop: string): string[] {
  const hops = proxyJump.split(',').map(each => each.trim().replace(/^ssh:\/\//, ''));
  if (hops.every(each => sshHopIn(each) !== null)) return hops;
  throw new TunnelFailed(
    `the ProxyJump of ${hop} in ssh's configuration is not written as [user@]host[:port]`,
    true,
    'ssh_configuration',
  );
}

function hostOf(hop: string): string {
  return sshHopIn(hop)?.host ?? hop;
}

interface Resolved {
  readonly lines: readonly string[];
  /** Those of `Match exec`. */
  readonly commands: readonly string[];
  /** That it was read from. */
  readonly files: readonly string[];
}

function resolved(file: string, shell: string, way: Way): Promise<Resolved> {
  const env = { ...freshEnvironment(null), SHELL: shell };
  const options = { env, cwd: '/', timeout: readMilliseconds, maxBuffer: mostOutput, killSignal: 'SIGKILL' as const };
  return new Promise((resolve, reject) => {
    const child = execFile('ssh', ['-F', file, '-G', '-v', ...hopArguments(way)], options, (error, stdout, stderr) => {
      if (error !== null) return reject(configurationFailure(stderr, error.killed === true));
      const told = (words: RegExp): string[] => stderr.split('\n').flatMap(line => words.exec(line.trim())?.[1] ?? []);
      resolve({
        lines: stdout.split('\n').filter(line => line !== '' && !leftOut.test(line)),
        commands: told(/^debug1: Executing command: '(.*)'$/),
        files: [...new Set(told(/^debug1: Reading configuration data (.*)$/))].filter(each => each !== file),
      });
    });
    child.stdin?.end();
  });
}

/** `-F file`, with what it includes; that alone if ssh can't read it. */
function filesFrom(file: string, shell: string, way: Way): Promise<string[]> {
  return resolved(file, shell, way).then(
    ({ files }) => [file, ...files],
    () => [file],
  );
}

/** All lines of each option that differs; `none` for an option that only the system's files set. */
function difference(theirs: readonly string[], without: readonly string[]): string[] {
  const [mine, others] = [byOption(theirs), byOption(without)];
  const changed = [...mine].filter(([option, lines]) => others.get(option)?.join('\n') !== lines.join('\n'));
  const gone = [...others.keys()].filter(option => !mine.has(option));
  return [...changed.flatMap(([, lines]) => lines.map(asArgument)), ...gone.map(option => `${option} none`)];
}

function byOption(lines: readonly string[]): Map<string, string[]> {
  const options = new Map<string, string[]>();
  for (const line of lines) {
    const [option = ''] = line.split(' ', 1);
    options.set(option, [...(options.get(option) ?? []), line]);
  }
  return options;
}

function asArgument(line: string): string {
  const [option = ''] = oneArgument.exec(line) ?? [];
  const value = line.slice(option.length);
  return option === '' || !/[\s"'\\#=]/.test(value) ? line : `${option}"${value.replace(/["\\]/g, '\\$&')}"`;
}
