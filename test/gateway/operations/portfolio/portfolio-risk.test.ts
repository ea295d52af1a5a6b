import assert from 'node:assert/strict';
import { accountUser, holdPositions } from '../../../support/gateway/account-user.js';
import { signatureOf, testSecret } from '../../../support/gateway/signed.js';
import type { TestAnswer, TestService } from '../../../support/gateway/gateway.js';
import { openTestMarket } from '../../../support/candles/market.js';

const path = '/backend/portfolio/risk';

/** The risk of a book as the public analysis tells it. */
type Risk = Record<string, unknown> & {
  before: { value: number; positions: { asset: string; value: number }[] };
};

describe('the risk of what a user holds', () => {
  let service: TestService;
  before(
    async () =>
      void ({ service } = await openTestMarket({
        env: { PAPER_BALANCE: '1000', AI_API_SECRETS: testSecret },
      })),
  );
  after(() => service.close());

  const analysis = async (
    user: { post: (path: string, body: object) => Promise<TestAnswer> },
    book: object,
  ) => (await user.post('/backend/analysis/portfolio-risk', book)).payload as Risk;

  it('is that of the same book in the analysis, cash and borrowed money included', async () => {
    const user = await accountUser(service);
    await user.give({ BTC: '2', ETH: '5', NEW: '1' });
    const shorted = { base: 'ETH', quantity: '-8', entryValue: '960', margin: '96' };
    await holdPositions(service, user, { account: 'FUTURES', wallet: '500', positions: [shorted] });
    const { status, payload } = await user.post(path);
    assert.equal(status, 200);
    const { labels, leverage, unpriced, notes, source, ...risk } = payload as Risk;
    // 1,000 on SPOT and 500 on FUTURES; the short has brought in 960. NEW has no 1d candle.
    const positions = [
      { asset: 'BTC', quantity: 2 },
      { asset: 'ETH', quantity: -3 },
      { asset: 'USDT', quantity: 2460 },
    ];
    const { tradeMarket, source: same, ...expected } = await analysis(user, { positions });
    assert.deepEqual(risk, expected);
    assert.deepEqual([tradeMarket, same, source, unpriced, notes], ['USDT', 'csv', 'csv', ['NEW'], []]);
    const { before } = expected as Risk;
    const exposure = before.positions
      .filter(({ asset }) => asset !== 'USDT')
      .reduce((sum, { value }) => sum + Math.abs(value), 0);
    const { before: found, after } = leverage as { before: number; after: null };
    assert.ok(Math.abs(found - exposure / before.value) < 1e-9);
    assert.equal(after, null);
    for (const { asset, side, riskProfile } of labels as Record<string, string | null>[]) {
      const asked = `coin=${asset!}&trade_side=${side!}`;
      const target = `/v3/ai/assess_risk?${asked}`;
      const answer = await fetch(service.url + target, { headers: signatureOf({ target }) });
      const single = (await answer.json()) as { riskProfile?: string };
      assert.equal(riskProfile, single.riskProfile ?? null, asked);
    }
    assert.deepEqual(
      (labels as Record<string, string>[]).map(({ asset, account, side }) => [asset, account, side]).sort(),
      [
        ['BTC', 'SPOT', 'long'],
        ['ETH', 'FUTURES', 'short'],
        ['ETH', 'SPOT', 'long'],
        ['NEW', 'SPOT', 'long'],
      ],
    );
  });

  it('shows hypothetical trades before and after', async () => {
    const user = await accountUser(service);
    await user.give({ BTC: '2' });
    const changes = [{ asset: 'ETH', quantityDelta: 3 }];
    const { payload } = await user.post(path, { changes });
    const positions = [
      { asset: 'BTC', quantity: 2 },
      { asset: 'USDT', quantity: 1000 },
    ];
    const { after } = await analysis(user, { positions, changes });
    assert.ok(after);
    assert.deepEqual(payload.after, after);
    assert.ok(payload.leverage.after > payload.leverage.before);
  });

  it('says what hypothetical trades would borrow or sell short', async () => {
    const user = await accountUser(service);
    await user.give({ BTC: '2' });
    const notesOf = async (asset: string, quantityDelta: number) => {
      const { payload } = await user.post(path, { changes: [{ asset, quantityDelta }] });
      return payload.notes as string[];
    };
    assert.deepEqual(await notesOf('BTC', -1.5), []);
    assert.deepEqual(await notesOf('BTC', -3), ['the changes sell 1 BTC short: more than is held']);
    const [borrowed, ...others] = await notesOf('ETH', 1_000);
    assert.match(borrowed, /^the changes borrow \d+(\.\d+)? USDT: the cash does not pay for them$/);
    assert.deepEqual(others, []);
  });

  it('of cash alone is none', async () => {
    const { post } = await accountUser(service);
    const { payload } = await post(path, {});
    assert.deepEqual(
      [payload.before.value, payload.leverage, payload.labels, payload.unpriced],
      [1000, { before: 0, after: null }, [], []],
    );
  });

  it('is that of the user alone', async () => {
    const [owner, other] = [await accountUser(service), await accountUser(service)];
    await owner.give({ BTC: '2' });
    assert.deepEqual((await other.post(path)).payload.labels, []);
    assert.equal((await service.post(path, {})).status, 401);
    const given = await other.post(path, { positions: [{ asset: 'BTC', quantity: 1 }] });
    assert.deepEqual([given.status, given.payload.field], [400, 'positions']);
  });

  for (const changes of [
    [{ asset: 'MOON', quantityDelta: 1 }],
    [{ asset: 'BTC' }],
    [{ asset: 'BTC', quantityDelta: 'one' }],
    Array.from({ length: 21 }, () => ({ asset: 'BTC', quantityDelta: 1 })),
    'all',
  ])
    it(`refuses changes ${JSON.stringify(changes).slice(0, 60)}`, async () => {
      const { post } = await accountUser(service);
      const { status, payload } = await post(path, { changes });
      assert.deepEqual([status, String(payload.field).split('.')[0]], [400, 'changes']);
    });
});
