/** Writes the policy that holds as a file that `policy apply` takes (spec §6). */

import type { PolicyHeldView } from '../../shared/control-commands.ts';
import { shownText } from '../../shared/shown-text.ts';

const reasons: Readonly<Record<PolicyHeldView['unsaid'][number]['why'], string>> = {
  write_ends: 'clients write to it until a set time, which no file says; its external-clients is left out',
  star_in_name: 'its name has a *, which would mean other connections too; it is left out',
};

export async function policyYaml({ policy, unsaid }: Pick<PolicyHeldView, 'policy' | 'unsaid'>): Promise<string> {
  // Loaded on demand: a parser adds a third to a command's start.
  const { stringify } = await import('yaml');
  const notes = unsaid.map(({ name, why }) => `# ${shownText(JSON.stringify(name))}: ${reasons[why]}.`);
  const head = ['# yaml-language-server: $schema=./sallyport.schema.json', ...notes];
  return `${head.join('\n')}\n${stringify(JSON.parse(policy), { lineWidth: 0 })}`;
}
