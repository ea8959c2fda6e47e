/**
 * `sallyport completion SHELL`: a script that makes the shell ask `sallyport`, at each Tab, what
 * may come next.
 */

import { misuse } from '../cli-error.ts';
import { command } from '../command.ts';
import { print } from '../terminal.ts';
import { shellNames } from './values.ts';

/**
 * Comes before the words typed so far; the last may be incomplete. The answer has one line each:
 * the word, a tab, its meaning.
 */
export const completeWord = '__complete';

export const completionCommand = command(
  {
    words: 'completion',
    arguments: ['SHELL'],
    about: 'Print a script that completes words in your shell',
    details: [
      'SHELL is bash, zsh or fish. bash: put `source <(sallyport completion bash)` into',
      '~/.bashrc. zsh: the same with zsh into ~/.zshrc, after compinit.',
      '`make install` and the Debian package put all three where these shells look.',
      'It completes commands, options and their values, and the names of connections,',
      'tokens, questions, settings and clients.',
    ],
    json: false,
  },
  async ({ terminal, arguments: [shell = ''] }) => {
    if (!isShell(shell)) throw misuse(`SHELL must be one of ${shellNames.join(', ')}.`);
    print(terminal, scripts[shell]);
  },
);

const isShell = (typed: string): typed is keyof typeof scripts => shellNames.some(name => name === typed);

// Words may contain spaces and characters that a shell expands, so they are inserted quoted. bash
// 3.2, which macOS has, lacks mapfile. zsh may load the script as the function's own file (fpath).
const scripts = {
  bash: `_sallyport() {
  local word
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    COMPREPLY+=("$(printf %q "$word")")
  done < <(sallyport ${completeWord} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _sallyport sallyport`,
  zsh: `#compdef sallyport
_sallyport() {
  local line
  local -a found
  sallyport ${completeWord} "\${(@Q)words[2,CURRENT]}" 2>/dev/null | while IFS= read -r line; do
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}\${\${line#*$'\\t'}:+:\${line#*$'\\t'}}")
  done
  if (( $#found )); then _describe sallyport found; else _files; fi
}
if [[ $funcstack[1] = _sallyport ]]; then _sallyport "$@"; else compdef _sallyport sallyport; fi`,
  fish: `function __sallyport_complete
  set -l found (sallyport ${completeWord} (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c sallyport -f -a '(__sallyport_complete)'`,
} satisfies Record<(typeof shellNames)[number], string>;
