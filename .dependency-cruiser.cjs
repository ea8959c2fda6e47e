/**
 * The map of CONTRIBUTING.md as rules: who may import whom. Everything not named here is forbidden
 * by the first rule of a room.
 */

const port = 'daemon/engines/[^/]+[.]ts$';

const rooms = {
  // Types of what shells ask and are answered, by two files, and no more: a shell's bundle has no
  // zod (test/install/compiled.test.ts).
  shared: ['daemon/shells/messages', 'daemon/shells/commands.ts'],
  // Only what a person's patterns mean, which a connection keeps.
  'daemon/access': ['daemon/guard/sight.ts', 'daemon/guard/masks.ts'],
  'daemon/guard': [],
  'daemon/sqlite': [],
  'daemon/engines': ['daemon/guard', 'daemon/access', 'daemon/sqlite'],
  'daemon/statement': [port, 'daemon/engines/count', 'daemon/guard', 'daemon/access'],
  'daemon/classifier': ['daemon/guard', port],
  'daemon/clients/mcp': ['daemon/statement', 'daemon/guard', port, 'daemon/engines/count', 'daemon/access'],
  'daemon/clients/http': ['daemon/clients/mcp', 'daemon/statement', 'daemon/access'],
  // It names clients and asks for access as a tool does.
  'daemon/clients/wire': [
    'daemon/clients/mcp/client-name.ts',
    'daemon/clients/mcp/request-access.ts',
    'daemon/statement',
    'daemon/guard',
    port,
    'daemon/engines/count',
    'daemon/access',
  ],
  // The bridge's relay: what it does for a client's process it does for a box's lines inside the
  // daemon.
  'daemon/clients/boxes': ['bridge', 'daemon/access'],
  'daemon/shells': [
    'daemon/clients/mcp',
    'daemon/statement',
    'daemon/guard',
    port,
    'daemon/engines/count',
    'daemon/access',
  ],
  'daemon/shells/messages': [],
  'daemon/desktop': ['daemon/access', 'daemon/storage/secrets/session-bus.ts'],
  'daemon/processes': ['daemon/access'],
  'daemon/tunnels': ['daemon/access', port],
  'daemon/storage': ['daemon/statement', 'daemon/guard', port, 'daemon/access', 'daemon/sqlite'],
  bridge: [],
  'shell-terminal': ['daemon/guard'],
};

/**
 * Where every room of the daemon may look besides: what two processes agree on, the ways we say no,
 * and kinds of work.
 */
const forAll = room =>
  room.startsWith('daemon/') && room !== 'daemon/guard'
    ? [
        'shared',
        'daemon/refusal.ts',
        'daemon/activity.ts',
        'daemon/work.ts',
        'daemon/one-at-a-time.ts',
        'daemon/fair-queue.ts',
        'daemon/disk-fault.ts',
        'daemon/file-turns.ts',
      ]
    : ['shared'];

const ours = '^(shared|daemon|bridge|shell-terminal|test)/';

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-test-code-in-the-product',
      severity: 'error',
      from: { path: '^(shared|daemon|bridge|shell-terminal)/' },
      to: { path: '^test/' },
    },
    ...Object.entries(rooms).map(([room, others]) => ({
      name: `${room}-imports-only-what-the-map-says`,
      severity: 'error',
      from: { path: `^${room}/` },
      to: { path: ours, pathNot: [room, ...others, ...forAll(room)].map(path => `^${path}(?:/|$)`) },
    })),
    {
      name: 'engines-do-not-import-each-other',
      severity: 'error',
      from: { path: '^daemon/engines/(sqlite|postgres|mysql)/' },
      to: { path: '^daemon/engines/(sqlite|postgres|mysql)/', pathNot: '^daemon/engines/$1/' },
    },
    {
      name: 'one-file-names-the-engines',
      comment:
        'What differs by engine is asked of the port: a fourth engine is a folder, and a line in open-database.ts.',
      severity: 'error',
      from: { path: '^daemon/', pathNot: '^daemon/engines/(open-database[.]ts$|(sqlite|postgres|mysql)/)' },
      to: { path: '^daemon/engines/(sqlite|postgres|mysql)/' },
    },
    {
      name: 'rules-touch-no-driver-socket-or-file',
      comment: 'House rule 1: time, chance and the world come in as arguments. Hashing is arithmetic, not the world.',
      severity: 'error',
      from: {
        path: '^daemon/(access|guard|statement|engines/(count|[a-z]+/(dialect|follow|preview|count|role)))(/|[.]ts$)',
      },
      to: {
        dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'],
        pathNot: ['^crypto$', '^node:crypto$', 'node_modules/(zod|libpg-query)/'],
      },
    },
    {
      name: 'the-bridge-and-what-it-shares-import-node-alone',
      comment: 'A package on this path costs every start of every client (zod: 60 ms).',
      severity: 'error',
      from: { path: '^(bridge|shared)/' },
      to: { dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'two-files-of-types-stand-between-shells-and-shapes',
      comment: 'They export types alone. A shell that loaded a shape would load zod with it: 60 ms of every command.',
      severity: 'error',
      from: { path: '^(shared|bridge|shell-terminal)/', pathNot: '^shared/(control-commands|asked-commands)[.]ts$' },
      to: { path: '^daemon/shells/' },
    },
    {
      name: 'nothing-unresolvable',
      severity: 'error',
      from: { path: ours },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.mjs', '.cjs', '.js'],
    },
  },
};
