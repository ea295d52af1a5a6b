import type { analyses, AnalysisName } from '../../../compute/analyses.js';
import type { Value } from '../../../compute/model/field.js';
import type { Interval } from '../../../compute/model/interval.js';

/**
 * What the tool of an analysis answers: its output, and which candles it rests on. `asset` and `interval` stand there where
 * the question names them. Moments are ISO 8601 text, although the description of the output has them as numbers.
 */
export type Answered<Name extends AnalysisName> = Value<
  Extract<(typeof analyses)[number], { name: Name }>['output']
> & { asset: string; tradeMarket: string; interval: Interval };
