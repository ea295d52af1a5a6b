import assert from 'node:assert/strict';
import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureDemoAccount, retireDemoAccount } from '../../../storage/users/demo-account.js';
import { passwordMatches } from '../../../storage/users/password.js';
import { temporaryFolder } from '../../support/process/temporary-folder.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

describe('ensureDemoAccount', () => {
  const context = temporaryStorage();
  const folder = temporaryFolder();
  const file = () => join(folder.path, 'demo-account.json');
  const ensure = () => ensureDemoAccount(context.storage.users, folder.path);
  const stored = () => context.storage.users.byEmail('demo@tidemark.local');
  const canSignIn = async (password: string) =>
    passwordMatches(password, (await stored())?.passwordHash ?? null);

  afterEach(() => context.db.collection('users').deleteMany({}));

  it('makes an account that can sign in, with plan pro', async () => {
    const { email, password } = await ensure();
    assert.equal(email, 'demo@tidemark.local');
    assert.match(password, /^[A-Za-z0-9_-]{16}$/);
    assert.equal(await canSignIn(password), true);
    assert.equal((await stored())?.plan, 'pro');
  });

  it('makes it an operator only if asked to, and takes the role away again', async () => {
    const { users } = context.storage;
    const isOperator = async () => (await stored())?.operator;
    await ensure();
    assert.equal(await isOperator(), false);
    await ensureDemoAccount(users, folder.path, true);
    assert.equal(await isOperator(), true);
    await ensure();
    assert.equal(await isOperator(), false);
    await ensureDemoAccount(users, folder.path, true);
    await retireDemoAccount(users);
    assert.equal(await isOperator(), false);
  });

  it('makes another password for every installation', async () => {
    const { password } = await ensure();
    await rm(file());
    await context.db.collection('users').deleteMany({});
    assert.notEqual((await ensure()).password, password);
  });

  it('answers the same from then on and leaves the account alone', async () => {
    const first = await ensure();
    const before = await stored();
    assert.deepEqual(await ensure(), first);
    assert.deepEqual(await stored(), before);
  });

  it('keeps the password in a file for its owner alone', async () => {
    const account = await ensure();
    assert.deepEqual(JSON.parse(await readFile(file(), 'utf8')), account);
    assert.equal((await stat(file())).mode & 0o777, 0o600);
  });

  it('keeps it so when it replaces a file that others could read', async () => {
    await writeFile(file(), '{}');
    await chmod(file(), 0o644);
    await ensure();
    assert.equal((await stat(file())).mode & 0o777, 0o600);
  });

  it('makes a new password for the same account when the file is lost', async () => {
    const { password } = await ensure();
    const id = (await stored())?.id;
    await rm(file());
    const next = await ensure();
    assert.notEqual(next.password, password);
    assert.deepEqual([await canSignIn(next.password), await canSignIn(password)], [true, false]);
    assert.equal((await stored())?.id, id);
  });

  it('creates the account again when the database is lost', async () => {
    await ensure();
    await context.db.collection('users').deleteMany({});
    assert.equal(await canSignIn((await ensure()).password), true);
  });

  it('makes a new password when the file is no account, as after a power loss', async () => {
    await ensure();
    for (const text of ['', '{"email":"demo@tidemark.lo', '{}', 'null']) {
      await writeFile(file(), text);
      assert.equal(await canSignIn((await ensure()).password), true, text);
    }
  });

  it('makes a new password when that of the file does not open the account', async () => {
    await ensure();
    const email = 'demo@tidemark.local';
    await writeFile(file(), JSON.stringify({ email, password: 'of another database' }));
    assert.equal(await canSignIn((await ensure()).password), true);
  });
});
