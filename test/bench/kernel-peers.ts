import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Candles } from '../../compute/model/candles.js';
import { fetchedNpm } from './fetched.js';

/** The kernels of a package by the names they have here, each a call on the same candles. */
export type KernelCalls = Record<string, () => unknown>;

const packages = ['technicalindicators@3.1.0', 'trading-signals@8.3.0', 'talib-web@0.1.3'];

type Calculate = (input: object) => unknown;
type Technical = Record<string, { calculate: Calculate }>;
type Talib = Record<string, Calculate> & { init: () => Promise<unknown> };
interface Stream {
  add(input: unknown): unknown;
}
type Signals = Record<string, new (...params: unknown[]) => Stream>;

/** The npm packages that compute indicators, as makers of calls on given candles, by package name. */
export async function loadKernelPeers(): Promise<Record<string, (candles: Candles) => KernelCalls>> {
  const folder = fetchedNpm('npm', packages);
  const require = createRequire(join(folder, 'package.json'));
  const technical = require('technicalindicators') as Technical;
  const talib = require('talib-web') as Talib;
  const signals = join(folder, 'node_modules/trading-signals/dist/index.js');
  const streams = (await import(pathToFileURL(signals).href)) as Signals;
  // Where there is a `fetch`, as in Node.js since 18, it would fetch its WebAssembly from a web server.
  const { fetch } = globalThis;
  Reflect.deleteProperty(globalThis, 'fetch');
  await talib.init();
  globalThis.fetch = fetch;
  return {
    technicalindicators: (candles) => technicalCalls(technical, candles),
    'trading-signals': (candles) => signalCalls(streams, candles),
    'talib-web': (candles) => talibCalls(talib, candles),
  };
}

/** Plain arrays, which is what these packages take, made before anything is timed. */
function plain({ open, high, low, close, volume }: Candles) {
  const [o, h, l, c, v] = [open, high, low, close, volume].map((column) => Array.from(column));
  return { open: o, high: h, low: l, close: c, volume: v };
}

function technicalCalls(technical: Technical, candles: Candles): KernelCalls {
  const { high, low, close, volume } = plain(candles);
  const call = (name: string, input: object) => () => technical[name].calculate(input);
  const [values, hlc] = [close, { high, low, close }];
  return {
    adx: call('ADX', { ...hlc, period: 14 }),
    atr: call('ATR', { ...hlc, period: 14 }),
    bollinger: call('BollingerBands', { values, period: 20, stdDev: 2 }),
    cci: call('CCI', { ...hlc, period: 20 }),
    ema: call('EMA', { values, period: 20 }),
    ichimoku: call('IchimokuCloud', {
      high,
      low,
      conversionPeriod: 9,
      basePeriod: 26,
      spanPeriod: 52,
      displacement: 26,
    }),
    keltner: call('KeltnerChannels', { ...hlc, maPeriod: 20, atrPeriod: 10, useSMA: false, multiplier: 2 }),
    macd: call('MACD', {
      values,
      fastPeriod: 12,
      slowPeriod: 26,
      signalPeriod: 9,
      SimpleMAOscillator: false,
      SimpleMASignal: false,
    }),
    mfi: call('MFI', { ...hlc, volume, period: 14 }),
    obv: call('OBV', { close, volume }),
    psar: call('PSAR', { high, low, step: 0.02, max: 0.2 }),
    roc: call('ROC', { values, period: 10 }),
    rsi: call('RSI', { values, period: 14 }),
    sma: call('SMA', { values, period: 20 }),
    standard_deviation: call('SD', { values, period: 20 }),
    stoch_rsi: call('StochasticRSI', {
      values,
      rsiPeriod: 14,
      stochasticPeriod: 14,
      kPeriod: 3,
      dPeriod: 3,
    }),
    stochastic: call('Stochastic', { ...hlc, period: 14, signalPeriod: 3 }),
    williams_r: call('WilliamsR', { ...hlc, period: 14 }),
    wma: call('WMA', { values, period: 20 }),
  };
}

function signalCalls(streams: Signals, candles: Candles): KernelCalls {
  const { open, high, low, close, volume } = plain(candles);
  const rows = close.map((price, i) => ({
    open: open[i],
    high: high[i],
    low: low[i],
    close: price,
    volume: volume[i],
  }));
  const follow = (inputs: readonly unknown[], make: () => Stream) => () => {
    const stream = make();
    const values = new Array<unknown>(inputs.length);
    for (let i = 0; i < inputs.length; i++) values[i] = stream.add(inputs[i]);
    return values;
  };
  const ofClose = (name: string, ...params: unknown[]) => follow(close, () => new streams[name](...params));
  const ofRows = (name: string, ...params: unknown[]) => follow(rows, () => new streams[name](...params));
  return {
    adx: ofRows('ADX', 14),
    aroon: ofRows('Aroon', 25),
    atr: ofRows('ATR', 14),
    bollinger: ofClose('BollingerBands', 20, 2),
    cci: ofRows('CCI', 20),
    cmf: ofRows('CMF', 20),
    dema: ofClose('DEMA', 20),
    donchian: ofRows('DonchianChannels', 20),
    ema: ofClose('EMA', 20),
    ichimoku: ofRows('IchimokuCloud'),
    kama: ofClose('KAMA', 10),
    keltner: ofRows('KeltnerChannels', { emaInterval: 20, atrInterval: 10, multiplier: 2 }),
    linear_regression_slope: ofClose('LinearRegression', 14),
    macd: follow(close, () => new streams.MACD(new streams.EMA(12), new streams.EMA(26), new streams.EMA(9))),
    mfi: ofRows('MFI', 14),
    natr: ofRows('NATR', 14),
    obv: ofRows('OBV', 2),
    psar: ofRows('PSAR', { accelerationStep: 0.02, accelerationMax: 0.2 }),
    roc: ofClose('ROC', 10),
    rsi: ofClose('RSI', 14),
    sma: ofClose('SMA', 20),
    stoch_rsi: ofClose('StochasticRSI', 14),
    stochastic: ofRows('StochasticOscillator', { kPeriod: 14, kSlowingPeriod: 3, dPeriod: 3 }),
    supertrend: ofRows('SuperTrend', { interval: 10, multiplier: 3 }),
    tema: ofClose('TEMA', 20),
    williams_r: ofRows('WilliamsR', 14),
    wma: ofClose('WMA', 20),
  };
}

/** Of the 16 MB that talib-web has, never more: five columns of that many candles. */
const talibMost = 400_000;

// OBV is left out: talib-web writes one value past its arrays, and that ends OBV after some fifty calls.
function talibCalls(talib: Talib, candles: Candles): KernelCalls {
  if (candles.close.length > talibMost) return {};
  const { high, low, close, volume } = plain(candles);
  const call = (name: string, input: object) => () => talib[name]({ ...input });
  const of = (name: string, timePeriod: number) => call(name, { inReal: close, timePeriod });
  const ofCandles = (name: string, timePeriod: number) => call(name, { high, low, close, timePeriod });
  const directions = ['ADX', 'PLUS_DI', 'MINUS_DI'].map((name) => ofCandles(name, 14));
  return {
    adx: () => directions.map((direction) => direction()),
    aroon: call('AROON', { high, low, timePeriod: 25 }),
    atr: ofCandles('ATR', 14),
    bollinger: call('BBANDS', { inReal: close, timePeriod: 20, nbDevUp: 2, nbDevDn: 2 }),
    cci: ofCandles('CCI', 20),
    dema: of('DEMA', 20),
    ema: of('EMA', 20),
    kama: of('KAMA', 10),
    linear_regression_slope: of('LINEARREG_SLOPE', 14),
    macd: call('MACD', { inReal: close, fastPeriod: 12, slowPeriod: 26, signalPeriod: 9 }),
    mfi: call('MFI', { high, low, close, volume, timePeriod: 14 }),
    natr: ofCandles('NATR', 14),
    psar: call('SAR', { high, low, acceleration: 0.02, maximum: 0.2 }),
    roc: of('ROC', 10),
    rsi: of('RSI', 14),
    sma: of('SMA', 20),
    standard_deviation: call('STDDEV', { inReal: close, timePeriod: 20, nbDev: 1 }),
    stoch_rsi: call('STOCHRSI', { inReal: close, timePeriod: 14, fastK_Period: 14, fastD_Period: 3 }),
    stochastic: call('STOCH', {
      high,
      low,
      close,
      fastK_Period: 14,
      slowK_Period: 3,
      slowD_Period: 3,
    }),
    tema: of('TEMA', 20),
    williams_r: ofCandles('WILLR', 14),
    wma: of('WMA', 20),
  };
}
