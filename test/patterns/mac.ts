/**
 * Finds what a Mac's own programs don't have in what a Mac runs: bash 3.2 as /bin/sh, make 3.81, and
 * the BSD programs, which lack many options of GNU's. Reads text alone.
 */

/** Scripts that only Linux runs: CI, Debian's packages and what installs them, cgroups, an image. */
const linuxAlone =
  /^(?:\.ci\/run|bridge\/packaging\/(?:deb(?:-\w+)?|image)\.sh|test\/install\/(?!packages\.sh).*|test\/demo\/small-machine\.sh|test\/servers\/newer\.sh)$/;

export function isRunByMacs(script: string): boolean {
  return !linuxAlone.test(script);
}

type Rule = readonly [what: string, pattern: RegExp];

const bash: readonly Rule[] = [
  ['bash 3.2 changes no letters (,, and ^^)', /\$\{\w+(?:\[[^\]]*\])?(?:,|\^)/],
  ['bash 3.2 has no @Q and the like', /\$\{\w+@\w\}/],
  ['bash 3.2 has no associative arrays', /\b(?:declare|local|typeset)\s+-\w*A/],
  ['bash 3.2 has no references to names', /\b(?:declare|local|typeset)\s+-\w*n\b/],
  ['bash 3.2 has no mapfile, readarray or coproc', /(?:^|[;&|(]|\bdo|\bthen|\belse)\s*(?:mapfile|readarray|coproc)\b/],
  ['bash 3.2 has no &>>, |&, ;& or ;;&', /&>>|\|&(?!&)|;;?&(?!&)/],
  ['bash 3.2 has no printf -v into an array, or %(…)T', /\bprintf\s+(?:-v\s+\w+\[|\S*%\()/],
  ['bash 3.2 has no wait -n', /\bwait\s+-n\b/],
  ['bash 3.2 has no [ -v ', /\[\[?\s+-v\s/],
  ['bash 3.2 has no globstar or lastpipe', /\b(?:globstar|lastpipe)\b/],
  ['bash 3.2 reads for whole seconds', /\bread\s[^;&|]*-\w*t\s*\d*\.\d/],
  ['bash 3.2 counts no array from its end', /\$\{\w+\[-\d/],
  ['bash 3.2 names no descriptor', /\bexec\s+\{\w+\}/],
  ['bash 3.2 has no BASHPID', /\bBASHPID\b/],
  ['bash 3.2 has no declare -g', /\b(?:declare|typeset)\s+-\w*g\b/],
  ['bash 3.2 has no test -v', /\btest\s+-v\s/],
  ['bash 3.2 counts without zeros', /\{0\d+\.\./],
];

/** A command's options, up to the end of the command. */
const command = (names: string, options: string): RegExp =>
  new RegExp(`(?:^|[\\s;&|(\`"'=@])(?:${names})\\s(?:[^;&|)\`]*\\s)?(?:${options})`);

const programs: readonly Rule[] = [
  [
    'BSD’s programs have no long options',
    command(
      'cp|mv|rm|ln|ls|cut|head|tail|sort|uniq|wc|stat|date|mktemp|touch|install|readlink|xargs|tr|tee|sed|ps|diff|chmod|chown',
      '--[a-z]',
    ),
  ],
  ['sed -i, -r, -s and -z differ', command('sed', '-(?:[nE]*[irsz])')],
  ['sed has no I after an address, and no steps', /\bsed\s[^;&|]*(?:\/I(?:\s+[a-z{]|[dpq{][\s;'"])|\d~\d)/],
  ['grep has no -P, and another -z', command('grep', '-\\w*[Pz]')],
  ['wc has no -L', command('wc', '-\\w*L')],
  ['sleep takes a number', /\bsleep\s+inf/],
  [
    'find has no -printf, -readable, -executable or -regextype',
    command('find', '-(?:f?printf|readable|writable|executable|regextype|newermt)\\b'),
  ],
  ['stat has no -c', command('stat', '-\\w*c')],
  ['date has no -d, -I or %N', command('date', '-(?:\\w*d|I)\\b|["\']?\\+\\S*%N')],
  ['mktemp has no -p', command('mktemp', '-\\w*p\\b')],
  ['readlink -f came late, and has no -e or -m', command('readlink', '-\\w*[fem]\\b')],
  ['realpath has no options', command('realpath', '-')],
  ['cp has no -l, -s, -t, -u or -T', command('cp|mv', '-\\w*[lstuT]\\w*\\b')],
  ['ln has no -r or -T', command('ln', '-\\w*[rT]\\w*\\b')],
  ['install has no -D or -t', command('install', '-\\w*[Dt]\\b')],
  ['xargs has no -d or -a, and -r came late', command('xargs', '-\\w*[adr]\\b')],
  ['head takes no negative count', command('head', '-[nc]\\s*-')],
  ['tar has no --sort, --owner or --mtime', command('tar', '--(?:sort|owner|group|mtime|numeric-owner|transform)')],
  ['touch has no -d of words', command('touch', '-d\\s*[\'"@]')],
  ['base64 has no -w', command('base64', '-w')],
  ['du has no -b', command('du', '-\\w*b')],
  ['echo differs in -e and -n', command('echo', '-[en]+\\s')],
  ['paste needs a - for its stdin', /\bpaste\s+-s\S*\s*(?:$|[|;)])/],
  [
    'a Mac has no such program',
    /(?:^|[\s;&|(`])(?:md5sum|nproc|tac|setsid|stdbuf|flock|numfmt|getent|timeout|shuf|pidof|free|ss)(?:[\s;&|)`]|$)/,
  ],
  ['a Mac has no /proc', /(?:^|[\s"'=])\/proc\//],
];

const makefiles: readonly Rule[] = [
  ['make 3.81 has no .ONESHELL, .RECIPEPREFIX or .SHELLFLAGS', /^\.(?:ONESHELL|RECIPEPREFIX|SHELLFLAGS)\b/],
  ['make 3.81 has no $(file …), $(guile …), $(let …) or $(intcmp …)', /\$[({](?:file|guile|let|intcmp)\s/],
  ['make 3.81 has no ::= or :::=', /^[\w.-]+\s*:::?=/],
  ['make 3.81 has no !=', /^[\w.-]+\s*!=/],
  [
    'make 3.81 has no undefine, private or load',
    /^\s*(?:override\s+)?(?:undefine|private|load)\s|^\S+\s*:\s*private\s/,
  ],
  ['make 3.81 takes no = after define', /^\s*define\s+\S+\s*[:+?]?=/],
  ['make 3.81 has no grouped targets', /^[^\t#=]*&:/],
  [
    'make 3.81 starts a line of plain words without a shell, so a word of the shell is not found',
    /\$\(shell\s+(?:command|type|cd|test|\[|if|for|umask|ulimit)\s[^;&|<>$*?"'`]*\)/,
  ],
];

/** @returns `LINE: WHAT`, counted from 1. */
export function beyondMac(text: string, kind: 'script' | 'makefile'): readonly string[] {
  return text.split('\n').flatMap((line, index) => {
    if (/^\s*#/.test(line)) return [];
    // Only a line of a recipe is one of the shell.
    const own = kind === 'script' ? bash : makefiles;
    const rules = kind === 'script' || line.startsWith('\t') ? [...own, ...programs] : own;
    return rules.filter(([, pattern]) => pattern.test(line)).map(([what]) => `${index + 1}: ${what}`);
  });
}
