/** `sallyport completion SHELL`: a script by which the shell completes commands and options, made of the commands there are. */

import { type CommandSpec, command, type TerminalCommand } from './command.ts';
import { misuse } from './ending.ts';
import { print } from './terminal.ts';

const shells = { bash, zsh, fish } as const;

export function completionCommandOf(commands: () => readonly CommandSpec[]): TerminalCommand {
  return command(
    {
      words: 'completion',
      arguments: ['SHELL'],
      about: 'Print a script that completes words in your shell',
      details: [
        'SHELL is bash, zsh or fish. bash: put `source <(sallyport completion bash)` into',
        '~/.bashrc. zsh: the same with zsh into ~/.zshrc, after compinit. fish:',
        '`sallyport completion fish > ~/.config/fish/completions/sallyport.fish`.',
      ],
      json: false,
    },
    async ({ terminal, arguments: [shell = ''] }) => {
      if (!Object.hasOwn(shells, shell)) throw misuse('SHELL is one of bash, zsh, fish.');
      print(terminal, shells[shell as keyof typeof shells](commands()));
    },
  );
}

const optionsOf = ({ options, json }: CommandSpec): string[] =>
  [...Object.keys(options), ...(json ? ['json'] : []), 'help'].map(name => `--${name}`);

/** What may come next, by the words before it. */
function choices(commands: readonly CommandSpec[]): readonly (readonly [before: string, next: readonly string[]])[] {
  const firstWords = [...new Set(commands.map(({ words }) => words.split(' ')[0] ?? ''))];
  const groups = firstWords.map(first => {
    const own = commands.find(({ words }) => words === first);
    const seconds = commands.flatMap(({ words }) =>
      words.startsWith(`${first} `) ? [words.slice(first.length + 1)] : [],
    );
    return [first, [...seconds, ...(own === undefined ? [] : optionsOf(own))]] as const;
  });
  const ofTwo = commands.filter(({ words }) => words.includes(' ')).map(spec => [spec.words, optionsOf(spec)] as const);
  return [['', [...firstWords, 'help', '--version']], ...groups, ...ofTwo];
}

function cases(commands: readonly CommandSpec[], taken: string): string {
  const known = choices(commands);
  const ofTwo = known.filter(([before]) => before.includes(' '));
  const ofOne = known.filter(([before]) => !before.includes(' '));
  const line = ([before, next]: readonly [string, readonly string[]]): string =>
    `    '${before}') ${taken}='${next.join(' ')}' ;;`;
  return [
    '  case "$first $second" in',
    ...ofTwo.map(line),
    '    *) case "$first" in',
    ...ofOne.map(entry => `  ${line(entry)}`),
    '    esac ;;',
    '  esac',
  ].join('\n');
}

function bash(commands: readonly CommandSpec[]): string {
  return `_sallyport() {
  local first='' second='' next=''
  [ "$COMP_CWORD" -gt 1 ] && first="\${COMP_WORDS[1]}"
  [ "$COMP_CWORD" -gt 2 ] && second="\${COMP_WORDS[2]}"
${cases(commands, 'next')}
  COMPREPLY=($(compgen -W "$next" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _sallyport sallyport`;
}

function zsh(commands: readonly CommandSpec[]): string {
  return `#compdef sallyport
_sallyport() {
  local first='' second='' next=''
  (( CURRENT > 2 )) && first="\${words[2]}"
  (( CURRENT > 3 )) && second="\${words[3]}"
${cases(commands, 'next')}
  compadd -- \${=next} || _files
}
compdef _sallyport sallyport`;
}

function fish(commands: readonly CommandSpec[]): string {
  const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;
  const firstWords = [...new Set(commands.map(({ words }) => words.split(' ')[0] ?? ''))];
  const lines = firstWords.map(first => {
    const about = commands.find(({ words }) => words === first)?.about ?? `Commands of ${first}`;
    return `complete -c sallyport -f -n __fish_use_subcommand -a ${first} -d ${quoted(about)}`;
  });
  for (const { words, about, options, json } of commands) {
    const [first = '', second] = words.split(' ');
    const seen = words
      .split(' ')
      .map(word => `__fish_seen_subcommand_from ${word}`)
      .join('; and ');
    if (second !== undefined)
      lines.push(`complete -c sallyport -f -n '__fish_seen_subcommand_from ${first}' -a ${second} -d ${quoted(about)}`);
    for (const [name, option] of Object.entries(options))
      lines.push(
        `complete -c sallyport -n '${seen}' -l ${name}${option.type === 'string' ? ' -r' : ''} -d ${quoted(option.about)}`,
      );
    if (json) lines.push(`complete -c sallyport -n '${seen}' -l json -d 'print JSON'`);
  }
  return lines.join('\n');
}
