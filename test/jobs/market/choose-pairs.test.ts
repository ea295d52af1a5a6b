import assert from 'node:assert/strict';
import type { MarketDataSource, ListedPair } from '../../../storage/exchanges/market-data-source.js';
import { choosePairs } from '../../../jobs/market/choose-pairs.js';
import { pairName, parsePair, readPairChoice } from '../../../compute/model/market-pair.js';

const turnovers: Record<string, number> = {
  'USDC/USDT': 9e9,
  'BTC/USDT': 5e9,
  'OLD/USDT': 4e9,
  'ETH/USDT': 3e9,
  'SOL/USDT': 2e9,
  'ADA/USDT': 1e9,
  'ETH/BTC': 8e9,
};

/** An exchange that lists the pairs above; OLD is not traded any more. */
const source = {
  id: 'anywhere',
  pairs: async (): Promise<ListedPair[]> =>
    Object.keys(turnovers)
      .sort()
      .map((name) => ({ ...parsePair(name)!, active: !name.startsWith('OLD') })),
  turnover: async () => new Map(Object.entries(turnovers)),
} as Partial<MarketDataSource> as MarketDataSource;

const choose = async (choice: string, followed: string[] = []) => {
  const { pairs, active } = await choosePairs(
    source,
    readPairChoice(choice),
    followed.map((name) => parsePair(name)!),
  );
  return { pairs: pairs.map(pairName), active: active.map(pairName) };
};

describe('choosePairs', () => {
  it('takes the pairs with the most turnover against USDT that are traded, without those of pegged currencies', async () => {
    const expected = ['BTC/USDT', 'ETH/USDT', 'SOL/USDT'];
    assert.deepEqual(await choose('3'), { pairs: expected, active: expected });
    assert.equal((await choose('1000')).pairs.length, 4);
  });

  it('keeps pairs that are followed, whatever their rank is now', async () => {
    assert.deepEqual((await choose('2', ['ADA/USDT', 'OLD/USDT'])).pairs, ['ADA/USDT', 'BTC/USDT']);
  });

  it('takes named pairs as they are, and says which of them are traded', async () => {
    assert.deepEqual(await choose('eth/btc, NOPE/USDT,OLD/USDT,ETH/BTC'), {
      pairs: ['ETH/BTC', 'NOPE/USDT', 'OLD/USDT'],
      active: ['ETH/BTC'],
    });
  });

  it('refuses a choice that leaves nothing', async () => {
    await assert.rejects(choose('NOPE/USDT,OLD/USDT'), {
      code: 'invalid_settings',
      message: 'settings: MARKET_PAIRS is "NOPE/USDT, OLD/USDT", found none of them on anywhere',
    });
    const empty = { ...source, pairs: async () => [] };
    await assert.rejects(choosePairs(empty, { most: 5 }, []), {
      code: 'invalid_settings',
      message: 'settings: anywhere trades nothing against USDT; name pairs in MARKET_PAIRS',
    });
  });
});
