/** What Jest does once, before any suite: its `globalSetup`. */

// By hand, without make, it may be started by a Node that is too old.
require('../bridge/packaging/needed-node.cjs');
const holdDefaultPort = require('./hold-default-port.cjs');
const keepFilesInMemory = require('./files-in-memory.cjs');

module.exports = async () => {
  keepFilesInMemory();
  await holdDefaultPort();
};
