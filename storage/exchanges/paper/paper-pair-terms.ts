import { Decimal } from '../../../compute/model/decimal.js';
import type { PairSymbols } from '../../../compute/model/market-pair.js';
import type { PairTerms } from '../../../compute/model/pair-terms.js';
import type { TradingAccount } from '../../../compute/model/trading-account.js';
import { demoPairRules } from '../../../compute/paper/demo-pair-rules.js';
import { marginTerms } from '../../../compute/paper/margin/margin-terms.js';
import { paperTerms } from '../../../compute/paper/paper-terms.js';
import { paperName } from '../exchange-names.js';
import { notTraded } from '../read-pair-terms.js';
import { isPositionAccount, marginRules } from './margin/margin-states.js';

const hundred = Decimal.parse('100');
/** The largest multiplier that the paper exchange takes; see admit-margin-order.ts. */
const mostLeverage = '125';

/** What the paper exchange requires of orders of a pair. Throws `invalid_input` for one that it does not trade. */
export function paperPairTerms(pair: PairSymbols, account: TradingAccount, market: string): PairTerms {
  const isPosition = isPositionAccount(account);
  const rules = market !== 'demo' ? null : isPosition ? marginRules(pair, account) : demoPairRules(pair);
  if (!rules) throw notTraded(paperName, pair, account);
  return {
    priceTick: String(rules.tickSize),
    quantityStep: String(rules.stepSize),
    minQuantity: String(rules.minQuantity),
    minNotional: String(rules.minNotional),
    maxLeverage: isPosition ? mostLeverage : '1',
    ...paperFees(account),
  };
}

/** What the paper exchange takes of orders on an account, in percent. */
export function paperFees(account: TradingAccount): { makerPercent: string; takerPercent: string } {
  const { makerFee, takerFee } = isPositionAccount(account) ? marginTerms[account] : paperTerms;
  return { makerPercent: String(makerFee.times(hundred)), takerPercent: String(takerFee.times(hundred)) };
}
