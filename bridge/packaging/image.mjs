/**
 * Writes an OCI image's layout (image-spec 1.1) of layers that are tars: each is a blob by the
 * SHA-256 of its content, and so are what runs it and what lists them. The same layers and
 * SOURCE_DATE_EPOCH give the same image. LEVEL is gzip's. Usage, from the project's folder: node
 * image.mjs FOLDER LAYER…
 */

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const [, , folder, ...layers] = process.argv;
const { name, version, description, homepage, license } = JSON.parse(readFileSync('package.json', 'utf8'));
const created = new Date(Number(process.env.SOURCE_DATE_EPOCH) * 1000).toISOString();
const architecture = { x64: 'amd64', arm64: 'arm64' }[process.arch];
const home = '/var/lib/sallyport';
const level = Number(process.env.LEVEL ?? 9);

mkdirSync(join(folder, 'blobs/sha256'), { recursive: true });
const contents = layers.map(layer => readFileSync(layer));
const image = {
  created,
  architecture,
  os: 'linux',
  config: {
    // By number: who starts it can see that it isn't root.
    User: '10001:10001',
    Env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', `HOME=${home}`],
    Entrypoint: ['sallyport'],
    Cmd: ['start', '--foreground'],
    WorkingDir: home,
    Volumes: { [home]: {} },
    Labels: {
      'org.opencontainers.image.title': name,
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.description': description,
      'org.opencontainers.image.url': homepage,
      'org.opencontainers.image.licenses': license,
    },
  },
  rootfs: { type: 'layers', diff_ids: contents.map(digestOf) },
  history: layers.map(() => ({ created, created_by: 'make image' })),
};
const manifest = {
  schemaVersion: 2,
  mediaType: 'application/vnd.oci.image.manifest.v1+json',
  config: blob('application/vnd.oci.image.config.v1+json', JSON.stringify(image)),
  layers: contents.map(content => blob('application/vnd.oci.image.layer.v1.tar+gzip', gzipSync(content, { level }))),
};
const listed = {
  ...blob(manifest.mediaType, JSON.stringify(manifest)),
  platform: { architecture, os: 'linux' },
  annotations: {
    'org.opencontainers.image.ref.name': version,
    'io.containerd.image.name': `localhost/${name}:latest`,
  },
};
const index = { schemaVersion: 2, mediaType: 'application/vnd.oci.image.index.v1+json', manifests: [listed] };
writeFileSync(join(folder, 'index.json'), JSON.stringify(index));
writeFileSync(join(folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));

function digestOf(content) {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

/** Writes it, and returns its descriptor. */
function blob(mediaType, content) {
  const digest = digestOf(content);
  writeFileSync(join(folder, 'blobs', digest.replace(':', '/')), content);
  return { mediaType, digest, size: Buffer.byteLength(content) };
}
