/**
 * The text of the LaunchAgent that starts the daemon on a Mac without the app (spec §16). Writes
 * and runs nothing.
 */

/** Not the label of the app's own agent. With both, one finds the lock taken and ends normally. */
export const agentLabel = 'app.sallyport.sallyportd.terminal';

/** As in the systemd unit: longer than the daemon needs to finish its requests. */
const stopSeconds = 10;
const ownerOnly = 0o077;

/**
 * @param command with absolute paths.
 * @param log gets what the daemon says before its own log is open.
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
    // Restarted after a crash, but not after `sallyport stop`.
    member('KeepAlive', '<dict>\n    <key>SuccessfulExit</key>\n    <false/>\n  </dict>'),
    // People wait for its answers; Background would slow it down.
    member('ProcessType', text('Interactive')),
    member('ExitTimeOut', `<integer>${stopSeconds}</integer>`),
    member('Umask', `<integer>${ownerOnly}</integer>`),
    // A core dump would contain passwords.
    member('HardResourceLimits', '<dict>\n    <key>Core</key>\n    <integer>0</integer>\n  </dict>'),
    member('WorkingDirectory', text('/')),
    member('StandardErrorPath', text(log)),
    '</dict>',
    '</plist>',
    '',
  ].join('\n');
}

/** The words of its command, as `launchAgent` writes them. */
export function commandIn(agent: string): readonly string[] {
  const list = agent.split('<key>ProgramArguments</key>')[1]?.split('</array>')[0] ?? '';
  return [...list.matchAll(/<string>([^<]*)<\/string>/g)].map(([, word = '']) =>
    word.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  );
}

function member(key: string, value: string): string {
  return `  <key>${key}</key>\n  ${value}`;
}

function text(value: string): string {
  return `<string>${value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</string>`;
}
