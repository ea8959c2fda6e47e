// What Contents/Resources/bin/sallyport runs: the terminal's code. It is told that it stands beside
// the app's other programs, where it looks for the daemon and for the bridge that clients are
// pointed at.
const { join } = require('node:path');

process.argv[1] = join(__dirname, '../../MacOS/sallyportd');
import('./bundle/sallyport.js');
