/** The map of CONTRIBUTING.md as rules: who may import whom. Everything not named here is forbidden by the first rule of a room. */

const rooms = {
  shared: [],
  'daemon/access': [],
  'daemon/sqlite': [],
  'daemon/query': ['daemon/access'],
  'daemon/judging': ['daemon/query'],
  'daemon/mcp': ['daemon/query', 'daemon/access'],
  'daemon/http': ['daemon/mcp', 'daemon/query', 'daemon/access'],
  'daemon/control': ['daemon/mcp', 'daemon/query', 'daemon/access'],
  'daemon/databases': ['daemon/query', 'daemon/access', 'daemon/sqlite'],
  'daemon/storage': ['daemon/query', 'daemon/access', 'daemon/sqlite'],
  bridge: [],
  'shell-terminal': ['daemon/query/classification'],
};

/** Where every room of the daemon may look besides: what two processes agree on, the ways we say no, and kinds of work. */
const forAll = room =>
  room.startsWith('daemon/')
    ? [
        ...['shared', 'daemon/refusal.ts', 'daemon/activity.ts', 'daemon/work.ts', 'daemon/one-at-a-time.ts'],
        'daemon/disk-fault.ts',
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
      to: { path: ours, pathNot: [room, ...others, ...forAll(room)].map(path => `^${path}(/|$)`) },
    })),
    {
      name: 'engines-do-not-import-each-other',
      severity: 'error',
      from: { path: '^daemon/databases/(sqlite|postgres|mysql)/' },
      to: { path: '^daemon/databases/(sqlite|postgres|mysql)/', pathNot: '^daemon/databases/$1/' },
    },
    {
      name: 'rules-touch-no-driver-socket-or-file',
      comment: 'House rule 1: time, chance and the world come in as arguments. Hashing is arithmetic, not the world.',
      severity: 'error',
      from: { path: '^daemon/(access|query)/' },
      to: {
        dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'],
        pathNot: ['^crypto$', '^node:crypto$', 'node_modules/(zod|libpg-query|@guanmingchiu/sqlparser-ts)/'],
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
