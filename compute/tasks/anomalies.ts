import { anomalies as scan, type Anomalies, type AnomaliesParams } from '../market/anomalies.js';
import { defineTask, type MarketQuestion } from '../task.js';

/** Unusual candles across a market. Throws `not_enough_history`. */
export const anomalies = defineTask({
  name: 'anomalies',
  run: (question: MarketQuestion<AnomaliesParams>): Anomalies => scan(question),
});
