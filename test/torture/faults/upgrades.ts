/**
 * Homes that earlier versions left when they were killed at work: today's daemon takes them over,
 * even if it is killed itself.
 */

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { RealHome } from '../../bridge/real-home.ts';
import { modern, send } from '../../clients/http/wire.ts';
import { Daemon } from '../daemon.ts';
import type { Fault, Strike } from '../fault.ts';
import { Owner } from '../owner.ts';
import { root } from '../root.ts';

/** What `stores/make.mjs` found in a home when it left it. */
interface Left {
  readonly tokens: readonly {
    readonly name: string;
    readonly plaintext: string;
    readonly state: 'valid' | 'revoked';
  }[];
  readonly connections: readonly string[];
  readonly settings: Readonly<Record<string, number>>;
}

const stores = join(root, 'test', 'torture', 'stores');

export const upgrades: Fault = {
  name: 'upgrades',
  title: 'homes of earlier versions are taken over, with a `kill -9` on the way',
  async strike(strike) {
    const names = readdirSync(stores).flatMap(file => /^(.+)\.json$/.exec(file)?.[1] ?? []);
    for (const name of strike.isPatient ? names : [strike.chance.pick(names)]) await takeOver(name, strike);
  },
};

async function takeOver(name: string, { chance, wrong, saw }: Strike): Promise<void> {
  const home = new RealHome();
  const owner = new Owner(home.home);
  const daemon = new Daemon(home);
  try {
    execFileSync('tar', ['-xzf', join(stores, `${name}.tar.gz`), '--no-same-owner', '-p', '-C', home.home]);
    daemon.spawn();
    await pause(chance.between(0, 500));
    await daemon.end('SIGKILL');
    for (const time of ['first', 'second']) {
      await daemon.start();
      for (const problem of await differences(name, home, owner)) wrong(`a home of ${name}, ${time} start: ${problem}`);
      owner.close();
      await daemon.end('SIGTERM');
    }
    saw('homes taken over', name);
  } finally {
    owner.close();
    await home.clean();
  }
}

async function differences(name: string, home: RealHome, owner: Owner): Promise<string[]> {
  const left: Left = JSON.parse(readFileSync(join(stores, `${name}.json`), 'utf8'));
  const wrong: string[] = [];
  const { tokens } = await owner.ask('tokens.list', {});
  const url = `http://127.0.0.1:${home.handshake()?.port}/mcp`;
  for (const token of left.tokens) {
    const state = tokens.find(listed => listed.name === token.name)?.state ?? 'gone';
    if (state !== token.state) wrong.push(`the token “${token.name}” was ${token.state}, and is ${state}`);
    const { status } = await send(url, modern(token.plaintext, 'tools/list'));
    if (status !== (token.state === 'valid' ? 200 : 401)) wrong.push(`the token “${token.name}” gets HTTP ${status}`);
  }
  const { connections } = await owner.ask('connections.list', {});
  for (const connection of left.connections)
    if (!connections.some(listed => listed.name === connection)) wrong.push(`the connection “${connection}” is gone`);
  for (const [key, value] of Object.entries(left.settings)) {
    const is = (await owner.ask('settings.get', { key })).value;
    if (is !== value) wrong.push(`${key} was ${value}, and is ${is}`);
  }
  const { findings } = await owner.ask('activity.verify', {});
  return [...wrong, ...findings.map(({ sentence }) => `activity verify: ${sentence}`)];
}
