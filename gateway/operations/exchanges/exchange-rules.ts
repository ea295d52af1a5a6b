import { assetField, tradeMarketField } from '../../../compute/model/asset-fields.js';
import { field } from '../../../compute/model/field.js';
import { pairTermsFields, type PairTerms } from '../../../compute/model/pair-terms.js';
import { tradingAccounts, type TradingAccount } from '../../../compute/model/trading-account.js';
import { describedOperation } from '../analysis/described-operation.js';
import { AppError } from '../../../compute/model/errors.js';
import type { PairSymbols } from '../../../compute/model/market-pair.js';
import { exchangeRulesJob, type TradedPairJobData } from '../../../jobs/definitions/exchange-rules.js';
import { lastPriceJob } from '../../../jobs/definitions/last-price.js';
import type { ExchangeTools, Job } from '../../../jobs/job.js';
import { countWorkers, listNodes } from '../../../storage/cluster/nodes.js';
import { paperName } from '../../../storage/exchanges/exchange-names.js';
import { paperPairTerms } from '../../../storage/exchanges/paper/paper-pair-terms.js';
import type { Caller, Deps } from '../../context.js';

/** A pair on an account of an exchange. */
interface TradedPair {
  exchange: string;
  pair: PairSymbols;
  account: TradingAccount;
}

/** Who asks an exchange. */
export type AskingCaller = Pick<Caller, 'requestId' | 'address' | 'signal' | 'timings'>;

/**
 * The order rules of a pair. Those of a real exchange are read by a market worker, which alone talks to exchanges, and are
 * kept for an hour. Throws `invalid_input` for what is not traded, and `exchange_unavailable` without an answer.
 */
export async function findPairTerms(
  traded: TradedPair,
  deps: AskingDeps & Pick<Deps, 'exchanges' | 'settings'>,
  caller: AskingCaller,
): Promise<PairTerms> {
  const { exchange, pair, account } = traded;
  deps.exchanges.exchanges.requireName(exchange);
  if (exchange === paperName) return paperPairTerms(pair, account, deps.settings.MARKET);
  return askWorker(exchangeRulesJob, traded, deps, caller);
}

/** The last price of a pair at a real exchange, read at once by a market worker; null where the exchange tells none. Throws as `findPairTerms`. */
export const findLastPrice = (
  traded: TradedPair,
  deps: AskingDeps,
  caller: AskingCaller,
): Promise<number | null> => askWorker(lastPriceJob, traded, deps, caller);

type AskingDeps = Pick<Deps, 'queues' | 'redis'>;

async function askWorker<Result>(
  job: Job<string, TradedPairJobData, Result, ExchangeTools>,
  { exchange, pair, account }: TradedPair,
  { queues, redis }: AskingDeps,
  { requestId, address, signal, timings }: AskingCaller,
): Promise<Result> {
  if (countWorkers(job.queue, await listNodes(redis)) === 0)
    throw unavailable(exchange, 'no market worker is running; try again in a moment');
  const asked = { traceId: requestId, owner: address, signal };
  const answer = await queues
    .run(job, { exchange, base: pair.base, quote: pair.quote, account }, asked)
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

const about = {
  exchange: field.text('name of the exchange, as supported-exchanges lists it', {
    maxLength: 20,
    means: 'exchange',
    example: 'BINANCE',
  }),
  asset: assetField,
  tradeMarket: tradeMarketField,
  account: field.choice('account that trades', tradingAccounts, { default: 'SPOT' }),
};

export const exchangeRules = describedOperation({
  id: 'exchange-rules',
  summary:
    'What an exchange requires of the orders of a pair: price tick, quantity step, least value, largest leverage and fees.',
  input: about,
  output: { ...about, ...pairTermsFields },
  errors: ['exchange_unavailable'],
  async handle(input, deps, caller) {
    const { exchange, asset, tradeMarket, account } = input;
    const pair = { base: asset, quote: tradeMarket };
    return { payload: { ...input, ...(await findPairTerms({ exchange, pair, account }, deps, caller)) } };
  },
});
