import type Joi from 'joi';
import { LRUCache } from 'lru-cache';
import type { Storage } from '../../../storage/index.js';
import { defineOperation } from '../../operation.js';
import { text } from '../output-fields.js';
import { assessRisk, type AssessRiskInput, type AssessRiskOutput } from './assess-risk.js';

interface CalibratedRiskOutput extends AssessRiskOutput {
  calibration: string | null;
}

/** Calibrations change nightly. */
const keptMs = 10 * 60_000;

/** By market and side; an empty line stands for none yet. */
const lines = new LRUCache<string, string>({ max: 100, ttl: keptMs });

/** A risk assessment, and in one line how well its label has foretold adverse moves on this market so far. */
export const calibratedRisk = defineOperation({
  ...assessRisk,
  id: 'calibrated-risk',
  output: (assessRisk.output as unknown as Joi.ObjectSchema<CalibratedRiskOutput>).keys({
    calibration: text(
      'how well the labels of this side have foretold adverse moves, over all assets; null before the first nightly computation',
    ).allow(null),
  }),
  async handle(input, deps, caller) {
    const [{ payload, ttl }, line] = await Promise.all([
      assessRisk.handle(input, deps, caller),
      lineOf(deps.settings.MARKET, input.trade_side, deps.storage),
    ]);
    return { payload: { ...payload, calibration: line || null }, ...(ttl === undefined ? {} : { ttl }) };
  },
});

async function lineOf(
  market: string,
  side: AssessRiskInput['trade_side'],
  { riskCalibrations }: Pick<Storage, 'riskCalibrations'>,
): Promise<string> {
  const key = `${market} ${side}`;
  const known = lines.get(key);
  if (known !== undefined) return known;
  const found = await riskCalibrations.find({ market, pair: null });
  const line = found?.calibration.sides.find((each) => each.side === side)?.line ?? '';
  lines.set(key, line);
  return line;
}
