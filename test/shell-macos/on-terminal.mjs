/**
 * The command that runs another one on a terminal of its own: `script`, which Linux and macOS each
 * have with other words.
 */

export function onTerminal(words) {
  return process.platform === 'darwin'
    ? ['script', '-q', '/dev/null', ...words]
    : ['script', '-qefc', words.map(quoted).join(' '), '/dev/null'];
}

function quoted(word) {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
