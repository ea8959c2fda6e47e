/** `sallyport connect CLIENT --skill`: writes or removes the skill, and says where (spec §16). */

import { printJson, say, type Terminal } from '../terminal.ts';
import { removeSkill, type SkillChange, skillPlace, writeSkill } from './place.ts';

interface Wanted {
  readonly remove?: boolean;
  readonly project?: boolean;
  readonly json: boolean;
}

/** @throws CliError */
export function changeSkill(
  terminal: Terminal,
  { client, title }: { readonly client: string; readonly title: string },
  { remove, project, json }: Wanted,
): void {
  const { userHome, environment } = terminal;
  const place = skillPlace(client, title, project ? terminal.cwd : null, { userHome, environment });
  const change = remove ? removeSkill(place) : writeSkill(place);
  if (json) {
    printJson(terminal, { client, title, file: place.path, change });
    return;
  }
  const told: Readonly<Record<SkillChange, string>> = {
    added: `${title} learns from ${place.path} that databases are asked through Sallyport. Start a new session.`,
    changed: `${place.path} has the present text now. Start a new session.`,
    removed: `Removed: what ${place.path} said of Sallyport.`,
    none: remove ? `${place.path} says nothing of Sallyport.` : `${place.path} has the present text already.`,
  };
  say(terminal, told[change]);
}
