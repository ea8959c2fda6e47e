/**
 * Writes the skill where a client looks for skills, or the section into what a project tells its
 * agents, and takes it out again. Changes nothing that somebody else wrote.
 */

import { lstatSync, realpathSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ClientFileEnvironment, placesOf } from '../../shared/client-files.ts';
import { failed, misuse } from '../cli-error.ts';
import { type FoundFile, fileToChange } from '../connect/client-file.ts';
import { textOf } from '../doctor/client-text.ts';
import { makeFile, ownerOf, replaceContent } from '../replace-file.ts';
import { isOwnSkill, skillFile, withoutSection, withSection } from './text.ts';

/** Where the client's own pages say that it looks: of the user, and of a project. */
const folders: Readonly<Record<string, { readonly user: string; readonly project: string }>> = {
  // code.claude.com/docs/en/skills
  'claude-code': { user: '{claude skills}', project: '.claude/skills' },
  // developers.openai.com/codex/skills
  codex: { user: '~/.agents/skills', project: '.agents/skills' },
  // geminicli.com/docs/cli/using-agent-skills
  gemini: { user: '~/.gemini/skills', project: '.gemini/skills' },
  // opencode.ai/docs/skills
  opencode: { user: '{config}/opencode/skills', project: '.opencode/skills' },
};

export interface SkillPlace {
  readonly path: string;
  /** True for a section of a file of the project's own. */
  readonly isSection: boolean;
  /** The project's folder; null for the user's own place. */
  readonly project: string | null;
}

/**
 * @param project the folder of the project; null for the user's own place.
 * @throws CliError if the client has no place for skills of the user.
 */
export function skillPlace(
  client: string,
  title: string,
  project: string | null,
  at: { readonly userHome: string; readonly environment: ClientFileEnvironment },
): SkillPlace {
  const known = folders[client];
  if (known === undefined) {
    if (project === null)
      throw misuse(
        `${title} has no folder for skills; \`--skill --project\` writes a section into the AGENTS.md of this folder.`,
      );
    return { path: join(project, 'AGENTS.md'), isSection: true, project };
  }
  const claude = at.environment.CLAUDE_CONFIG_DIR || join(at.userHome, '.claude');
  const [folder = null] =
    known.user === '{claude skills}'
      ? [join(claude, 'skills')]
      : placesOf([known.user], at.userHome, at.environment, null);
  const base = project === null ? folder : join(project, known.project);
  return { path: join(base ?? at.userHome, 'sallyport', 'SKILL.md'), isSection: false, project };
}

/** The user's own places in which Sallyport's skill lies. */
export function skillsHere(
  at: Parameters<typeof skillPlace>[3],
): readonly (SkillPlace & { readonly client: string })[] {
  return Object.keys(folders)
    .map(client => ({ client, ...skillPlace(client, client, null, at) }))
    .filter(({ path }) => isOwnSkill(textOf(path) ?? ''));
}

export type SkillChange = 'added' | 'changed' | 'none' | 'removed';

/** @throws CliError if the file is somebody else's, or can't be written. */
export function writeSkill(place: SkillPlace): SkillChange {
  const { path, isSection } = place;
  const file = fileAt(place);
  if (file.kind === 'absent') {
    if (!makeFile(path, isSection ? withSection('') : skillFile)) throw meanwhile(path);
    return 'added';
  }
  if (!isSection && !isOwnSkill(file.text))
    throw failed(`${path} is not Sallyport's; move it away, then run this again.`);
  const next = isSection ? withSection(file.text) : skillFile;
  if (file.text === next) return 'none';
  replace(file, next);
  return isSection && withoutSection(file.text) === file.text ? 'added' : 'changed';
}

/** @throws CliError if the file is somebody else's, or can't be written. */
export function removeSkill(place: SkillPlace): SkillChange {
  const { path, isSection } = place;
  const file = fileAt(place);
  if (file.kind === 'absent') return 'none';
  if (!isSection) {
    if (!isOwnSkill(file.text)) throw failed(`${path} is not Sallyport's; it stays.`);
    rmSync(path);
    removeIfEmpty(dirname(path));
    return 'removed';
  }
  const next = withoutSection(file.text);
  if (next === file.text) return 'none';
  if (next === '') rmSync(path);
  else replace(file, next);
  return 'removed';
}

/** A stranger's project may have links that lead out of it. */
function fileAt({ path, project }: SkillPlace) {
  if (project !== null && !isWithin(path, project))
    throw failed(`${path} leads out of this folder; nothing was changed.`);
  return fileToChange(path);
}

function isWithin(path: string, folder: string): boolean {
  let there = path;
  while (lstatSync(there, { throwIfNoEntry: false }) === undefined) there = dirname(there);
  try {
    return `${realpathSync(there)}/`.startsWith(`${realpathSync(folder)}/`);
  } catch {
    return false;
  }
}

function replace(file: FoundFile, text: string): void {
  if (!replaceContent(file, file.mark + text, ownerOf(file, false))) throw meanwhile(file.path);
}

function meanwhile(path: string) {
  return failed(`Another program has written ${path} meanwhile; run this again.`);
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It holds more than ours.
  }
}
