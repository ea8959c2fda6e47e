/** What Jest does once, before any suite: its `globalSetup`. */

const holdDefaultPort = require('./hold-default-port.cjs');
const keepFilesInMemory = require('./files-in-memory.cjs');

module.exports = async () => {
  keepFilesInMemory();
  await holdDefaultPort();
};
