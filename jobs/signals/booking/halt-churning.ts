import { churnOf, type ChurnFacts } from '../../../compute/ledger/churn-of.js';
import type { Storage } from '../../../storage/index.js';
import type { Log } from '../../../storage/process/log.js';
import type { Channel } from '../../../storage/signals/channel.js';

export interface ChurnTools {
  storage: Pick<Storage, 'executionReads' | 'halts' | 'mails' | 'users'>;
  log: Pick<Log, 'warn'>;
}

/**
 * Halts a channel that churns: it gets no new signals and entries until an operator resumes it; positions are managed as
 * before. Every operator is told by mail, once.
 */
export async function haltChurning(
  { storage, log }: ChurnTools,
  { id, name, partnerId, resumedAt }: Channel,
  facts: Omit<ChurnFacts, 'resumedAt'>,
): Promise<void> {
  const cause = churnOf({ ...facts, resumedAt: resumedAt?.getTime() ?? null });
  if (cause === null) return;
  const scope = { exchange: null, partnerId, channelId: id };
  if (!(await storage.halts.add({ ...scope, cause }))) return;
  await storage.executionReads.wakeOpen({ partnerId, channelId: id });
  const operators = await storage.users.operators();
  for (const { email } of operators) await storage.mails.ask('churn', email);
  log.warn({ channel: id, name, cause, mails: operators.length }, 'channel halted');
}
