import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashPassword } from './password.js';
import type { UserRepository } from './users.js';

export interface DemoAccount {
  email: string;
  password: string;
}

const email = 'demo@tidemark.local';

/**
 * The account that comes with the demo market. Its password is made at random once and kept in the data folder,
 * readable by its owner alone, so that it can be shown at every start.
 */
export async function ensureDemoAccount(users: UserRepository, dataDir: string): Promise<DemoAccount> {
  const file = join(dataDir, 'demo-account.json');
  const kept = await readFile(file, 'utf8').catch(() => null);
  const user = await users.byEmail(email);
  if (kept !== null && user) return JSON.parse(kept) as DemoAccount;
  const account = { email, password: randomBytes(12).toString('base64url') };
  const passwordHash = await hashPassword(account.password);
  if (user) await users.setPassword(email, passwordHash);
  else await users.add({ email, plan: 'pro', passwordHash });
  await writeFile(file, JSON.stringify(account), { mode: 0o600 });
  return account;
}
