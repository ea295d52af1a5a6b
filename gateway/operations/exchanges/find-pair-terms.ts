import { AppError } from '../../../compute/model/errors.js';
import type { PairSymbols } from '../../../compute/model/market-pair.js';
import type { PairTerms } from '../../../compute/model/pair-terms.js';
import type { TradingAccount } from '../../../compute/model/trading-account.js';
import { exchangeRulesJob } from '../../../jobs/definitions/exchange-rules.js';
import { countWorkers, listNodes } from '../../../storage/cluster/nodes.js';
import { paperName } from '../../../storage/exchanges/exchange-names.js';
import { paperPairTerms } from '../../../storage/exchanges/paper/paper-pair-terms.js';
import type { Caller, Deps } from '../../context.js';

/** A pair on an account of an exchange. */
export interface TradedPair {
  exchange: string;
  pair: PairSymbols;
  account: TradingAccount;
}

type AskingCaller = Pick<Caller, 'requestId' | 'address' | 'signal' | 'timings'>;

/**
 * The order rules of a pair. Those of a real exchange are read by a market worker, which alone talks to exchanges, and are
 * kept for an hour. Throws `invalid_input` for what is not traded, and `exchange_unavailable` without an answer.
 */
export async function findPairTerms(
  { exchange, pair, account }: TradedPair,
  { exchanges, queues, redis, settings }: Pick<Deps, 'exchanges' | 'queues' | 'redis' | 'settings'>,
  { requestId, address, signal, timings }: AskingCaller,
): Promise<PairTerms> {
  exchanges.exchanges.requireName(exchange);
  if (exchange === paperName) return paperPairTerms(pair, account, settings.MARKET);
  if (countWorkers(exchangeRulesJob.queue, await listNodes(redis)) === 0)
    throw unavailable(exchange, 'no market worker is running; try again in a moment');
  const asked = { traceId: requestId, owner: address, signal };
  const answer = await queues
    .run(exchangeRulesJob, { exchange, base: pair.base, quote: pair.quote, account }, asked)
    .catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'time_limit')
        throw unavailable(exchange, 'it did not answer in time');
      throw error;
    });
  Object.assign(timings, answer.timings);
  return answer.result;
}

const unavailable = (exchange: string, why: string): AppError =>
  new AppError('exchange_unavailable', `the rules of ${exchange} could not be read: ${why}`);
