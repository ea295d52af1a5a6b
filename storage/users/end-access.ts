import type { Storage } from '../index.js';

/**
 * Ends all sessions of a user except one and returns how many there were. Call it after a change that makes them invalid,
 * such as a new password or a removed account.
 */
export async function endAccess(
  { sessions }: Pick<Storage, 'sessions'>,
  userId: string,
  exceptSessionId?: string,
): Promise<number> {
  return sessions.endAll(userId, exceptSessionId);
}
