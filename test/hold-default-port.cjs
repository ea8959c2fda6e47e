/**
 * Holds Sallyport's default port while tests run, so that each daemon has a port that no other had.
 * Else one daemon takes it after the other, and a client of the one before that still tries to
 * reach it tells the next one a token that isn't its own, five times: then it lets nobody in for
 * minutes.
 */

const { createServer } = require('node:net');

const defaultPort = 27_432;

module.exports = async () => {
  const held = createServer(socket => socket.destroy());
  // Somebody else has it already, which does as well.
  held.on('error', () => {});
  await new Promise(resolve => held.once('listening', resolve).once('error', resolve).listen(defaultPort, '127.0.0.1'));
  held.unref();
};
