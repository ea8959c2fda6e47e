/** The check for what a Mac's bash, make and programs don't have; check.mjs runs it. */

import { expect, test } from '@jest/globals';
import { beyondMac, isRunByMacs } from './mac.ts';

const refused = {
  script: [
    `x=\${name,,}`,
    `x=\${names[0]^}`,
    `x=\${name@Q}`,
    'declare -A seen',
    'local -n other=$1',
    'mapfile -t lines <f',
    'git ls-files | readarray lines',
    'make &>> log',
    'make |& tee log',
    'case $1 in a) x ;;& *) y ;; esac',
    'printf -v lines[0] %s x',
    "printf '%(%F)T' -1",
    'wait -n',
    '[[ -v HOME ]]',
    'shopt -s globstar',
    'shopt -s lastpipe',
    'read -r -t 0.5 line',
    `x=\${names[-1]}`,
    'exec {lock}>f',
    'kill $BASHPID',
    'declare -g x=1',
    'test -v HOME',
    'for each in {01..10}',
    "sed -i 's/a/b/' f",
    "sed -nr 's/a/b/p' f",
    'x=$(sed --expression=p f)',
    "grep -oP '\\d+' f",
    "find . -name '*.js' -printf '%p\\n'",
    'find . -type f -executable',
    'stat -c %a f',
    'x=$(date -d yesterday)',
    'date +%s%N',
    'mktemp -p /tmp',
    'mktemp --suffix=.js',
    'x="$(readlink -f "$0")"',
    'realpath --relative-to=. f',
    'cp -al a b',
    'cp --recursive a b',
    'ln -sr a b',
    'install -D -m 644 a b',
    'find . | xargs -r rm',
    "tr '\\n' '\\0' <f | xargs -d x rm",
    'head -n -1 f',
    'tar --owner=0 -cf a.tar b',
    "touch -d '1 hour ago' f",
    'base64 -w0 f',
    'du -sb f',
    "echo -e 'a\\tb'",
    'ls | paste -sd,',
    'timeout 5 make',
    'make -j$(nproc)',
    'make -j"`nproc`"',
    'pidof sallyportd',
    'sleep infinity',
    "sed '/a/I d' f",
    "sed -n '1~2p' f",
    "tar -cf a.tar --transform 's/a/b/' b",
    'ps --ppid 3',
    'tail --pid=3 -f f',
    'ls --color f',
    'diff --color a b',
    'chmod --reference=a b',
    'find . -regex x -printf %p',
    'grep -zo a f',
    'xargs -a f rm',
    'wc -L f',
    'cat /proc/cpuinfo',
  ],
  makefile: [
    '.ONESHELL:',
    'x := $(file <f)',
    'x ::= y',
    'x != date',
    'undefine x',
    'private x = y',
    'all: private x = y',
    'define x =',
    'a b &: c',
    'x := $(shell command -v node)',
    "\t@sed -i 's/a/b/' f",
  ],
} as const;

for (const kind of ['script', 'makefile'] as const)
  test.each(refused[kind])(`${kind}: %j`, line => {
    expect(beyondMac(`\n${line}\n`, kind)).toEqual([expect.stringMatching(/^2: /)]);
  });

test.each([
  '# sed -i differs',
  'sed -n "s/a/b/p" f | grep -qE x',
  'cp -R a b; cp -p a b',
  "find . -name '*.map' -o -name '*.ts' -delete",
  'find build -mindepth 1 -maxdepth 1 ! -name x -exec rm -rf {} +',
  'work=$(mktemp -d)',
  'work=$(mktemp -d "$HOME/.x.XXXXXX")',
  'make 2>&1 | tail -n 40 && echo "$x"',
  'case $1 in a) x ;; *) y & ;; esac',
  'sort -u f | head -n 1',
  'install -m 644 a b',
  'ln -s a b',
  'date -u +%Y-%m-%d',
  `x=\${name%,*} y=\${name#^}`,
  'npm ci --no-audit --no-fund',
  "printf '%s\\n' x",
  'stat -f %z f 2>/dev/null',
  'read -r line; read -t 5 line',
  'exec 3>f; exec {x,y}',
  "sed 's/a/I/; /b/d' f",
  'sleep 0.5',
  'tar -xzf a.tgz -C b',
])('a Mac runs %j', line => {
  expect(beyondMac(line, 'script')).toEqual([]);
});

test.each([
  'node := $(shell command -v node;)',
  'export PATH := $(x):$(PATH)',
  'all: build | folder',
  'ifneq ($(x),)',
  '\t@x=1; echo "$$x"',
])('its make takes %j', line => {
  expect(beyondMac(line, 'makefile')).toEqual([]);
});

test('a script is a Mac’s unless it is known as Linux’s', () => {
  expect(
    ['bridge/packaging/place.sh', 'test/install/packages.sh', 'shell-macos/new.sh'].filter(isRunByMacs),
  ).toHaveLength(3);
  expect(['.ci/run', 'bridge/packaging/deb-prerm.sh', 'test/install/boxes.sh'].filter(isRunByMacs)).toEqual([]);
});
