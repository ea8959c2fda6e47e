/**
 * One `ssh -N` for a connection: a Unix socket per server, in a folder of this user alone. A shell
 * beside it ends it and removes the folder once our end of a pipe closes, so nothing is left if we
 * are killed.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { HostKeyView, SshTunnelView } from '../../../shared/control-commands.ts';
import { freshEnvironment } from '../../../shared/launch.ts';
import { makeSocketFolder, removeSocketFolder } from '../socket-folder.ts';
import { type RunningTunnel, type Server, type StartTunnel, TunnelFailed } from '../tunnel.ts';
import { askpassScript, questionOf, questionsIn } from './askpass.ts';
import { type ConfigurationPlaces, configurationFile, socketName, sshArguments } from './configuration.ts';
import { configurationChanged, forwardFailure, startFailure, type UnansweredPrompts } from './failure.ts';
import { personsConfiguration } from './persons-configuration.ts';

export interface SshPorts extends ConfigurationPlaces {
  /** Holds a folder per tunnel; its own folder is there. @throws Error with a sentence */
  readonly folder: () => string;
  /**
   * Of what ~/.ssh/config said when the connection was saved; null if it couldn't be read then.
   * Absent for one that was never saved: then it may say anything.
   */
  readonly configurationDigest?: string | null | undefined;
  /** The socket of an SSH agent that answers; null if none does. */
  readonly agent: () => Promise<string | null>;
  readonly secret: (kind: 'sshPassphrase' | 'sshPassword') => Promise<string | null>;
  readonly hostKeys: {
    readonly isConfirmed: (key: HostKeyView) => boolean;
    readonly unknown: (key: HostKeyView) => void;
  };
}

/** Somebody may have to touch a key, at each hop. */
const startSeconds = 60;
const mostWritten = 64 * 1024;
const lookMilliseconds = 20;
const endMilliseconds = 2_000;

/**
 * `$1` is the folder. Signals the process group, whose number stays ours as long as this shell
 * lives.
 */
const script =
  '(trap "" TERM; read -r line <&3; kill -TERM 0; rm -rf -- "$1"; rmdir -- "$(dirname -- "$1")") >/dev/null 2>&1 & shift; exec ssh "$@" 3<&-';

export function startSsh(tunnel: SshTunnelView, ports: SshPorts): StartTunnel {
  return async (servers, signal) => {
    const password = await ports.secret('sshPassword');
    const agent = await ports.agent();
    const folder = makeSocketFolder(ports.folder(), socketName(10));
    try {
      const mark = randomBytes(16).toString('hex');
      const { digest, text } = await personsConfiguration(tunnel, folder, ports);
      const { configurationDigest: saved } = ports;
      if (saved !== undefined && saved !== digest) throw configurationChanged(tunnel.destination);
      writeFileSync(join(folder, configurationFile), text, { mode: 0o600 });
      writeFileSync(join(folder, 'askpass'), askpassScript(mark), { mode: 0o700 });
      const child = spawn(
        '/bin/sh',
        ['-c', script, 'sh', folder, ...sshArguments(tunnel, servers, password !== null)],
        {
          cwd: folder,
          env: {
            ...freshEnvironment(null),
            ...(agent !== null && { SSH_AUTH_SOCK: agent }),
            SSH_ASKPASS: './askpass',
            SSH_ASKPASS_REQUIRE: 'force',
          },
          // Its own process group: everything that ssh started ends with it.
          detached: true,
          stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
        },
      );
      return await up({ child, folder, mark, tunnel, ports, password, servers, signal });
    } catch (error) {
      removeSocketFolder(folder);
      throw error;
    }
  };
}

interface Started {
  readonly child: ChildProcess;
  readonly folder: string;
  readonly mark: string;
  readonly tunnel: SshTunnelView;
  readonly ports: SshPorts;
  readonly password: string | null;
  readonly servers: readonly Server[];
  readonly signal: AbortSignal;
}

async function up(started: Started): Promise<RunningTunnel> {
  const { child, folder, servers, signal } = started;
  const said = listen(started);
  let how: string | null = null;
  const exited = new Promise<void>(resolve => {
    child.once('error', ({ message }) => {
      how = message;
      resolve();
    });
    child.once('exit', (code, killed) => {
      how = killed === null ? `exit code ${code}` : killed;
      resolve();
    });
  });
  const ended = exited.then(() => {
    (child.stdio[3] as Writable | null)?.destroy();
    removeSocketFolder(folder);
  });
  const end = async (): Promise<void> => {
    (child.stdio[3] as Writable | null)?.destroy();
    await Promise.race([exited, wait(endMilliseconds, undefined, { ref: false })]);
    if (how === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    await ended;
  };
  const isUp = (): boolean => servers.every((_, at) => existsSync(join(folder, socketName(at))));
  const deadline = performance.now() + startSeconds * 1000;
  while (how === null && !isUp()) {
    if (signal.aborted || performance.now() > deadline) {
      await end();
      if (signal.aborted) throw new TunnelFailed('its tunnel was closed', false);
      throw new TunnelFailed(`its SSH tunnel did not come up within ${startSeconds} s`, false);
    }
    await Promise.race([exited, wait(lookMilliseconds, undefined, { ref: false })]);
  }
  if (how !== null) {
    await ended;
    // Its last output may come after its end.
    await wait(lookMilliseconds);
    throw startFailure(said.take(), said.unanswered, how, started.tunnel.keyFile);
  }
  said.take();
  return {
    at: ({ host, port }) => {
      const at = servers.findIndex(server => server.host === host && server.port === port);
      return { path: join(folder, socketName(at)) };
    },
    async failure() {
      await wait(lookMilliseconds);
      return forwardFailure(said.take());
    },
    ended,
    end,
  };
}

interface Heard {
  /** ssh's output since the last call. */
  take(): string;
  readonly unanswered: UnansweredPrompts;
}

function listen({ child, mark, tunnel, ports, password }: Started): Heard {
  let written = '';
  const unanswered = { hostKey: null as HostKeyView | null, passphraseOf: null as string | null, password: false };
  const answered = new Set<string>();
  const parse = questionsIn(mark);
  const line = child.stderr as Socket;
  // ssh may end while it is answered.
  line.on('error', () => {});

  /** Each question once: after a wrong answer ssh would ask for ever. */
  async function answerTo(prompt: string): Promise<string | null> {
    const question = questionOf(prompt);
    const isFirst = !answered.has(prompt);
    answered.add(prompt);
    switch (question.kind) {
      case 'hostKey': {
        if (isFirst && ports.hostKeys.isConfirmed(question.key)) return question.key.fingerprint;
        unanswered.hostKey = question.key;
        ports.hostKeys.unknown(question.key);
        return null;
      }
      case 'passphrase': {
        const isOurs = isFirst && question.keyFile === tunnel.keyFile;
        const kept = isOurs ? await ports.secret('sshPassphrase') : null;
        unanswered.passphraseOf = question.keyFile;
        return kept;
      }
      case 'password':
        unanswered.password = true;
        return isFirst ? password : null;
      case 'other':
        return null;
    }
  }

  line.setEncoding('utf8').on('data', (chunk: string) => {
    const { text, questions } = parse(chunk);
    written = (written + text).slice(-mostWritten);
    for (const prompt of questions) {
      void answerTo(prompt)
        .catch(() => null)
        .then(answer => line.write(answer === null ? 'n\n' : `y${answer}\n`));
    }
  });
  return {
    take() {
      const taken = written;
      written = '';
      return taken;
    },
    unanswered,
  };
}
