import { tradeMarketField } from '../../../compute/model/asset-fields.js';
import { field } from '../../../compute/model/field.js';
import { riskCalibrationFields } from '../../../compute/model/risk-calibration.js';
import { describedOperation } from './described-operation.js';

const input = {
  asset: field.nullable(field.text('asset symbol; null: all assets of the market', { maxLength: 20 }), {
    default: null,
  }),
  tradeMarket: tradeMarketField,
};

const output = {
  source: field.text('market the candles come from'),
  calibration: field.nullable(
    field.object('labels and what followed them', {
      pairs: field.count('pairs that it was computed from'),
      computedAt: field.text('time of the computation, ISO 8601'),
      ...riskCalibrationFields,
    }),
  ),
  reason: field.nullable(field.text('why there is no calibration; null where there is one')),
};

export const riskCalibration = describedOperation({
  id: 'risk-calibration',
  summary:
    'Whether the labels of assess-risk foretold adverse moves so far: the mean worst move within 24 hours and 7 days by label and side, computed nightly.',
  input,
  output,
  async handle({ asset, tradeMarket }, { storage, settings }) {
    const { MARKET: market } = settings;
    const pair = asset === null ? null : { base: asset, quote: tradeMarket };
    const found = await storage.riskCalibrations.find({ market, pair });
    if (!found) return { payload: { source: market, calibration: null, reason: reasonOf(pair) } };
    const { pairs, computedAt, calibration } = found;
    const payload = { pairs, computedAt: computedAt.toISOString(), ...calibration };
    return { payload: { source: market, calibration: payload, reason: null } };
  },
});

const reasonOf = (pair: { base: string; quote: string } | null): string =>
  `${pair ? `"${pair.base}/${pair.quote}"` : 'the market'} has no calibration yet: it is computed nightly, from pairs with 250 candles of 1h and 24 hours after them`;
