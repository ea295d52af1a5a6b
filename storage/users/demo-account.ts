import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashPassword, passwordMatches } from './password.js';
import type { UserRepository } from './users.js';

export interface DemoAccount {
  email: string;
  password: string;
}

const email = 'demo@tidemark.local';

/**
 * The account that comes with the demo market. Its password is made at random once and kept in the data folder,
 * readable by its owner alone, so that it can be shown at every start. It is an operator only where told so.
 */
export async function ensureDemoAccount(
  users: UserRepository,
  dataDir: string,
  operator = false,
): Promise<DemoAccount> {
  const file = join(dataDir, 'demo-account.json');
  const kept = await readAccount(file);
  const user = await users.byEmail(email);
  if (user && user.operator !== operator) await users.setOperator(user.id, operator);
  if (kept && user && (await passwordMatches(kept.password, user.passwordHash))) return kept;
  const account = { email, password: randomBytes(12).toString('base64url') };
  const passwordHash = await hashPassword(account.password);
  if (user) await users.setPassword(user.id, passwordHash);
  else await users.add({ email, plan: 'pro', operator, passwordHash });
  // Whole or not at all, and with its own mode: a file that is written over keeps that of its maker.
  const draft = `${file}-${process.pid}`;
  await writeFile(draft, JSON.stringify(account), { mode: 0o600 });
  await rename(draft, file);
  return account;
}

/** Leaves the account, if there is one, without what only an operator may do. */
export async function retireDemoAccount(users: UserRepository): Promise<void> {
  const user = await users.byEmail(email);
  if (user?.operator) await users.setOperator(user.id, false);
}

/** The account that the file keeps; null when it keeps none. */
async function readAccount(file: string): Promise<DemoAccount | null> {
  try {
    const { password } = JSON.parse(await readFile(file, 'utf8')) as Partial<DemoAccount>;
    return typeof password === 'string' ? { email, password } : null;
  } catch {
    return null;
  }
}
