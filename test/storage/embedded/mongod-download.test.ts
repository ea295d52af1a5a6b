import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../../../storage/embedded/child-environment.js';
import { runProgram } from '../../../storage/embedded/run-program.js';
import { temporaryFolder } from '../../support/process/temporary-folder.js';

const program = fileURLToPath(new URL('../../../storage/embedded/mongod-download.js', import.meta.url));
const ownPins = fileURLToPath(new URL('../../../../storage/embedded/mongod-pins.txt', import.meta.url));

describe('the download of mongod', function () {
  this.timeout(60_000);

  const folder = temporaryFolder();
  let server: Server;
  let asked: string[];
  let archive: Buffer;

  before(async () => {
    server = createServer((request, response) => {
      asked.push(request.url!);
      response.end(archive);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => server.close());
  beforeEach(() => {
    asked = [];
    mkdirSync(join(folder.path, 'made-up/bin'), { recursive: true });
    writeFileSync(join(folder.path, 'made-up/bin/mongod'), '#!/bin/sh\necho made up\n', { mode: 0o755 });
    execFileSync('tar', ['czf', 'made-up.tgz', 'made-up'], { cwd: folder.path });
    archive = readFileSync(join(folder.path, 'made-up.tgz'));
  });

  const target = () => join(folder.path, 'mongod');
  const download = (pins: string, distro: string) =>
    runProgram(process.execPath, [program, target(), pins], {
      timeoutMs: 30_000,
      env: {
        ...childEnvironment(),
        MONGOMS_USE_HTTP: 'true',
        MONGOMS_DOWNLOAD_MIRROR: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        MONGOMS_DISTRO: distro,
        MONGOMS_PLATFORM: 'linux',
        MONGOMS_ARCH: 'x64',
      },
    });
  const programs = () =>
    existsSync(target()) ? readdirSync(target()).filter((name) => /^mongod(?!b).*[^5]$/.test(name)) : [];

  it('unpacks the archive whose SHA-256 is pinned', async () => {
    const pins = join(folder.path, 'pins.txt');
    const name = 'mongodb-linux-x86_64-ubuntu2404-8.2.6.tgz';
    writeFileSync(pins, `${createHash('sha256').update(archive).digest('hex')}  ${name}\n`);
    await download(pins, 'ubuntu-24.04');
    assert.deepEqual(asked, [`/linux/${name}`]);
    const [found] = programs();
    assert.equal(execFileSync(join(target(), found), { encoding: 'utf8' }), 'made up\n');
  });

  it('refuses any other archive of that name, and unpacks nothing of it', async () => {
    const found = createHash('sha256').update(archive).digest('hex');
    const message = `the SHA-256 of "mongodb-linux-x86_64-ubuntu2404-8.2.6.tgz" is ${found}, expected 56314a0f0a81238d974302fbffe7862efe9694c498ead62a0bca92cb595a0df0: it is not used`;
    await assert.rejects(download(ownPins, 'ubuntu-24.04'), {
      code: 'server_not_found',
      message: `"${process.execPath}": ${message}`,
    });
    assert.deepEqual(programs(), []);
  });

  it('asks nobody for an archive without a pinned SHA-256, and says which have one', async () => {
    await assert.rejects(
      download(ownPins, 'rhel-9.4'),
      /no SHA-256 is pinned for "mongodb-linux-x86_64-rhel93-8\.2\.6\.tgz", only for mongodb-linux-x86_64-ubuntu2404-8\.2\.6\.tgz, .*macos-arm64/,
    );
    assert.deepEqual(asked, []);
  });
});
