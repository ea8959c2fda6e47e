/**
 * What an entry of a client's file starts, seen through npx, uvx, docker, a shell and other
 * programs that start programs. It reads values; it touches no file and judges nothing.
 */

import { isObject } from '../../shared/json.ts';
import type { Variables } from '../setup/expanded.ts';

export interface Started {
  /** The packages, images or programs that may be the server, the likeliest first. */
  readonly programs: readonly string[];
  /** The words behind the program's name. */
  readonly words: readonly string[];
  readonly variables: Variables;
  /** Files that set variables. */
  readonly variableFiles: readonly string[];
  /** True if the server's own machine is a container. */
  readonly isContained: boolean;
  /** The server's address if it is reached by HTTP, else null. */
  readonly url: string | null;
}

type Values = Readonly<Record<string, unknown>>;

/** @param entry one server's map in a client's file, in any client's form. */
export function startedBy(entry: Values): Started {
  // Older versions of Zed have the command in a map of its own.
  const inner = isObject(entry.command) ? { ...entry.command, command: entry.command.path } : {};
  const { command, cmd, args }: Values = { ...entry, ...inner };
  const listed = textsIn(Array.isArray(command ?? cmd) ? (command ?? cmd) : [command ?? cmd]);
  const given = textsIn(args);
  const alone = listed.length === 1 && given.length === 0 ? shellWords(listed[0] ?? '') : [...listed, ...given];
  const variables = {
    ...variablesOf(entry.settings),
    ...variablesOf(entry.env ?? entry.envs ?? entry.environment ?? inner),
    ...variablesOf((inner as Values).env),
  };
  const files = textsIn([entry.envFile, entry.env_file, entry.envfile]);
  const url = [entry.url, entry.serverUrl, entry.httpUrl, entry.uri].find(text => typeof text === 'string');
  const start = { programs: [], words: alone, variables, variableFiles: files, isContained: false, url: null };
  return url === undefined ? unwrapped(start) : { ...start, url: url as string };
}

/** How many programs that start programs are looked through. */
const deepest = 8;

/** Looks through the programs that start others, down to the server. */
function unwrapped(started: Started, depth = 0): Started {
  const [first, ...rest] = started.words;
  if (first === undefined || depth === deepest) return started;
  if (/^[A-Za-z_]\w*=/.test(first))
    return unwrapped({ ...started, words: rest, ...withVariable(started, first) }, depth);
  const name = baseName(first);
  const next = starters[/^python[\d.]+$/.test(name) ? 'python' : name]?.(rest, started);
  if (next !== undefined) {
    const { isServer, ...inner } = next;
    return isServer ? { ...started, ...inner } : unwrapped({ ...started, ...inner }, depth + 1);
  }
  return { ...started, programs: [first, ...started.programs], words: rest };
}

/** @property isServer true if its programs are the server, and its words the server's own. */
type Next = Partial<Started> & Pick<Started, 'words'> & { readonly isServer?: boolean };
/** What a program that starts programs starts, by the words behind its name. */
type Starter = (words: readonly string[], started: Started) => Next;

/**
 * Skips options.
 * @param valued options that are followed by a value, with blanks between them.
 * @param packages options that are followed by a package's name.
 */
const behindOptions =
  (valued: string, packages = ''): Starter =>
  (words, { programs }) => {
    const [withValue, namesPackage] = [valued.split(' '), packages.split(' ')];
    const found: string[] = [];
    let at = 0;
    for (; words[at]?.startsWith('-') === true; at += 1) {
      const [option = '', value] = (words[at] ?? '').split('=');
      if (option === '--') {
        at += 1;
        break;
      }
      const isNamed = namesPackage.includes(option);
      if (value === undefined && (isNamed || withValue.includes(option))) at += 1;
      if (isNamed) found.push(value ?? words[at] ?? '');
    }
    return { words: words.slice(at), programs: [...programs, ...found] };
  };

const npx = behindOptions('-c --call --registry --cache', '-p --package');
const uvx = behindOptions('--python --index-url --with --directory --project -p --env-file --index', '--from');
const python: Starter = (words, started) => {
  const next = behindOptions('-X -W', '-m')(words, started);
  return { ...next, isServer: (next.programs ?? []).length > started.programs.length };
};

/** Reads on behind a word such as `dlx`; without it nothing is started. */
const behindWord =
  (word: RegExp, starter: Starter): Starter =>
  (words, started) => {
    const at = words.findIndex(each => word.test(each));
    return at === -1 ? { words: [] } : starter(words.slice(at + 1), started);
  };

/** The last command of `sh -c '…'`, with the variables that are set before it. */
const shell: Starter = words => {
  const at = words.findIndex(word => /^-[a-z]*c$/.test(word));
  if (at === -1) return { words };
  const typed = shellWords(words[at + 1] ?? '');
  const last = typed.findLastIndex(word => /^(?:&&|;|\|\|)$/.test(word));
  const before = typed.slice(0, Math.max(last, 0)).filter(word => /^[A-Za-z_]\w*=/.test(word));
  return { words: [...before, ...typed.slice(last + 1).filter(word => word !== 'exec')] };
};

/** The image of `docker run`, with the variables that it gets. */
const container: Starter = (words, started) => {
  const run = words.indexOf('run');
  const variables: Record<string, string | undefined> = { ...started.variables };
  const variableFiles = [...started.variableFiles];
  const valued =
    /^(?:-[evupwhl]|--(?:env|env-file|volume|user|publish|workdir|hostname|label|name|network|mount|platform|pull|add-host|entrypoint|memory|cpus))$/;
  let at = run + 1;
  for (; words[at]?.startsWith('-') === true; at += 1) {
    const word = words[at] ?? '';
    const equals = word.startsWith('--') ? word.indexOf('=') : -1;
    const option = equals === -1 ? word : word.slice(0, equals);
    const value = equals === -1 ? words[at + 1] : word.slice(equals + 1);
    if (/^-e./.test(word)) Object.assign(variables, assigned(word.slice(2).replace(/^=/, '')));
    if (option === '-e' || option === '--env') Object.assign(variables, assigned(value ?? ''));
    if (option === '--env-file') variableFiles.push(value ?? '');
    if (equals === -1 && valued.test(option)) at += 1;
  }
  const [image = '', ...rest] = words.slice(at);
  return {
    words: rest,
    programs: [image, ...started.programs],
    variables,
    variableFiles,
    isContained: true,
    isServer: true,
  };
};

/** The command behind programs that set variables from files, with these files. */
const withFiles: Starter = (words, started) => {
  const variableFiles = [...started.variableFiles];
  let at = 0;
  for (; words[at] !== undefined && words[at] !== '--'; at += 1) {
    const [option = '', value] = (words[at] ?? '').split('=');
    if (/^(?:-e|-f|--env-file)$/.test(option)) variableFiles.push(value ?? words[++at] ?? '');
    else if (!option.startsWith('-') && option !== 'run') break;
  }
  return { words: words.slice(words[at] === '--' ? at + 1 : at), variableFiles };
};

/** The address that a proxy leads to. */
const remote: Starter = words => ({
  words,
  url: words.find(word => /^https?:/.test(word)) ?? null,
  isServer: true,
});

const starters: Readonly<Record<string, Starter>> = {
  npx,
  bunx: npx,
  pnpx: npx,
  pnpm: behindWord(/^(?:dlx|exec)$/, npx),
  yarn: behindWord(/^(?:dlx|exec)$/, npx),
  bun: behindWord(/^x$/, npx),
  npm: behindWord(/^(?:exec|x)$/, npx),
  uvx,
  uv: behindWord(/^run$/, uvx),
  pipx: behindWord(/^run$/, behindOptions('--python', '--spec')),
  python,
  node: behindOptions('-r --require --import --env-file'),
  deno: behindWord(/^run$/, behindOptions('--config')),
  env: behindOptions('-u -C'),
  cmd: words => ({ words: words.slice(words.findIndex(word => /^\/c$/i.test(word)) + 1) }),
  powershell: behindWord(/^-command$/i, words => ({ words: shellWords(words.join(' ')) })),
  sh: shell,
  bash: shell,
  zsh: shell,
  wsl: behindOptions('-d -u'),
  sudo: behindOptions('-u'),
  docker: container,
  podman: container,
  dotenv: withFiles,
  dotenvx: withFiles,
  op: withFiles,
  'mcp-remote': remote,
  'mcp-proxy': remote,
};

function withVariable({ variables }: Started, word: string): Pick<Started, 'variables'> {
  return { variables: { ...variables, ...assigned(word) } };
}

/** The variable that `A=b` sets. A name alone sets none: its value comes from outside. */
function assigned(word: string): Variables {
  const at = word.indexOf('=');
  return at < 1 ? {} : { [word.slice(0, at)]: word.slice(at + 1) };
}

/** A program's bare name: `npx` for `/usr/bin/npx` and `npx.cmd`; no version as in `x@latest`. */
function baseName(program: string): string {
  const last = program.split(/[/\\]/).at(-1) ?? program;
  const version = last.indexOf('@', 1);
  return (version === -1 ? last : last.slice(0, version)).toLowerCase().replace(/\.(?:exe|cmd|bat)$/, '');
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value)
    ? value.filter((each): each is string | number => typeof each === 'string' || typeof each === 'number').map(String)
    : [];
}

function variablesOf(value: unknown): Variables {
  if (!isObject(value)) return {};
  const texts = Object.entries(value).filter(([, text]) => typeof text === 'string' || typeof text === 'number');
  return Object.fromEntries(texts.map(([name, text]) => [name, String(text)]));
}

/** A line as a shell splits it, with its operators as words of their own. */
function shellWords(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (character === '\\' && quote !== "'") word = (word ?? '') + line.charAt(++at);
    else if (character === quote) quote = '';
    else if (quote !== '') word += character;
    else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/[\s;&|]/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
      if (character === ';') words.push(';');
      else if (/[&|]/.test(character) && line.charAt(at + 1) === character) words.push(character + line.charAt(++at));
    } else word = (word ?? '') + character;
  }
  return word === null ? words : [...words, word];
}
