import Joi from 'joi';
import { exchangeFees } from '../../compute/backtest/exchange-fees.js';
import type { PairTerms } from '../../compute/model/pair-terms.js';
import type { TradingAccount } from '../../compute/model/trading-account.js';
import { readPairTerms } from '../../storage/exchanges/read-pair-terms.js';
import { defineJob, type ExchangeTools } from '../job.js';

/** A pair on an account of an exchange. */
export interface TradedPairJobData {
  /** The name of the exchange in the setting EXCHANGES. */
  exchange: string;
  base: string;
  quote: string;
  account: TradingAccount;
}

/** The pair on an account of an exchange that a market worker is asked about. */
export const tradedPairPayload = Joi.object<TradedPairJobData, true>({
  exchange: Joi.string().required(),
  base: Joi.string().required(),
  quote: Joi.string().required(),
  account: Joi.string().required(),
});

/** Rules change rarely. */
const keptMs = 3_600_000;

/** Reads the order rules of a pair at an exchange. Fees of spot and margin are those of the table that backtests use, if it has them. */
export const exchangeRulesJob = defineJob({
  name: 'exchange-rules',
  queue: 'exchanges',
  timeoutMs: 20_000,
  payload: tradedPairPayload,
  keepMs: () => keptMs,
  async run({ exchange, base, quote, account }, { exchanges }: ExchangeTools): Promise<PairTerms> {
    const terms = await readPairTerms(exchanges, exchange, { base, quote }, account);
    return account === 'FUTURES' ? terms : { ...terms, ...tableFees(exchanges.known.entry(exchange).id) };
  },
});

function tableFees(id: string): Partial<PairTerms> {
  const fees = Object.entries(exchangeFees).find(([name]) => name === id.toUpperCase())?.[1];
  if (!fees) return {};
  return { makerPercent: String(fees.makerPercent), takerPercent: String(fees.takerPercent) };
}
