import assert from 'node:assert/strict';
import {
  positionSize,
  calculatePositionSize,
  type PositionParams,
} from '../../../compute/risk/position-size.js';
import { readTailRisk, tailRisk } from '../../../compute/risk/tail-risk.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const params = (more: Partial<PositionParams>): PositionParams => ({
  ...{ accountSize: '1000', riskPercent: '1', entry: '100', stop: '95', side: 'long', leverage: '1' },
  ...{ marginType: 'ISOLATED', feePercent: '0.1', maintenanceMarginPercent: '0.5' },
  ...{ step: '0.001', tick: null, minNotional: null },
  ...more,
});

describe('headlines of risk', () => {
  const words = (more: Partial<PositionParams>) =>
    positionSize.tool!.headline(calculatePositionSize(params(more)));

  it('begin with the size that the account can carry', () => {
    assert.match(
      words({}),
      /^A long of [\d.]+ from 100 with stop 95 loses 9\.99\d+ at the stop, fees included; the stop comes before liquidation\.$/,
    );
    assert.match(
      words({ riskPercent: '90' }),
      /^The account carries a long of 9\.\d+ \(the risk alone would allow 1\d\d[\d.]*\), which loses about [45]\d[\d.]* at the stop 95, from 100/,
    );
  });

  it('name the asset that is given', () => {
    const told = positionSize.tool!.headline(calculatePositionSize(params({})), { asset: 'ETH' });
    assert.match(told, /^A long of [\d.]+ ETH from 100/);
  });

  it('begin with a liquidation before the stop, and name the leverage at which the stop comes first', () => {
    const told = words({ leverage: '50', stop: '90' });
    assert.match(
      told,
      /^A long from 100 is liquidated at 98\.\d+, before its stop 90: take a leverage of 9 at most/,
    );
    assert.match(words({ leverage: '9', stop: '90' }), /the stop comes before liquidation/);
    assert.match(words({ leverage: '10', stop: '90' }), /^A long from 100 is liquidated/);
  });

  it('have the value at risk of one day', () => {
    const candles = randomCandles(400, { stepMs: 86_400_000 });
    const read = readTailRisk([{ asset: 'BTC', tradeMarket: 'USDT', candles }], '1d', {
      weights: { BTC: 1 },
      lookbackDays: 365,
    });
    const [{ losses }] = read.horizons;
    const text = tailRisk.tool!.headline(read);
    assert.match(
      text,
      /^Value at risk of BTC over 1 day: [\d.]+ % at 95 % \(mean loss beyond it [\d.]+ %\), /,
    );
    assert.ok(text.includes(`${Number(losses[0].historical!.varPercent.toPrecision(3))} % at 95 %`), text);
  });
});
