/** What a client's own lists and its trust in folders keep it from starting is told. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { notLoadedHere } from '../../shell-terminal/connect/loaded-here.ts';
import { type ClientSays, notLoaded } from '../../shell-terminal/connect/not-loaded.ts';
import { temporaryFolder } from '../storage/home-for-tests.ts';

const folder = temporaryFolder();
const nothing = { title: 'It', isProject: false, folder: '/work', user: {}, beside: [] };
const trustOn = { security: { folderTrust: { enabled: true } } };
const inProject = { ...nothing, isProject: true };

test.each<[string, ClientSays, RegExp | null]>([
  ['Gemini: everything', { ...nothing, client: 'gemini' }, null],
  [
    'Gemini: others alone',
    { ...nothing, client: 'gemini', user: { mcp: { allowed: ['a'] } } },
    /only the servers in mcp\.allowed/,
  ],
  ['Gemini: ours too', { ...nothing, client: 'gemini', user: { mcp: { allowed: ['a', 'sallyport'] } } }, null],
  [
    'Qwen: by the project',
    { ...nothing, client: 'qwen', beside: [null, { mcp: { excluded: ['sallyport'] } }] },
    /mcp\.excluded/,
  ],
  ['Claude Code: the user’s', { ...nothing, client: 'claude-code' }, null],
  [
    'Claude Code: switched off here',
    { ...nothing, client: 'claude-code', user: { projects: { '/work': { disabledMcpServers: ['sallyport'] } } } },
    /switched off in this folder/,
  ],
  [
    'Claude Code: switched off elsewhere',
    { ...nothing, client: 'claude-code', user: { projects: { '/other': { disabledMcpServers: ['sallyport'] } } } },
    null,
  ],
  ['Claude Code: a project’s', { ...inProject, client: 'claude-code' }, /"Pending approval" until you approve it/],
  [
    'Claude Code: an approved one',
    { ...inProject, client: 'claude-code', user: { projects: { '/work': { enabledMcpjsonServers: ['sallyport'] } } } },
    null,
  ],
  [
    'Claude Code: all of a project',
    { ...inProject, client: 'claude-code', beside: [{ enableAllProjectMcpServers: true }] },
    null,
  ],
  [
    'Claude Code: a refused one',
    { ...inProject, client: 'claude-code', beside: [{ disabledMcpjsonServers: ['sallyport'] }] },
    /switched off/,
  ],
  ['Codex: a project’s', { ...inProject, client: 'codex' }, /only in a folder that you trust/],
  [
    'Codex: a trusted project’s',
    { ...inProject, client: 'codex', user: { projects: { '/work': { trust_level: 'trusted' } } } },
    null,
  ],
  ['Gemini: a folder nobody trusted', { ...inProject, client: 'gemini', user: trustOn }, /until you trust it/],
  ['Gemini: the user’s own there', { ...nothing, client: 'gemini', user: trustOn }, null],
  [
    'Gemini: a folder beside a trusted one',
    { ...inProject, client: 'gemini', user: trustOn, beside: [null, { '/wor': 'TRUST_FOLDER' }] },
    /until you trust it/,
  ],
  [
    'Gemini: a folder in a trusted one',
    { ...inProject, client: 'gemini', user: trustOn, beside: [null, { '/other': 'TRUST_PARENT' }] },
    null,
  ],
  [
    'Qwen: a distrusted folder in a trusted one',
    {
      ...{ ...nothing, client: 'qwen', user: trustOn },
      beside: [null, { '/work': 'DO_NOT_TRUST', '/other': 'TRUST_PARENT' }],
    },
    /until you trust it/,
  ],
  ['Amazon Q', { ...nothing, client: 'amazon-q', beside: [{ useLegacyMcpJson: false }] }, /useLegacyMcpJson/],
  ['Amazon Q: an agent with the file', { ...nothing, client: 'amazon-q', beside: [{ useLegacyMcpJson: true }] }, null],
  ['VS Code', { ...nothing, client: 'vscode', beside: [{ 'chat.mcp.access': 'none' }] }, /chat\.mcp\.access/],
  ['another', { ...inProject, client: 'cursor' }, null],
])('%s', (_, says, told) => {
  expect(notLoaded(says)).toEqual(told === null ? [] : [expect.stringMatching(told)]);
});

test('Claude Code’s settings are where CLAUDE_CONFIG_DIR says', () => {
  writeFileSync(join(folder, 'settings.json'), '{"enableAllProjectMcpServers":true}');
  const here = { userHome: join(folder, 'none'), cwd: null };
  const told = (environment: object) => notLoadedHere('claude-code', true, { ...here, environment });
  expect([told({}).length, told({ CLAUDE_CONFIG_DIR: folder })]).toEqual([1, []]);
});
