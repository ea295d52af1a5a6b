import assert from 'node:assert/strict';
import { lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { MongoClient } from 'mongodb';
import {
  findPython,
  installPackage,
  packageFolder,
  pinnedPackage,
} from '../../../storage/embedded/python-package.js';
import { readMarks, writeMark } from './server-clients.js';
import { openServers } from '../../../storage/embedded/open-servers.js';
import type { Servers, ServerSettings } from '../../../storage/embedded/servers.js';
import { temporarySettings } from './temporary-settings.js';

/**
 * A program with the options of mongod that the service uses, on SecantusDB, because the official one cannot be installed
 * everywhere. It writes down its arguments.
 */
const program = (python: string, packages: string, calls: string) => `#!${python}
import argparse, json, socket, sys
sys.path.insert(0, ${JSON.stringify(packages)})
if sys.argv[1:] == ["--version"]:
    print("db version v7.0.99")
    sys.exit()
with open(${JSON.stringify(calls)}, "a") as file:
    file.write(json.dumps(sys.argv[1:]) + "\\n")
parser = argparse.ArgumentParser()
for name in ["--dbpath", "--bind_ip", "--port", "--wiredTigerCacheSizeGB", "--setParameter"]:
    parser.add_argument(name)
for name in ["--auth", "--quiet", "--nounixsocket"]:
    parser.add_argument(name, action="store_true")
given = parser.parse_args()
from secantus import server
if "/" in given.bind_ip:
    class Socket(socket.socket):
        def accept(self):
            client, _ = super().accept()
            return client, ("unix", 0)
        def setsockopt(self, *args):
            pass
        def getsockname(self):
            return ("unix", 0)
    address = (socket.AF_UNIX, socket.SOCK_STREAM, 0, "", given.bind_ip)
    server.socket.getaddrinfo = lambda *args, **options: [address]
    server.socket.socket = Socket
from secantus.cli import main
options = ["--storage-path", given.dbpath, "--log-level", "ERROR", "--port", given.port or "0"]
sys.exit(main(options + (["--auth"] if given.auth else [])))
`;

describe('an embedded mongod', function () {
  this.timeout(120_000);

  const path = process.env.PATH;
  let settings: ServerSettings;
  let remove: () => Promise<void>;
  let calls: string;

  const open = () =>
    openServers({
      settings,
      holder: 'service',
      name: 'npm start',
      running: 'refuse',
      report: () => undefined,
    });
  const passwordFile = () => join(settings.DATA_DIR, 'mongodb-password');
  const callCount = () => readFileSync(calls, 'utf8').trim().split('\n').length;
  const isRefused = async ({ mongodbUrl }: Servers) => {
    const url = new URL(mongodbUrl);
    url.username = url.password = '';
    url.searchParams.delete('authSource');
    const client = new MongoClient(url.href);
    await assert.rejects(client.db().collection('marks').findOne(), { codeName: 'Unauthorized' });
    await client.close();
  };

  before(async () => {
    ({ settings, remove } = await temporarySettings());
    const python = await findPython();
    const bin = join(settings.DATA_DIR, '..', 'bin');
    mkdirSync(bin);
    calls = join(bin, 'calls');
    const secantusdb = pinnedPackage('secantusdb');
    const packages = packageFolder(settings.SERVERS_DIR, secantusdb, python);
    await installPackage(packages, secantusdb, python);
    writeFileSync(join(bin, 'mongod'), program(python.program, packages, calls), { mode: 0o755 });
    process.env.PATH = `${bin}${delimiter}${path}`;
  });
  after(async () => {
    process.env.PATH = path;
    await remove();
  });

  it('gets its user on a Unix socket before it listens on a port, and then asks for the password', async () => {
    const servers = await open();
    assert.match(servers.mongodb, /^MongoDB 7\.0\.99 from /);
    await isRefused(servers);
    await writeMark(servers, 'a');
    await servers.close();
    const [first, second] = readFileSync(calls, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as string[]);
    assert.match(first[first.indexOf('--bind_ip') + 1], /\/set-up\.sock$/);
    assert.ok(!first.includes('--port'));
    assert.ok(second.includes('--auth') && second.includes('enableLocalhostAuthBypass=0'));
    assert.equal(lstatSync(passwordFile()).mode & 0o777, 0o600);
  });

  it('keeps its password from one start to the next, without setting it up again', async () => {
    const count = callCount();
    const servers = await open();
    assert.deepEqual((await readMarks(servers)).mongodb, ['a']);
    await servers.close();
    assert.equal(callCount(), count + 1);
  });

  it('gets another password when the file is lost, and keeps its data', async () => {
    rmSync(passwordFile());
    const servers = await open();
    assert.deepEqual((await readMarks(servers)).mongodb, ['a']);
    await isRefused(servers);
    await servers.close();
  });

  it('is set up again with the same password when its data are gone', async () => {
    const password = readFileSync(passwordFile(), 'utf8');
    rmSync(join(settings.DATA_DIR, 'mongodb'), { recursive: true });
    const servers = await open();
    assert.deepEqual((await readMarks(servers)).mongodb, []);
    await servers.close();
    assert.equal(readFileSync(passwordFile(), 'utf8'), password);
  });

  it('is set up in a folder whose path is too long for a socket', async () => {
    settings = { ...settings, DATA_DIR: join(settings.DATA_DIR, 'x'.repeat(120)) };
    const servers = await open();
    await isRefused(servers);
    await servers.close();
  });
});
