import type { Storage } from '../index.js';

/**
 * Ends all sessions of a user except one, and all connected apps; returns how many sessions there were. Call it after a
 * change that makes them invalid, such as a new password or a removed account.
 */
export async function endAccess(
  { sessions, grants }: Pick<Storage, 'sessions' | 'grants'>,
  userId: string,
  exceptSessionId?: string,
): Promise<number> {
  const ended = await sessions.endAll(userId, exceptSessionId);
  await grants.removeAll(userId);
  return ended;
}
