import { newAccount } from '../../storage/accounts/accounts.js';
import { UserExchanges } from '../../storage/accounts/user-exchanges.js';
import { dropOwnerless, removeUser } from '../../storage/users/remove-user.js';
import { defineSchedule, type ScheduleTools } from './worker/schedule.js';

type CompletePart = (tools: ScheduleTools, signal: AbortSignal) => Promise<number>;

const nameOf = ({ userId, exchange }: { userId: string; exchange: string }) => `${userId}:${exchange}`;

/** A connection without an account is never read. A removal at the same moment could leave one. */
const addMissingAccounts: CompletePart = ({ storage: { accounts, connections, owned } }, signal) =>
  owned.forOwners('connections', signal, async (userIds) => {
    // The connections are read first, because a removal deletes the connection before its account.
    const connected = await connections.ofUsers(userIds);
    const known = new Set((await accounts.ofUsers(userIds)).map(nameOf));
    const missing = connected.filter((each) => !known.has(nameOf(each)));
    for (const { userId, exchange } of missing)
      await accounts.findOrAdd(newAccount(userId, exchange, Date.now()));
    return missing.length;
  });

/** Positions are computed from accounts. Nothing else refreshes the positions of a user whose last account was removed. */
const refreshStalePositions: CompletePart = ({ settings, storage, redis }, signal) =>
  storage.owned.forOwners('positions', signal, async (userIds) => {
    const known = new Set((await storage.accounts.ofUsers(userIds)).map(nameOf));
    const shown = await storage.positions.ofUsers(userIds);
    const stale = shown.filter(({ userId, accounts }) =>
      accounts.some(({ exchange }) => !known.has(nameOf({ userId, exchange }))),
    );
    const { updater } = new UserExchanges(settings, storage, redis);
    await updater.refresh(stale.map(({ userId }) => userId));
    return stale.length;
  });

/** The writes that a process may leave incomplete when it dies: each function completes them and returns how many there were. */
const parts: Record<string, CompletePart> = {
  'users removed': async ({ storage }, signal) => {
    const removing = await storage.users.removing();
    for (const { id } of removing) {
      signal.throwIfAborted();
      await removeUser(storage, id);
    }
    return removing.length;
  },
  'removed users with data left': ({ storage }, signal) => dropOwnerless(storage, signal),
  'connections without an account': addMissingAccounts,
  'users with positions of no account': refreshStalePositions,
};

/** Every night, before the clean-up. */
export const completeWritesSchedule = defineSchedule({
  name: 'complete-writes',
  summary:
    'completes what was cut off between two writes: removed users, connections without an account and the like',
  pattern: '0 30 1 * * *',
  limitMs: 600_000,
  async run(tools, signal) {
    const counts: string[] = [];
    for (const [name, complete] of Object.entries(parts)) {
      signal.throwIfAborted();
      await tools.lease.confirm();
      const completed = await complete(tools, signal);
      if (completed > 0) counts.push(`${completed} ${name}`);
    }
    return counts.length === 0 ? 'nothing to complete' : counts.join(', ');
  },
});
