import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashPassword, passwordMatches } from './password.js';
import type { UserRepository } from './users.js';

export interface DemoAccount {
  email: string;
  password: string;
}

export const demoEmail = 'demo@tidemark.local';

/**
 * Creates or restores the account for trying out, on the plan pro. Its random password is kept in a 0600 file in the data folder, so
 * that each start can show it. It is an operator only if `operator` says so.
 */
export async function ensureDemoAccount(
  users: UserRepository,
  dataDir: string,
  operator = false,
): Promise<DemoAccount> {
  const file = join(dataDir, 'demo-account.json');
  const kept = await readAccount(file);
  const user = await users.byEmail(demoEmail);
  if (user && user.operator !== operator) await users.setOperator(user.id, operator);
  if (kept && user && (await passwordMatches(kept.password, user.passwordHash))) return kept;
  const account = { email: demoEmail, password: randomBytes(12).toString('base64url') };
  const passwordHash = await hashPassword(account.password);
  if (user) await users.setPassword(user.id, passwordHash);
  else await users.add({ email: demoEmail, plan: 'pro', operator, passwordHash });
  // A new file and a rename: the write is atomic, and the mode is 0600 even if the old file had another one.
  const draft = `${file}-${process.pid}`;
  await writeFile(draft, JSON.stringify(account), { mode: 0o600 });
  await rename(draft, file);
  return account;
}

/** Takes the operator role from the demo account, if there is one. */
export async function retireDemoAccount(users: UserRepository): Promise<void> {
  const user = await users.byEmail(demoEmail);
  if (user?.operator) await users.setOperator(user.id, false);
}

/** The account in the file; null if the file is missing or holds none. */
async function readAccount(file: string): Promise<DemoAccount | null> {
  try {
    const { password } = JSON.parse(await readFile(file, 'utf8')) as Partial<DemoAccount>;
    return typeof password === 'string' ? { email: demoEmail, password } : null;
  } catch {
    return null;
  }
}
