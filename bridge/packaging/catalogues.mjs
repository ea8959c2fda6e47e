/**
 * Writes what catalogues of software take, of a release's files: a Homebrew formula of the
 * executable, a cask of the macOS app, and the MCP registry's server.json. Names, versions and
 * checksums come from package.json and SHA256SUMS; a file whose sum is missing, or an address that
 * isn't https, is refused. There is no winget manifest, because there is no program for Windows.
 * Usage, from the project's folder: node catalogues.mjs RELEASE URL, the folder with SHA256SUMS and
 * where its files will lie
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , release = '', address = ''] = process.argv;
const { name, version, description, homepage, license } = JSON.parse(readFileSync('package.json', 'utf8'));
const sums = new Map(
  readFileSync(join(release, 'SHA256SUMS'), 'utf8')
    .trim()
    .split('\n')
    .map(line => /^([0-9a-f]{64}) [ *]([\w.-]+)$/.exec(line) ?? refuse(`SHA256SUMS has the line ${line}`))
    .map(([, sum, file]) => [file, sum]),
);
// It goes into Ruby and JSON unquoted.
if (!/^https:\/\/[\w.-]+(\/[\w.-]+)*$/.test(address))
  refuse(`${address} isn't an https address without a / at its end`);

const sumOf = file => sums.get(file) ?? refuse(`SHA256SUMS has no ${file}`);
const archive = platform => {
  const file = `${name}-${version}-${platform}.tar.gz`;
  return `      url "${address}/${file}"\n      sha256 "${sumOf(file)}"`;
};

const formula = `class Sallyport < Formula
  desc "${description}"
  homepage "${homepage}"
  version "${version}"
  license "${license}"

  on_macos do
    on_arm do
${archive('macos-arm64')}
    end
    on_intel do
${archive('macos-x64')}
    end
  end

  on_linux do
    on_arm do
${archive('linux-arm64')}
    end
    on_intel do
${archive('linux-x64')}
    end
  end

  def install
    # The keychain's module and the other names lie beside the executable.
    libexec.install Dir["*"]
    %w[sallyport sallyportd sallyport-mcp].each { |command| bin.install_symlink libexec/"bin"/command }
    (man1/"sallyport.1").write Utils.safe_popen_read(bin/"sallyport", "manual")
    generate_completions_from_executable(bin/"sallyport", "completion")
  end

  test do
    assert_equal "sallyport #{version}", shell_output("#{bin}/sallyport --version").strip
  end
end
`;

const image = kind => `Sallyport-${version}-${kind}.dmg`;
const cask = () => `cask "sallyport-app" do
  arch arm: "arm64", intel: "x86_64"

  version "${version}"
  sha256 arm:   "${sumOf(image('arm64'))}",
         intel: "${sumOf(image('x86_64'))}"

  url "${address}/Sallyport-#{version}-#{arch}.dmg"
  name "Sallyport"
  desc "${description}"
  homepage "${homepage}"

  app "Sallyport.app"
end
`;

/** The package from npm that is written there, and the bundle that a client installs by a click. */
function server() {
  const written = JSON.parse(readFileSync('bridge/packaging/server.json', 'utf8'));
  const file = `${name}-${version}.mcpb`;
  const bundle = { registryType: 'mcpb', identifier: `${address}/${file}`, fileSha256: sumOf(file) };
  return { ...written, packages: [...written.packages, { ...bundle, transport: { type: 'stdio' } }] };
}

const files = {
  'sallyport.rb': formula,
  // The app is made and signed on its owner's Mac, so a release may be without.
  ...(sums.has(image('arm64')) ? { 'sallyport-app.rb': cask() } : {}),
  'server.json': `${JSON.stringify(server(), null, 2)}\n`,
};
const into = join(release, 'catalogues');
mkdirSync(into, { recursive: true });
for (const [file, text] of Object.entries(files)) {
  writeFileSync(join(into, file), text);
  process.stdout.write(`${join(into, file)}\n`);
}

function refuse(why) {
  process.stderr.write(`catalogues: ${why}.\n`);
  process.exit(1);
}
