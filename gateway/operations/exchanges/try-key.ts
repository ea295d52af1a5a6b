import { AppError } from '../../../compute/model/errors.js';
import { tryKeyJob } from '../../../jobs/definitions/try-key.js';
import type { TryKey } from '../../../storage/accounts/user-exchanges.js';
import { listNodes, countWorkers } from '../../../storage/cluster/nodes.js';
import type { Caller, Deps } from '../../context.js';

type Used = Pick<Deps, 'queues' | 'redis' | 'sentKeys'>;

/**
 * Has keys tried by a market worker, which speaks with exchanges for everybody; the gateway never does. The key travels
 * sealed and apart from the job, and is gone when that ends. Throws what the trial throws, and `exchange_unavailable` when
 * nobody is there to try it, nobody has within `limitMs`, who would cannot open it, or the key was lost.
 */
export const tryElsewhere =
  (
    { queues, redis, sentKeys }: Used,
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
      // One that cannot be dropped now goes when its time is over.
      await sentKeys.drop(trial).catch(() => undefined);
    }
  };

async function requireMarketWorker(redis: Deps['redis'], exchange: string): Promise<void> {
  if (countWorkers(tryKeyJob.queue, await listNodes(redis)) === 0)
    throw unavailable(exchange, 'no market worker is there; try again in a moment');
}

/** What the trial threw, or who it is that did not try, in words for the owner of the key. */
function explain(
  exchange: string,
  error: unknown,
  { limitMs, signal }: { limitMs: number; signal: AbortSignal },
): unknown {
  if (!(error instanceof AppError)) return error;
  // A Redis that came back without its data has the question put in again, and not the key.
  if (error.code === 'cancelled' && !signal.aborted)
    return unavailable(exchange, 'it was lost on its way; try again in a moment');
  if (error.code === 'time_limit') return unavailable(exchange, `it took longer than ${limitMs / 1000} s`);
  if (error.code === 'secret_unreadable')
    return unavailable(exchange, 'the gateway and the market worker do not have the same SECRETS_KEY');
  return error;
}

const unavailable = (exchange: string, why: string): AppError =>
  new AppError('exchange_unavailable', `the key could not be tried at ${exchange}: ${why}`);
