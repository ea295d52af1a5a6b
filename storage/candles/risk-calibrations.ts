import type { Collection, Db } from 'mongodb';
import type { RiskCalibration } from '../../compute/model/risk-calibration.js';
import { openCollection } from '../servers/open-collection.js';
import { replaceFenced, type Fenced } from '../servers/fence.js';
import type { Market } from './series.js';

/** How well the risk labels of one pair, or of all pairs of a market, foretold adverse moves. */
export interface StoredRiskCalibration {
  market: Market;
  /** Null: all pairs of the market. */
  pair: { base: string; quote: string } | null;
  /** How many pairs it was computed from. */
  pairs: number;
  computedAt: Date;
  calibration: RiskCalibration;
}

type RiskCalibrationDocument = StoredRiskCalibration & { _id: string } & Fenced;

const idOf = ({ market, pair }: Pick<StoredRiskCalibration, 'market' | 'pair'>) =>
  pair ? `${market}:${pair.base}/${pair.quote}` : market;

/** One calibration for each pair of a market, and one for all of them. */
export class RiskCalibrationRepository {
  readonly #collection: Collection<RiskCalibrationDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'risk_calibrations');
  }

  /** The calibration; null if none was ever computed. */
  async find(key: Pick<StoredRiskCalibration, 'market' | 'pair'>): Promise<StoredRiskCalibration | null> {
    return this.#collection.findOne({ _id: idOf(key) }, { projection: { _id: 0, fence: 0 } });
  }

  /** Stores a calibration. Throws `lease_lost` if a run of its schedule with a higher token has stored it since. */
  async put(calibration: StoredRiskCalibration, token: number): Promise<void> {
    await replaceFenced(this.#collection, { ...calibration, _id: idOf(calibration) }, token);
  }
}
