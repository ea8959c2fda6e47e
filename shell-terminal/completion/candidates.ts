/** Suggests what may come next in a command line being typed. */

import type { CommandSpec } from '../command.ts';
import { helpOption, jsonOption } from '../command.ts';
import type { Choice } from './values.ts';

/**
 * @param typed the words after `sallyport`; the last one may be incomplete.
 * @param valuesOf values of an option (`--scope`), or of a command's argument (`tokens revoke ID`).
 */
export async function candidates(
  commands: readonly CommandSpec[],
  typed: readonly string[],
  valuesOf: (what: string) => Promise<readonly Choice[]>,
): Promise<readonly Choice[]> {
  const last = unquoted(typed.at(-1) ?? '');
  // bash splits `--scope=read-only` into three words.
  const before = typed.slice(0, -1).filter(word => word !== '=');
  const found = await next(commands, before, last, valuesOf);
  return found.filter(({ word }) => word.startsWith(last));
}

/** bash passes the word as typed, with quotes and backslashes. */
const unquoted = (word: string): string => word.replace(/^["']/, '').replace(/\\(.)/g, '$1');

async function next(
  commands: readonly CommandSpec[],
  before: readonly string[],
  last: string,
  valuesOf: (what: string) => Promise<readonly Choice[]>,
): Promise<readonly Choice[]> {
  if (before[0] === 'help') return next(commandsAlone(commands), before.slice(1), last, async () => []);
  const [first, second] = before;
  if (first === undefined) return [...firstWords(commands), ...(last.startsWith('-') ? topOptions : [])];
  const spec =
    commands.find(({ words }) => words === `${first} ${second}`) ?? commands.find(({ words }) => words === first);
  const subcommands = before.length === 1 ? secondWords(commands, first) : [];
  if (spec === undefined) return subcommands;
  const rest = before.slice(spec.words.split(' ').length);
  const asked = takesValue(spec, rest.at(-1));
  if (asked !== null) return valuesOf(asked);
  if (last.startsWith('-')) return optionsLeft(spec, rest);
  const argument = spec.arguments[rest.filter((word, at) => isArgument(spec, word, rest[at - 1])).length];
  const values = argument === undefined ? [] : await valuesOf(`${spec.words} ${argument.replace(/[[\]]/g, '')}`);
  return [...subcommands, ...values];
}

const topOptions: readonly Choice[] = [
  { word: '--help', about: helpOption.about },
  { word: '--version', about: 'Print the version' },
];

/** For `help COMMAND`, which takes neither options nor arguments. */
const commandsAlone = (commands: readonly CommandSpec[]): readonly CommandSpec[] =>
  commands.map(spec => ({ ...spec, options: {}, json: false, arguments: [] }));

function firstWords(commands: readonly CommandSpec[]): readonly Choice[] {
  const about = (first: string): string =>
    commands.find(({ words }) => words === first)?.about ??
    secondWords(commands, first)
      .map(({ word }) => word)
      .join(', ');
  const names = [...new Set(commands.map(({ words }) => words.split(' ')[0] ?? ''))];
  return [...names.map(word => ({ word, about: about(word) })), { word: 'help', about: 'Show the help of a command' }];
}

function secondWords(commands: readonly CommandSpec[], first: string): readonly Choice[] {
  return commands.flatMap(({ words, about }) => {
    const [one, two] = words.split(' ');
    return one === first && two !== undefined ? [{ word: two, about }] : [];
  });
}

function optionsLeft({ options, json }: CommandSpec, rest: readonly string[]): readonly Choice[] {
  const all = { ...options, ...(json && { json: jsonOption }), help: helpOption };
  return Object.entries(all).flatMap(([name, option]) => {
    const isUsed = rest.includes(`--${name}`) && !('multiple' in option);
    return isUsed ? [] : [{ word: `--${name}`, about: option.about }];
  });
}

/** @returns the word itself if it is an option that takes a value next. */
function takesValue({ options }: CommandSpec, word: string | undefined): string | null {
  const name = word?.startsWith('--') ? word.slice(2) : '';
  return Object.hasOwn(options, name) && options[name]?.type === 'string' ? (word ?? null) : null;
}

const isArgument = (spec: CommandSpec, word: string, before: string | undefined): boolean =>
  !word.startsWith('-') && takesValue(spec, before) === null;
