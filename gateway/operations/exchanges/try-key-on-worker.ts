import { AppError } from '../../../compute/model/errors.js';
import { tryKeyJob } from '../../../jobs/definitions/try-key.js';
import type { TryKey } from '../../../storage/accounts/user-exchanges.js';
import { listNodes, countWorkers } from '../../../storage/cluster/nodes.js';
import type { Caller, Deps } from '../../context.js';

type TryKeyDeps = Pick<Deps, 'queues' | 'redis' | 'sentKeys'>;

/**
 * Lets a market worker try an API key: only market workers talk to exchanges. The key is sent encrypted, apart from the
 * job, and deleted when the job ends. Throws the error of the trial. Throws `exchange_unavailable` if no market worker is
 * alive, none answers within `limitMs`, the worker can't decrypt the key, or the key was lost.
 */
export const tryKeyOnWorker =
  (
    { queues, redis, sentKeys }: TryKeyDeps,
    { requestId, user, signal, timings }: Caller,
    limitMs = tryKeyJob.timeoutMs,
  ): TryKey =>
  async (exchange, key) => {
    await requireMarketWorker(redis, exchange);
    const { userId } = user!;
    const trial = await sentKeys.send({ userId, exchange }, key, limitMs);
    try {
      const asked = { traceId: requestId, owner: userId, signal, timeoutMs: limitMs };
      const answer = await queues.run(tryKeyJob, trial, asked);
      Object.assign(timings, answer.timings);
      return answer.result;
    } catch (error) {
      throw explain(exchange, error, { limitMs, signal });
    } finally {
      // A key that can't be deleted now expires in Redis.
      await sentKeys.drop(trial).catch(() => undefined);
    }
  };

async function requireMarketWorker(redis: Deps['redis'], exchange: string): Promise<void> {
  if (countWorkers(tryKeyJob.queue, await listNodes(redis)) === 0)
    throw unavailable(exchange, 'no market worker is running; try again in a moment');
}

/** The error of the trial, or why no trial took place, in words for the owner of the key. */
function explain(
  exchange: string,
  error: unknown,
  { limitMs, signal }: { limitMs: number; signal: AbortSignal },
): unknown {
  if (!(error instanceof AppError)) return error;
  // After a Redis restart without its data the job is sent again, but the key is not.
  if (error.code === 'cancelled' && !signal.aborted)
    return unavailable(exchange, 'the key was lost on the way; try again in a moment');
  if (error.code === 'time_limit') return unavailable(exchange, `it took longer than ${limitMs / 1000} s`);
  if (error.code === 'secret_unreadable')
    return unavailable(exchange, 'the gateway and the market worker do not have the same SECRETS_KEY');
  return error;
}

const unavailable = (exchange: string, why: string): AppError =>
  new AppError('exchange_unavailable', `the key could not be tried at ${exchange}: ${why}`);
