/**
 * Holds Sallyport's default port during the tests, so each daemon has a port that no other daemon
 * had. Otherwise daemons would take that port in turn. A client of an earlier one would send its
 * foreign token to the next daemon five times, and that would then admit nobody for minutes.
 */

const { createServer } = require('node:net');

const defaultPort = 27_432;

module.exports = async () => {
  const held = createServer(socket => socket.destroy());
  // Another program has it already, which is just as good.
  held.on('error', () => {});
  await new Promise(resolve => held.once('listening', resolve).once('error', resolve).listen(defaultPort, '127.0.0.1'));
  held.unref();
};
