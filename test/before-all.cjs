/** Runs once before any suite: Jest's `globalSetup`. */

// Without make, a Node that is too old may start it.
require('../bridge/packaging/needed-node.cjs');
const holdDefaultPort = require('./hold-default-port.cjs');
const keepFilesInMemory = require('./files-in-memory.cjs');
const { watchPace } = require('./waiting/pace.cjs');

module.exports = async () => {
  keepFilesInMemory();
  await holdDefaultPort();
  await watchPace();
};
