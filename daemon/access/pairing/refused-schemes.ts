/**
 * Schemes that are never a pairing's callback (spec §10), whichever app handles them: opening such
 * an address acts, or leads elsewhere, before anybody could look at a code in it.
 */

/** The web's, ours, databases', and schemes whose handler contacts the host in the address. */
const leadElsewhere = `http https file javascript vbscript data blob about view-source filesystem sallyport
   postgres postgresql mysql mariadb sqlite sqlserver mssql oracle mongodb mongodb+srv redis rediss jdbc odbc cassandra
   clickhouse snowflake duckdb couchdb neo4j bolt amqp amqps kafka
   smb cifs afp nfs ssh sftp scp ftp ftps telnet rlogin rdp vnc ldap ldaps ws wss gopher git svn rsync webdav dav davs
   rtsp rtsps rtmp rtmps mms mmsh tftp fish nx spice ipp ipps finger gemini ipfs ipns vlc mpv iina
   microsoft-edge googlechrome googlechromes firefox firefox-focus brave opera vivaldi arc x-safari-http x-safari-https
   webcal feed podcast pcast intent chrome chrome-extension moz-extension edge web ext`;

/**
 * Their address itself is an order: runs an automation, a command or a macro, opens a terminal or a
 * folder, installs or clones, takes a screen over, calls, sends or pays.
 */
const actByThemselves = `shortcuts shortcuts-production workflow applescript automator osascript hammerspoon kmtrigger
   keyboardmaestro alfred alfredapp alfredpreferences btt bettertouchtool popclip launchbar x-launchbar quicksilver qs
   bunch rectangle rectangle-pro lunar swish cleanshot shottr dropzone dropzone4 espanso karabiner textexpander hookmark
   shell terminal iterm iterm2 warp warppreview ghostty kitty wezterm hyper tabby wave alacritty putty x-man-page man
   txmt mvim gvim nvim emacs org-protocol subl sublime nova bbedit x-bbedit zed xcode idea jetbrains jetbrains-gateway
   toolbox fleet webstorm pycharm phpstorm goland rubymine clion rider datagrip rustrover
   x-github-client github-mac github-desktop github-windows sourcetree gitkraken gittower tower smartgit
   docker docker-desktop podman-desktop lens vagrant postman insomnia goose ollama lmstudio
   itms itms-apps itms-appss itms-services macappstore macappstores apt apturl ymp snap appstream flatpak flatpakref
   steam steamlink itch lutris heroic roblox roblox-player
   teamviewer teamviewer8 teamviewer10 anydesk rustdesk parsec splashtop nomachine
   mailto sms smsto mms tel callto facetime facetime-audio facetime-group sip sips imessage im skype viber whatsapp
   zoommtg zoomus zoomphonecall msteams webex wbx irc ircs xmpp magnet ed2k thunder news nntp
   bitcoin bitcoincash ethereum litecoin lightning monero upi venmo cashapp paypal alipay
   prefs app-prefs addressbook message search-ms admin trash recent network computer burn help ghelp`;

const refused = new Set(`${leadElsewhere} ${actByThemselves}`.split(/\s+/));
/** Apple's and Microsoft's: settings, Office, help, installers. */
const refusedBeginnings = ['x-apple', 'com.apple.', 'ms-'];

/**
 * Each part of a `+` name counts: `git+ssh:` is ssh, and a browser may have registered `web+any:`
 * for a web site.
 * @param scheme in lower case.
 */
export function isRefusedScheme(scheme: string): boolean {
  const isRefused = (part: string) => refused.has(part) || refusedBeginnings.some(begin => part.startsWith(begin));
  return [scheme, ...scheme.split('+')].some(isRefused);
}

/** Editors that give each extension addresses of its own: `vscode://publisher.extension/callback`. */
const editors = new Set(
  'vscode vscode-insiders vscodium code-oss cursor windsurf windsurf-next kiro trae antigravity positron void'.split(
    ' ',
  ),
);
const extension = /^[a-z-]+:\/\/([a-z0-9-]+\.[a-z0-9-]+)(?=[/?]|$)/i;
/** Extensions that come with an editor: they clone, install MCP servers, connect elsewhere. */
const editorsOwn = /^(?:vscode|ms-vscode|ms-vscode-remote|github|anysphere|codeium|windsurf|kiro|trae)\./i;

/** True for what is no editor's. An editor itself opens files, installs and connects. */
export function isExtensionsOwn(scheme: string, redirect: string): boolean {
  if (!editors.has(scheme)) return true;
  const [, named] = extension.exec(redirect) ?? [];
  return named !== undefined && !editorsOwn.test(named);
}
