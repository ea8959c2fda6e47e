/** The check for what bash 3.2 can't parse; check.mjs runs it over each script. */

import { expect, test } from '@jest/globals';
import { unclosedCases } from './scripts.ts';

test.each([
  ['x=$(case $1 in a) echo b ;; esac)\n', [1]],
  ['x=1\nx=$(find . | while read -r l; do\n  case $l in "$(pwd)"/*) ;; *) echo "$l" ;; esac\ndone)\n', [2]],
  ['x="$(if true; then case $1 in a | b) echo c ;; esac; fi)"\n', [1]],
  ['x=$(echo $(case $1 in a) echo b ;; esac))\n', [1]],
  ['x=$(case $1 in (a) echo b ;; (*) echo c ;; esac)\n', []],
  ['case $(uname -s) in Darwin) echo a ;; *) echo b ;; esac\n', []],
  ['case "$1 $2" in *" "*) exit ;; esac\ny=$(cat f) # in case $( it fails)\n', []],
  ["cat <<'END'\n$(case a in a) ;; esac)\nEND\nx=$(date)\n", []],
])('%j', (script, lines) => {
  expect(unclosedCases(script)).toEqual(lines);
});
