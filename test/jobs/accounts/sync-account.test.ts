import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Decimal } from '../../../compute/model/decimal.js';
import type { Fill } from '../../../compute/model/holding.js';
import { newAccount, type Account } from '../../../storage/accounts/accounts.js';
import type { Balance, ExchangeAccount, FillPage } from '../../../storage/exchanges/exchange-account.js';
import { syncAccount } from '../../../jobs/accounts/sync-account.js';
import type { PairSymbols } from '../../../compute/model/market-pair.js';

const decimal = (value: number | string) => Decimal.parse(String(value));

interface Trade {
  asset: string;
  side: 'buy' | 'sell';
  quantity: number;
  price: number;
}

/** An account that goes on trading while it is read: before each answer a few of the trades to come happen. */
class BusyAccount implements ExchangeAccount {
  readonly done: Trade[] = [];
  readonly #toCome: Trade[];
  readonly #pace: number[];
  asked = 0;

  constructor(trades: readonly Trade[], pace: readonly number[]) {
    this.#toCome = [...trades];
    this.#pace = [...pace];
  }

  get isOver(): boolean {
    return this.#toCome.length === 0;
  }

  async balances(): Promise<Balance[]> {
    this.#goOn();
    return this.assets()
      .map((asset) => ({ asset, quantity: decimal(this.quantityOf(asset)) }))
      .filter(({ quantity }) => quantity.sign > 0);
  }

  async fills({ base }: PairSymbols, cursor: string | null): Promise<FillPage> {
    this.#goOn();
    const from = Number(cursor ?? 0);
    const fills = this.done.flatMap(({ asset, side, quantity, price }, n): Fill[] => {
      const fill = {
        side,
        quantity: decimal(quantity),
        price: decimal(price),
        baseFee: Decimal.zero,
        quoteFee: Decimal.zero,
      };
      return asset === base && n >= from ? [fill] : [];
    });
    return { fills, cursor: String(this.done.length) };
  }

  assets = (): string[] => [...new Set(this.done.map(({ asset }) => asset))];

  quantityOf(of: string): number {
    return this.done
      .filter(({ asset }) => asset === of)
      .reduce((sum, { side, quantity }) => sum + (side === 'buy' ? quantity : -quantity), 0);
  }

  #goOn(): void {
    this.asked++;
    this.done.push(...this.#toCome.splice(0, this.#pace.shift() ?? (this.asked % 3 === 0 ? 1 : 0)));
  }
}

/** The cost of what is held, by hand. */
function averageCost(trades: readonly Trade[]): number {
  let [quantity, cost] = [0, 0];
  for (const trade of trades) {
    if (trade.side === 'buy') {
      quantity += trade.quantity;
      cost += trade.quantity * trade.price;
    } else {
      cost *= (quantity - trade.quantity) / quantity;
      quantity -= trade.quantity;
    }
  }
  return cost;
}

/** Trades in whole quantities that never sell more than there is. */
const arbitraryTrades = fc
  .array(
    fc.record({
      asset: fc.constantFrom('BTC', 'ETH', 'SOL'),
      isBuy: fc.boolean(),
      quantity: fc.integer({ min: 1, max: 4 }),
      price: fc.integer({ min: 1, max: 1_000 }),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((rows) => {
    const held = new Map<string, number>();
    return rows.map(({ asset, isBuy, quantity, price }): Trade => {
      const has = held.get(asset) ?? 0;
      const side = isBuy || has < quantity ? 'buy' : 'sell';
      held.set(asset, side === 'buy' ? has + quantity : has - quantity);
      return { asset, side, quantity, price };
    });
  });

describe('syncAccount', () => {
  const pricesOf = async (assets: readonly string[]) => new Map(assets.map((asset) => [asset, decimal(77)]));
  let visits = 0;
  const visit = async (account: Account, opened: ExchangeAccount) => {
    const { isWhole, ...read } = await syncAccount(account, opened, { pricesOf, nowMs: ++visits });
    return { account: { ...account, ...read }, isWhole };
  };

  it('has the average cost of every asset, whatever is traded while it reads', async () => {
    const pace = fc.array(fc.nat(3), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(arbitraryTrades, pace, async (trades, steps) => {
        const opened = new BusyAccount(trades, steps);
        let account = newAccount('ada', 'BINANCE', 0);
        // Trades that cancel out are found when their asset's turn comes: there are three.
        for (let quiet = 0, n = 0; quiet < 4; n++) {
          assert.ok(n < 500);
          const read = await visit(account, opened);
          account = read.account;
          quiet = opened.isOver && read.isWhole ? quiet + 1 : 0;
        }
        const expected = opened
          .assets()
          .filter((asset) => opened.quantityOf(asset) > 0)
          .sort();
        assert.deepEqual(
          account.holdings.map(({ asset, quantity, basis }) => [asset, Number(quantity), basis]),
          expected.map((asset) => [asset, opened.quantityOf(asset), 'average']),
        );
        for (const { asset, cost } of account.holdings) {
          const by = averageCost(trades.filter((trade) => trade.asset === asset));
          assert.ok(Math.abs(Number(cost) - by) <= 1e-9 * by, `${asset}: ${cost} for ${by}`);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('reads the fills of twenty assets per visit and keeps the known holdings of the others until their visit', async () => {
    const trades = Array.from({ length: 45 }, (_, n): Trade => ({
      asset: `T${n}`,
      side: 'buy',
      quantity: 1,
      price: 5,
    }));
    const opened = new BusyAccount(trades, [45]);
    const first = await visit(newAccount('ada', 'BINANCE', 0), opened);
    assert.deepEqual([first.isWhole, first.account.holdings.length], [false, 45]);
    assert.equal(first.account.holdings.filter(({ cost }) => cost === '5').length, 20);
    assert.equal(first.account.holdings.filter(({ cost }) => cost === null).length, 25);
    const second = await visit(first.account, opened);
    const third = await visit(second.account, opened);
    assert.deepEqual([second.isWhole, third.isWhole], [false, true]);
    assert.ok(third.account.holdings.every(({ cost, basis }) => cost === '5' && basis === 'average'));
    const asked = opened.asked;
    await visit(third.account, opened);
    assert.ok(opened.asked - asked <= 4, `${opened.asked - asked} questions where nothing has changed`);
  });

  it('leaves further assets for the next visit once it is late, and reads at least one in each', async () => {
    const trades = ['A', 'B', 'C'].map((asset): Trade => ({ asset, side: 'buy', quantity: 1, price: 5 }));
    const opened = new BusyAccount(trades, [3]);
    let account = newAccount('ada', 'BINANCE', 0);
    for (const known of [1, 2, 3]) {
      const asked = opened.asked;
      const options = { pricesOf, nowMs: ++visits, isLate: () => true };
      const { isWhole, ...read } = await syncAccount(account, opened, options);
      account = { ...account, ...read };
      assert.deepEqual(
        [isWhole, account.holdings.filter(({ cost }) => cost === '5').length],
        [known === 3, known],
      );
      // The balances before and after, the fills, and whether there were more meanwhile.
      assert.equal(opened.asked - asked, 4);
    }
  });
});
