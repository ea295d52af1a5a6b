import assert from 'node:assert/strict';
import { ScriptedMarket, type Follower } from '../support/signals/scripted-market.js';

/** The limits of a user who has set nothing. */
const careless = {
  ...{ investPercent: 5, maxExposure: 4, maxTotalExposure: 25, maxDailyLoss: 5, maxSignalsPerDay: 20 },
  ...{ maxSlippagePercent: 0.5, minTurnover: 1_000_000, accounts: ['SPOT'], maxLeverage: 1 },
  ...{ marginTypes: ['ISOLATED'], stopOnExchange: true },
};

const terms = { coin: 'BTC', trade_market: 'USDT', exchange: 'BINANCE', invest: 100, confirm_price: true };
/** Buys at market whatever it costs. */
const greedy = { ...terms, entry_mode: 'market', entry_price_max: '1000', exit_price_1: '2000' };
const over = ['closed', 'cancelled', 'skipped', 'rejected', 'expired'];

describe('a hostile partner and a user who has set nothing', function () {
  this.timeout(240_000);
  let market: ScriptedMarket;
  before(async () => {
    market = await ScriptedMarket.open();
  });
  after(() => market.close());

  const worth = async (follower: Follower, price: number) => {
    const holdings = await market.venue.holdings(follower.userId);
    return holdings
      .filter(({ account }) => account === 'SPOT')
      .reduce((sum, { asset, total }) => sum + Number(total) * (asset === 'USDT' ? 1 : price), 0);
  };

  /** Sends signals at the same moment, and waits until each is bought or refused. */
  async function attack({ partner, userId }: Follower, count: number, body: object): Promise<string[]> {
    await market.tick('100');
    const answers = await Promise.all(
      Array.from({ length: count }, () => partner.ask('POST', '/v2/signal', body)),
    );
    const ids = answers.map(({ payload }) => (payload as { parent_signal_id: string }).parent_signal_id);
    const isDecided = (state: string) => state === 'open' || over.includes(state);
    await until('each is bought or refused', '100', userId, ids, isDecided);
    return ids;
  }

  /** Repeats a price until all signals are so. */
  const until = (
    what: string,
    price: string,
    userId: string,
    ids: readonly string[],
    isSo: (state: string) => boolean,
  ) => market.tickUntil(what, price, async () => (await statesOf(userId, ids)).every(isSo), 60_000);

  async function statesOf(userId: string, ids: readonly string[]): Promise<string[]> {
    const found = await market.service.storage.executionReads.ofUser({ userId, limit: 100 });
    return ids.map((id) => found.find(({ signalId }) => signalId === id)?.status ?? 'queued');
  }

  /** Cancels signals while the price is somewhere else, and waits until all is sold. */
  async function leave({ partner, userId }: Follower, ids: readonly string[], price: string): Promise<void> {
    // A price that is far away counts with the second trade there.
    await market.tick(price);
    await market.tick(price);
    await Promise.all(
      ids.map((id) => partner.ask('DELETE', `/v1/signal/${id}/cancel`, { parent_signal_id: id })),
    );
    await until('all is sold', price, userId, ids, (state) => over.includes(state));
  }

  it('loses at most 5 % in a day to signals without a stop, when the price then falls to nothing', async () => {
    const follower = await market.follower(careless);
    const before = await worth(follower, 100);
    for (let round = 0; round < 3; round++) {
      const ids = await attack(follower, 8, greedy);
      await leave(follower, ids, '5');
    }
    const lost = 1 - (await worth(follower, 5)) / before;
    assert.ok(lost > 0.04 && lost <= 0.05, String(lost));
    const { payload } = await follower.ask('GET', '/backend/signals?limit=100');
    const reasons = (payload.signals as { reason: string | null }[]).map(({ reason }) => reason ?? '');
    assert.ok(
      reasons.some((reason) => reason.includes('down to its stop (all of it, without a stop) beside')),
    );
  });

  it('loses at most 5 % when the price jumps over all stops by a fifth, and their partner has moved them away', async () => {
    const follower = await market.follower(careless);
    const before = await worth(follower, 100);
    const ids = await attack(follower, 8, { ...greedy, stop_loss: '99' });
    const states = await statesOf(follower.userId, ids);
    assert.ok(states.filter((state) => state === 'open').length >= 4, states.join());
    for (const id of ids)
      await follower.partner.ask('PUT', `/v1/signal/${id}/updateprice`, {
        parent_signal_id: id,
        stop_loss: '1',
      });
    await until('the stops have sold', '81', follower.userId, ids, (state) => over.includes(state));
    await leave(follower, await attack(follower, 8, { ...greedy, stop_loss: '99' }), '81');
    const lost = 1 - (await worth(follower, 81)) / before;
    assert.ok(lost > 0.03 && lost <= 0.05, String(lost));
  });

  it('is followed ten times a day at most by signals that are cancelled at once', async () => {
    const follower = await market.follower(careless);
    const before = await worth(follower, 100);
    for (let round = 0; round < 12; round++)
      await leave(follower, await attack(follower, 1, { ...greedy, stop_loss: '99' }), '100');
    const { payload } = await follower.ask('GET', '/backend/signals?limit=100');
    const signals = payload.signals as { status: string; reason: string | null }[];
    const skipped = signals.filter(({ status }) => status === 'skipped');
    assert.equal(skipped.length, 2, JSON.stringify(signals));
    assert.match(skipped[0].reason!, /^20 signals of the partner were followed today/);
    assert.ok(1 - (await worth(follower, 100)) / before < 0.002);
  });
});
