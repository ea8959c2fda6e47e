/**
 * The LaunchAgent that starts the daemon where there is no app, as text (spec §16). Writes and runs
 * nothing.
 */

/**
 * Another than that of the app's own: with both, one of them finds the lock taken and ends well.
 */
export const agentLabel = 'app.sallyport.sallyportd.terminal';

/** As in the systemd unit: longer than the daemon's own drain. */
const stopSeconds = 10;
const ownerOnly = 0o077;

/**
 * @param command with absolute paths.
 * @param log takes what is said before the daemon's own log is open.
 */
export function launchAgent(command: readonly string[], log: string): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<!-- Written by `sallyport service install`; `sallyport service uninstall` takes it away. -->',
    '<plist version="1.0">',
    '<dict>',
    member('Label', text(agentLabel)),
    member('ProgramArguments', `<array>\n${command.map(word => `    ${text(word)}\n`).join('')}  </array>`),
    member('RunAtLoad', '<true/>'),
    // Started again after a crash, not after `sallyport stop`.
    member('KeepAlive', '<dict>\n    <key>SuccessfulExit</key>\n    <false/>\n  </dict>'),
    // People wait for its answers: as Background it would be slowed down.
    member('ProcessType', text('Interactive')),
    member('ExitTimeOut', `<integer>${stopSeconds}</integer>`),
    member('Umask', `<integer>${ownerOnly}</integer>`),
    // A core dump would hold passwords.
    member('HardResourceLimits', '<dict>\n    <key>Core</key>\n    <integer>0</integer>\n  </dict>'),
    member('WorkingDirectory', text('/')),
    member('StandardErrorPath', text(log)),
    '</dict>',
    '</plist>',
    '',
  ].join('\n');
}

function member(key: string, value: string): string {
  return `  <key>${key}</key>\n  ${value}`;
}

function text(value: string): string {
  return `<string>${value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</string>`;
}
