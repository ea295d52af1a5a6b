import assert from 'node:assert/strict';
import { callArgs } from '../../../../gateway/assistant/analyst/call-args.js';
import { intents } from '../../../../gateway/assistant/analyst/intents.js';
import type { Slots } from '../../../../gateway/assistant/analyst/slots.js';
import { catalogue } from '../../../../gateway/mcp/catalogue.js';

/** A value of every slot that a question can name. */
const all: Required<Slots> = {
  ...{
    asset: 'BTC',
    assets: ['BTC', 'ETH'],
    tradeMarket: 'USDT',
    interval: '4h',
    period: '6M',
    side: 'long',
  },
  ...{ state: 'accumulate', amount: 1_000, percent: 1, entry: 100, stop: 90, target: 120, price: 100 },
  ...{
    leverage: 2,
    count: 5,
    date: '2026-01-01',
    exchange: 'BINANCE',
    channel: 'Alpha',
    strategy: 'ema_cross',
  },
  ...{ indicator: 'rsi', indicators: ['rsi'], windowHours: 3_000, every: 'week', weights: { BTC: 100 } },
  ...{ conditions: [{ left: 'rsi_14', op: '<', right: '30' }], prices: [100, 90], multipliers: [2] },
  ...{ targets: [120, 130], entryTo: 102 },
  ...{ signal: { coin: 'BTC' }, candles: 30, indicatorPeriod: 14, params: { fast: 5 } },
  ...{ changes: [{ asset: 'BTC', quantity: 1 }], join: 'or', by: 'hour', rankBy: 'loss', groupBy: 'day' },
  ...{ riskStyle: 'tight', marginType: 'CROSS', account: 'FUTURES', status: 'open', isAllTime: true },
  ...{ isToday: false, id: 'a1', term: 'flip', backtestId: 'b2', strategies: ['ema_cross', 'macd_cross'] },
  ...{ feePercent: 0.2, slippagePercent: 0.1, minZ: 4, leastCount: 50, leastAmount: 10, scanSort: 'volume' },
  ...{ sortBy: 'rsi_14', seed: 42, version: 'v1', trainRatio: 0.8, since: '2026-01-01' },
  hours: { start: '2026-01-01T12:00:00.000Z', end: '2026-01-01T13:00:00.000Z', isWhole: true },
  leaderboardRank: 'sharpe',
};

/** Arguments that no question fills, and why. */
const unfilled: Readonly<Record<string, string>> = {
  cursor: 'a further page is asked for as a larger number of rows',
};

/** The names of the arguments that the intents of a tool can fill. */
function filledBy(tool: string): Set<string> {
  const withoutSpan: Slots = Object.fromEntries(
    Object.entries(all).filter(([slot]) => slot !== 'windowHours'),
  );
  const samples: Slots[] = [all, withoutSpan];
  const made = intents
    .filter((intent) => intent.tool === tool)
    .flatMap((intent) => samples.map((slots) => callArgs(intent, slots)));
  return new Set(
    made.flatMap((args) =>
      Object.entries(args).flatMap(([name, value]) => (value === undefined ? [] : [name])),
    ),
  );
}

describe('the arguments of the tools', () => {
  const asked = catalogue.filter(({ name }) => intents.some(({ tool }) => tool === name));

  it('can all be named in a question, but for those with a reason', () => {
    const open = asked.flatMap(({ name, inputSchema }) => {
      const filled = filledBy(name);
      return Object.keys(inputSchema.properties ?? {})
        .filter((argument) => !filled.has(argument) && !(argument in unfilled))
        .map((argument) => `${name}.${argument}`);
    });
    assert.deepEqual(open, []);
  });

  it('belong to an intent each, but for the assistant itself', () => {
    const others = catalogue.filter((listing) => !asked.includes(listing)).map(({ name }) => name);
    assert.deepEqual(others.sort(), ['ask_assistant', 'ask_guest_assistant']);
  });

  it('stay without a value only for a reason that holds', () => {
    const needless = Object.keys(unfilled).filter((argument) =>
      asked.every(({ name }) => filledBy(name).has(argument)),
    );
    assert.deepEqual(needless, []);
  });
});
