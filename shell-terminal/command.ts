/**
 * The form of a `sallyport` command: its words, options, help and action. Reads the arguments; runs
 * nothing itself.
 */

import { parseArgs } from 'node:util';
import { nearestWord } from '../shared/nearest-word.ts';
import { CliError, exitCodes, misuse } from './cli-error.ts';
import { print, printJson, type Terminal, widthOf, wrapped } from './terminal.ts';

export interface OptionSpec {
  readonly type: 'string' | 'boolean';
  readonly multiple?: true;
  /** Follows it in the help: `NAME`, `read-only|read-write`. */
  readonly value?: string;
  readonly about: string;
}
type Options = Readonly<Record<string, OptionSpec>>;

type OptionValue<Spec extends OptionSpec> = Spec extends { type: 'boolean' }
  ? boolean
  : Spec extends { multiple: true }
    ? string[]
    : string;
type OptionValues<Specs extends Options> = { readonly [Name in keyof Specs]?: OptionValue<Specs[Name]> };

export interface CommandCall<Specs extends Options = Options> {
  readonly terminal: Terminal;
  /** As many as the command names; the last may be missing if it is optional. */
  readonly arguments: readonly string[];
  readonly options: OptionValues<Specs>;
  readonly json: boolean;
  /** Prints the value with --json, otherwise the lines. */
  answer(value: unknown, ...lines: readonly string[]): void;
}

export interface CommandSpec<Specs extends Options = Options> {
  /** For example `connections add`. */
  readonly words: string;
  /**
   * Names of its arguments; those in brackets are optional: `NAME`, `[CLIENT]`. A last one like
   * `-- COMMAND...` takes every word after the dashes.
   */
  readonly arguments: readonly string[];
  readonly about: string;
  /** Further lines of its help. */
  readonly details?: readonly string[];
  readonly options: Specs;
  /** True if it prints data. */
  readonly json: boolean;
  /** What to say if an argument is missing while those before it are there. */
  readonly missing?: Readonly<Record<string, string>>;
}

/** By default: no arguments, no options, and it prints data. */
type Declared<Specs extends Options> = Pick<CommandSpec, 'words' | 'about' | 'details'> & Partial<CommandSpec<Specs>>;

export interface TerminalCommand extends CommandSpec {
  /** @throws CliError */
  run(terminal: Terminal, typed: readonly string[]): Promise<void>;
}

/** Commands that the help and the manual list together. */
export interface CommandGroup<Command extends CommandSpec = CommandSpec> {
  /** Null if the list has only this group. */
  readonly title: string | null;
  readonly commands: readonly Command[];
}

export const jsonOption = { type: 'boolean', about: 'print JSON' } as const satisfies OptionSpec;
export const helpOption = { type: 'boolean', about: 'this help' } as const satisfies OptionSpec;

export function command<const Specs extends Options = Record<never, never>>(
  declared: Declared<Specs>,
  run: (call: CommandCall<Specs>) => Promise<void>,
): TerminalCommand {
  const spec: CommandSpec = { arguments: [], options: {}, json: true, ...declared };
  return {
    ...spec,
    async run(terminal, typed) {
      try {
        const { values, positionals } = readWords(spec, typed);
        const json = 'json' in values && values.json === true;
        await run({
          terminal,
          arguments: positionals,
          options: values as OptionValues<Specs>,
          json,
          answer: (value, ...lines) => (json ? printJson(terminal, value) : printAnswer(terminal, lines)),
        });
      } catch (error) {
        if (!(error instanceof CliError) || error.exitCode !== exitCodes.misuse) throw error;
        throw new CliError(error.exitCode, error.message, { ...error.told, usage: usageOf(spec) });
      }
    },
  };
}

/** One line is a sentence, which is broken between words. Several are a table. */
function printAnswer(terminal: Terminal, lines: readonly string[]): void {
  const width = lines.length === 1 ? widthOf(terminal.stdout) : null;
  print(terminal, ...lines.flatMap(line => wrapped(line, width, '')));
}

function neededBy(spec: CommandSpec): number {
  return spec.arguments.filter(name => !name.startsWith('[')).length;
}

function mostOf({ arguments: names }: CommandSpec): number {
  return isCommand(names.at(-1)) ? Number.POSITIVE_INFINITY : names.length;
}

const isCommand = (name: string | undefined): boolean => name?.endsWith('...') === true;

function countSentence(spec: CommandSpec, given: number): string {
  const missing = spec.missing?.[spec.arguments[given] ?? ''];
  if (missing !== undefined) return missing;
  if (given < neededBy(spec)) return `${listed(spec.arguments.slice(given, neededBy(spec)))} missing.`;
  if (spec.arguments.length === 0) return `sallyport ${spec.words} takes no argument.`;
  return `Only ${listed(spec.arguments.map(name => name.replace(/[[\]]/g, '')))} expected; quote what has a space.`;
}

/** `KEY and VALUE are` */
function listed(names: readonly string[]): string {
  return `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'}`;
}

/** `sallyport connections add URL [options]` */
export function usageOf(spec: CommandSpec): string {
  const options = Object.keys(spec.options).length > 0 ? ['[options]'] : [];
  const json = spec.json ? ['[--json]'] : [];
  const [names, last] = [spec.arguments.filter(name => !isCommand(name)), spec.arguments.filter(isCommand)];
  return ['sallyport', spec.words, ...names, ...options, ...json, ...last].join(' ');
}

/** `--name NAME` and its explanation; the options of every command come last. */
export function optionRows(spec: CommandSpec): (readonly [option: string, about: string])[] {
  const options: Options = { ...spec.options, ...(spec.json ? { json: jsonOption } : {}), help: helpOption };
  return Object.entries(options).map(([name, { value, about }]) => [
    `--${name}${value === undefined ? '' : ` ${value}`}`,
    about,
  ]);
}

/** @throws CliError if the words aren't the command's. */
export function readWords(spec: CommandSpec, typed: readonly string[]) {
  const read = parsed(spec, typed);
  const count = read.positionals.length;
  if (count < neededBy(spec) || count > mostOf(spec)) throw misuse(countSentence(spec, count));
  return read;
}

function parsed(spec: CommandSpec, typed: readonly string[]) {
  const options = {
    ...Object.fromEntries(
      Object.entries(spec.options).map(([name, { type, multiple }]) => [name, { type, multiple: multiple === true }]),
    ),
    ...(spec.json ? { json: { type: 'boolean' as const } } : {}),
  };
  try {
    // A pasted line of YAML, `- URL=…`, is no option.
    const args = typed.map(word => (word.startsWith('- ') ? ` ${word}` : word));
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw misuse(misuseSentence(spec, error));
  }
}

function misuseSentence(spec: CommandSpec, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const option = /(--?[\w-]+)/.exec(message)?.[1] ?? '';
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    if (/^--?p(ass(word|phrase)?|w)?$/.test(option)) {
      if ('password-stdin' in spec.options)
        return `${option} doesn't exist: other programs can read a password there; use --password-stdin or --password-command.`;
      if (spec.words.startsWith('passphrase '))
        return `${option} doesn't exist: other programs can read a passphrase there; you are asked for it on the terminal.`;
    }
    const known = [...Object.keys(spec.options), ...(spec.json ? ['json'] : []), 'help'].map(name => `--${name}`);
    const meant = nearestWord(known, option);
    const unknown = `sallyport ${spec.words} has no option ${option}`;
    return meant === null
      ? `${unknown}; \`sallyport ${spec.words} --help\` lists its options.`
      : `${unknown}. Did you mean ${meant}?`;
  }
  // Not Node's own text: it may repeat what was typed.
  const takesValue = Object.entries(spec.options).some(
    ([name, { type }]) => `--${name}` === option && type === 'string',
  );
  return takesValue
    ? `${option} needs a value; one that starts with a dash is written ${option}=VALUE.`
    : `${option} takes no value.`;
}
