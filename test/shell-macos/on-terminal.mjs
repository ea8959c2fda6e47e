/**
 * The command that runs another one on a terminal of its own: `script`, whose arguments differ
 * between Linux and macOS.
 */

export function onTerminal(words) {
  return process.platform === 'darwin'
    ? ['script', '-q', '/dev/null', ...words]
    : ['script', '-qefc', words.map(quoted).join(' '), '/dev/null'];
}

function quoted(word) {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
