/** `sallyport boxes run`: a command in a bubblewrap box, whose one way out is the box's socket. */

import { boxNamed } from '../boxes/box-named.ts';
import { boxEnvironment, boxWords } from '../boxes/box-recipe.ts';
import { runInBox } from '../boxes/run-in-box.ts';
import { shownAs } from '../boxes/shown-folders.ts';
import { syscallFilter } from '../boxes/syscall-filter.ts';
import { failed, misuse } from '../cli-error.ts';
import { command } from '../command.ts';
import { locationsOf } from '../terminal.ts';

export const runInBoxCommand = command(
  {
    words: 'boxes run',
    arguments: ['NAME', '-- COMMAND...'],
    about: 'Run a command in a box, by bubblewrap (Linux)',
    details: [
      'Inside are the system, the current folder to write into, and the socket of the box.',
      'The environment is empty, the home folder too. There is no network, and no other socket.',
      '--network gives it the internet by slirp4netns, without the loopback of this machine.',
    ],
    options: {
      network: { type: 'boolean', about: "the internet, for an agent's model" },
      env: { type: 'string', multiple: true, value: 'NAME', about: 'a variable to pass on; may be repeated' },
      show: { type: 'string', multiple: true, value: 'PATH', about: 'a file or folder to read; may be repeated' },
      share: { type: 'string', multiple: true, value: 'PATH', about: 'one to read and write; may be repeated' },
    },
    json: false,
  },
  async ({ terminal, arguments: [name = '', ...words], options }) => {
    if (process.platform !== 'linux')
      throw failed('`sallyport boxes run` needs Linux, for bubblewrap; docs/boxes.md has recipes for containers.');
    const filter = syscallFilter(process.arch);
    if (filter === null)
      throw failed(`\`sallyport boxes run\` doesn't know this processor (${process.arch}) and can't close the box.`);
    for (const variable of options.env ?? [])
      if (!/^\w+$/.test(variable)) throw misuse('--env takes the name of a variable, and no value.');
    const { folder, socket, wire, tokenFile, state, problem } = await boxNamed(terminal, name);
    if (socket === null) {
      const has = tokenFile === null ? "a socket for PostgreSQL's protocol alone" : 'a token and no socket';
      throw failed(`The box ${name} has ${has}; \`sallyport boxes add NAME\` makes one with a socket.`);
    }
    if (state !== 'valid') throw failed(`The box ${name} has ended (${state}); revoke it and add it again.`);
    if (problem !== null) throw failed(`The box ${name} refuses programs: ${problem}.`);
    const { cwd, userHome } = terminal;
    const place = { locations: locationsOf(terminal), userHome, cwd };
    const isNetworked = options.network === true;
    const shown = [
      ...(options.show ?? []).map(path => shownAs(path, false, place)),
      ...[cwd, ...(options.share ?? [])].map(path => shownAs(path, true, place)),
    ];
    const user = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
    process.exitCode = await runInBox({
      words: boxWords({ folder, shown, cwd, userHome, user, isNetworked, command: words }),
      environment: boxEnvironment(process.env, userHome, { folder, socket, wire }, options.env ?? []),
      filter,
      isNetworked,
    });
  },
);
