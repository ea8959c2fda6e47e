/**
 * Comes first in each command (first-file.sh), in syntax that any Node reads, and loads nothing
 * before its check. npm only warns of a Node that is too old; what fails then names modules and no
 * version.
 */

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 15)) {
  process.stderr.write(
    `Sallyport needs Node 24.15 or newer, and ${process.execPath} is Node ${process.versions.node}: install a newer one.\n`,
  );
  process.exit(1);
}
