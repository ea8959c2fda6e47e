/**
 * `sallyport policy apply` and `policy show` (spec §6). What gives clients no more applies at once;
 * the rest is shown, then asked for once, as every privilege increase is.
 */

import type { PolicyDifferenceView } from '../../shared/control-commands.ts';
import { CliError, exitCodes } from '../cli-error.ts';
import { command } from '../command.ts';
import type { ControlClient } from '../control-client.ts';
import { askDaemon, withDaemon } from '../daemon.ts';
import { changesIn, differenceLines } from '../policy/difference-lines.ts';
import { type PolicyText, readPolicyFile, withLine } from '../policy/read.ts';
import { print, printJson, say, type Terminal } from '../terminal.ts';

export const applyPolicyCommand = command(
  {
    words: 'policy apply',
    arguments: ['FILE'],
    about: 'Have your connections obey a policy file',
    details: [
      'FILE is YAML: levels, AI policies, hidden tables and limits of connections, by',
      'name or pattern, without passwords; `sallyport policy show` writes one. What gives',
      'clients less applies at once, what gives them more waits for the owner passphrase.',
      'What the file leaves out stays as it is.',
    ],
    options: {
      check: { type: 'boolean', about: 'only tell the difference; exit status 3 if there is one' },
    },
  },
  async ({ terminal, arguments: [named = ''], options, json }) => {
    const read = await readPolicyFile(named, terminal.cwd);
    await withDaemon(terminal, client => apply(terminal, client, read, options.check === true, json)).catch(error => {
      throw withLine(error, read);
    });
  },
);

export const showPolicyCommand = command(
  {
    words: 'policy show',
    about: 'Write the policy that holds as a file',
    details: [
      'The answer is YAML for `sallyport policy apply`, without a password. --schema',
      "prints its JSON Schema: an editor finds it beside the file, by the file's first line.",
    ],
    options: { schema: { type: 'boolean', about: 'print the JSON Schema for editors instead' } },
  },
  async ({ terminal, options, json }) => {
    if (options.schema === true) {
      const { default: schema } = await import('../../shared/sallyport.schema.json', { with: { type: 'json' } });
      return printJson(terminal, schema);
    }
    const held = await askDaemon(terminal, 'policy.show', {});
    if (json) return printJson(terminal, { ...held, policy: JSON.parse(held.policy) });
    const { policyYaml } = await import('../policy/write.ts');
    print(terminal, (await policyYaml(held)).trimEnd());
  },
);

async function apply(
  terminal: Terminal,
  client: ControlClient,
  { named, policy, file }: PolicyText,
  isCheck: boolean,
  json: boolean,
): Promise<void> {
  const difference = await client.ask('policy.compare', { policy });
  const changes = changesIn(difference);
  const waiting = changes.filter(({ widens }) => widens);
  const tell = (sentence: string): void => {
    if (!json) say(terminal, sentence);
  };
  if (!json) print(terminal, ...differenceLines(terminal, difference));
  if (changes.length === 0) tell(`Nothing changes: what ${named} says holds already.`);
  if (isCheck) {
    if (json) printJson(terminal, difference);
    if (changes.length > 0) throw differs(named, changes.length);
    return;
  }
  const left = await client.ask('policy.apply', { policy, file, widens: false });
  const atOnce = changes.length - waiting.length;
  if (atOnce > 0) tell(`${counted(atOnce)} applied at once.`);
  if (changesIn(left).length > 0) {
    await client.ask('policy.apply', { policy, file, widens: true });
    tell(`${counted(waiting.length)} applied.`);
  }
  if (json) printJson(terminal, difference);
}

function differs(named: string, count: number): CliError {
  return new CliError(exitCodes.differs, `${named} would change ${count} ${count === 1 ? 'thing' : 'things'}.`);
}

/** `3 changes` */
function counted(count: number): string {
  return `${count} ${count === 1 ? 'change' : 'changes'}`;
}

/**
 * Applies a policy to a new home, where nobody types a passphrase.
 * @throws CliError if the file would give clients more than the home's own plan.
 */
export async function applyNarrowing(
  client: Pick<ControlClient, 'ask'>,
  { named, policy, file }: PolicyText,
): Promise<void> {
  const refuse = (difference: PolicyDifferenceView): void => {
    const [first] = changesIn(difference).filter(({ widens }) => widens);
    if (first === undefined) return;
    throw new CliError(
      exitCodes.failed,
      `${named} gives clients more than the plan does (${first.key}), and nobody can confirm that here; change the plan instead.`,
      { code: 'needs_confirmation' },
    );
  };
  refuse(await client.ask('policy.compare', { policy }));
  refuse(await client.ask('policy.apply', { policy, file, widens: false }));
}
