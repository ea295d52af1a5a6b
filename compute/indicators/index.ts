import { adx } from './adx.js';
import { aroon } from './aroon.js';
import { atr } from './atr.js';
import { bollinger } from './bollinger.js';
import { cci } from './cci.js';
import { cmf } from './cmf.js';
import { dema } from './dema.js';
import { donchian } from './donchian.js';
import { ema } from './ema.js';
import { ichimoku } from './ichimoku.js';
import { kama } from './kama.js';
import { keltner } from './keltner.js';
import { linearRegressionSlope } from './linear-regression-slope.js';
import { macd } from './macd.js';
import { mfi } from './mfi.js';
import { natr } from './natr.js';
import { obv } from './obv.js';
import { psar } from './psar.js';
import { roc } from './roc.js';
import { rollingVwap } from './rolling-vwap.js';
import { rsi } from './rsi.js';
import { sessionVwap } from './session-vwap.js';
import { sma } from './sma.js';
import { standardDeviationIndicator } from './standard-deviation.js';
import { stochRsi } from './stoch-rsi.js';
import { stochastic } from './stochastic.js';
import { supertrend } from './supertrend.js';
import { tema } from './tema.js';
import { volumeSma } from './volume-sma.js';
import { williamsR } from './williams-r.js';
import { wma } from './wma.js';

/** Every indicator, in alphabetical order of the names. */
export const indicators = [
  adx,
  aroon,
  atr,
  bollinger,
  cci,
  cmf,
  dema,
  donchian,
  ema,
  ichimoku,
  kama,
  keltner,
  linearRegressionSlope,
  macd,
  mfi,
  natr,
  obv,
  psar,
  roc,
  rollingVwap,
  rsi,
  sessionVwap,
  sma,
  standardDeviationIndicator,
  stochRsi,
  stochastic,
  supertrend,
  tema,
  volumeSma,
  williamsR,
  wma,
] as const;
