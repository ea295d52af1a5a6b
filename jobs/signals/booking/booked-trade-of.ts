import type { ValuedFee } from '../../../compute/ledger/realised-profits.js';
import { tradeResult, type ClosedTrade } from '../../../compute/ledger/trade-result.js';
import type { BookedTrade } from '../../../storage/ledger/booked-trade.js';
import type { StoredExecution } from '../../../storage/signals/stored-execution.js';

/** The result of an execution, as it is stored. */
export function bookedTradeOf(execution: StoredExecution, trade: ClosedTrade): BookedTrade {
  const { id, userId, signalId, partnerId, channelId, exchange, status, reason, revision } = execution;
  const {
    profit,
    days,
    funding,
    payments,
    fees,
    entered,
    exited,
    averageEntry,
    averageExit,
    invested,
    left,
    ...figures
  } = tradeResult(trade);
  const { openedAt, closedAt, ...statistics } = figures;
  return {
    id,
    userId,
    signalId,
    partnerId,
    channelId,
    exchange,
    status,
    reason,
    revision,
    asset: trade.base,
    tradeMarket: trade.quote,
    side: trade.side,
    leverage: trade.leverage,
    profit: profit.toString(),
    days: days.map(({ day, profit: earned }) => ({ day, profit: earned.toString() })),
    ...(funding.sign !== 0 && { funding: funding.toString() }),
    ...(payments.length > 0 && {
      payments: payments.map(({ id: key, asset, amount, value, at }) => ({
        id: key,
        asset,
        amount: amount.toString(),
        value: value.toString(),
        at: new Date(at),
      })),
    }),
    fees: fees.map(({ asset, amount, value }) => ({
      asset,
      amount: amount.toString(),
      value: value?.toString() ?? null,
    })),
    entered: entered.toString(),
    exited: exited.toString(),
    averageEntry: averageEntry?.toString() ?? null,
    averageExit: averageExit?.toString() ?? null,
    invested: invested.toString(),
    costPercent: costPercentOf(execution, fees),
    ...statistics,
    left: left.toString(),
    openedAt: new Date(openedAt),
    closedAt: new Date(closedAt),
  };
}

/** The fees in percent of the free balance of the user in the quote asset when the signal was delivered. */
function costPercentOf({ state, investPercent }: StoredExecution, fees: readonly ValuedFee[]): number | null {
  const capital = (Number(state?.invested ?? 0) * 100) / Number(investPercent);
  const paid = fees.reduce((sum, { value }) => sum + Number(value?.toString() ?? 0), 0);
  return capital > 0 ? (100 * paid) / capital : null;
}
