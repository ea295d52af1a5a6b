import type { Storage } from '../index.js';

/**
 * Ends every way in that the user was given before now, but for one session, and returns how many there were. To be called
 * after a change that makes them untrue: another password, a removed account.
 */
export async function endAccess(
  { sessions }: Pick<Storage, 'sessions'>,
  userId: string,
  exceptSessionId?: string,
): Promise<number> {
  return sessions.endAll(userId, exceptSessionId);
}
