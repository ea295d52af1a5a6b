import { field, type Value } from '../model/field.js';
import { formatNumber } from '../model/format-number.js';
import { standings, type Direction, type Standing } from '../model/standing.js';
import { standingOf } from '../risk/cross.js';
import type { MomentumReport, OscillatorZone } from './momentum.js';
import type { TrendReport } from './trend.js';
import type { VolatilityReport } from './volatility.js';
import type { VolumeReport } from './volume.js';

export const voteGroups = ['trend', 'momentum', 'volatility', 'volume'] as const;

export type VoteGroup = (typeof voteGroups)[number];

export const voteField = field.object('what one indicator says about the direction', {
  group: field.choice('group of the indicator', voteGroups),
  indicator: field.text('name of the indicator'),
  vote: field.choice('the vote', standings),
  value: field.nullable(
    field.union<number | string>(
      'what was read; null where the indicator has no value yet',
      field.number('a number'),
      field.text('a word'),
    ),
  ),
  reason: field.text('the rule and the numbers of the vote, in words'),
});

export type Vote = Value<typeof voteField>;

/** The four readings of one pair at one candle. */
export interface TechnicalReadings {
  trend: TrendReport;
  momentum: MomentumReport;
  volatility: VolatilityReport;
  volume: VolumeReport;
}

/** Below this ADX a direction is no trend. */
const weakAdx = 20;

/** A close within this many ATR of a volume-weighted average counts as at it. */
const atAverage = 0.25;

type Cast = Omit<Vote, 'group'>;

/**
 * The votes of all indicators. A trend indicator votes with its side; ADX below 20 is neutral. An oscillator votes with
 * its move; overbought or oversold is neutral, because it is late to follow. A band votes with the half in which the
 * close is; beyond its edges it is neutral. Volume votes with the side that has more of it.
 */
export function castVotes({ trend, momentum, volatility, volume }: TechnicalReadings): Vote[] {
  const inGroup = (group: VoteGroup, votes: Cast[]) => votes.map((vote) => ({ group, ...vote }));
  return [
    ...inGroup('trend', trendVotes(trend)),
    ...inGroup('momentum', momentumVotes(momentum)),
    ...inGroup('volatility', volatilityVotes(volatility)),
    ...inGroup('volume', volumeVotes(volume, volatility.atr.value)),
  ];
}

const standingOfDirection = { up: 'bullish', down: 'bearish', neutral: 'neutral' } as const;

const cast = (indicator: string, vote: Standing, value: Vote['value'], reason: string): Cast => ({
  indicator,
  vote,
  value,
  reason,
});

/** A number for a reason, with four significant digits. */
const words = (value: number): string => formatNumber(value, 4);

function trendVotes({ adx, psar, supertrend, ichimoku, movingAverages, price }: TrendReport): Cast[] {
  const { cloud } = ichimoku;
  const direction = adx.value < weakAdx ? 'neutral' : standingOfDirection[adx.trendDirection];
  const order = movingAverages.order === 'mixed' ? 'neutral' : movingAverages.order;
  const { bullishPairs, bearishPairs, longTerm } = movingAverages;
  const known = movingAverages.lines.filter(({ value }) => value !== null).length;
  const stop = (side: Direction, value: number) =>
    `the close, ${words(price)}, is ${side === 'up' ? 'above' : 'not above'} the stop at ${words(value)}`;
  return [
    cast(
      'adx',
      direction,
      adx.value,
      `ADX ${words(adx.value)} is ${adx.trendStrength}; +DI ${words(adx.pdi)} against -DI ${words(adx.mdi)}`,
    ),
    cast('psar', standingOfDirection[psar.value], psar.stop, stop(psar.value, psar.stop)),
    cast(
      'supertrend',
      standingOfDirection[supertrend.value],
      supertrend.stop,
      stop(supertrend.value, supertrend.stop),
    ),
    cast(
      'ichimoku',
      cloudVote(cloud?.position ?? 'inside', ichimoku.value),
      cloud?.position ?? null,
      cloud
        ? `the close is ${cloud.position} the cloud, tenkan against kijun is ${ichimoku.value}`
        : 'there is no cloud before 78 candles',
    ),
    cast(
      'moving_average_order',
      order,
      movingAverages.order,
      `of ${known - 1} neighbours among the averages ${bullishPairs} stand in bullish and ${bearishPairs} in bearish order`,
    ),
    cast(
      'sma_50_200',
      longTerm ?? 'neutral',
      longTerm,
      longTerm ? `the 50 against the 200 is ${longTerm}` : 'there is no average of 200 candles yet',
    ),
  ];
}

/** The side of the cloud; neutral inside it, or where tenkan and kijun say the opposite. */
function cloudVote(position: 'above' | 'inside' | 'below', lines: Standing): Standing {
  if (position === 'inside') return 'neutral';
  const side = position === 'above' ? 'bullish' : 'bearish';
  return lines === side || lines === 'neutral' ? side : 'neutral';
}

function momentumVotes({ rsi, macd, stochastic, cci }: MomentumReport): Cast[] {
  const strength = rsi.results.rsi;
  const sides = new Set([standingOf(strength, 50), rsi.value]);
  const move = sides.size === 1 ? rsi.value : 'neutral';
  return [
    oscillatorVote(
      'rsi',
      rsi,
      move,
      strength,
      `RSI ${words(strength)} against 50 and its average ${words(rsi.results.rsiMovingAvg)}`,
    ),
    cast(
      'macd',
      macd.value,
      macd.results.MACD,
      `MACD ${words(macd.results.MACD)} against its signal line ${words(macd.results.signalValue)}`,
    ),
    oscillatorVote(
      'stochastic',
      stochastic,
      stochastic.value,
      stochastic.results.k,
      `%K ${words(stochastic.results.k)} against %D ${words(stochastic.results.d)}`,
    ),
    oscillatorVote('cci', cci, cci.value, cci.results.cci, `CCI ${words(cci.results.cci)} against 0`),
  ];
}

function oscillatorVote(
  indicator: string,
  { zone }: { zone: OscillatorZone },
  move: Standing,
  value: number,
  reason: string,
): Cast {
  if (zone === 'neutral') return cast(indicator, move, value, reason);
  return cast(indicator, 'neutral', value, `${reason}: ${zone}, so late to follow`);
}

function volatilityVotes({ bollinger, keltner, price }: VolatilityReport): Cast[] {
  const bandVote = (name: string, { upper, middle, lower }: typeof keltner) => {
    const isBeyond = price > upper || price < lower;
    const side = standingOf(price, middle);
    const half = `the close, ${words(price)}, against the middle at ${words(middle)} is ${side}`;
    const reason = isBeyond ? `the close, ${words(price)}, lies beyond the band: stretched` : half;
    return cast(name, isBeyond ? 'neutral' : side, price, reason);
  };
  return [bandVote('bollinger', bollinger), bandVote('keltner', keltner)];
}

const flowStandings = { rising: 'bullish', falling: 'bearish', flat: 'neutral' } as const;

function volumeVotes({ obv, mfi, vwap, volumeSpread, price }: VolumeReport, atr: number): Cast[] {
  const { rolling } = vwap;
  const away = rolling ? price - rolling.value : 0;
  const side = Math.abs(away) <= atAverage * atr ? 'neutral' : standingOf(away, 0);
  const flow = mfi.value === null ? 'neutral' : standingOf(mfi.value, 50);
  const spread = { buying: 'bullish', selling: 'bearish' } as const;
  const { momentum } = volumeSpread;
  return [
    cast(
      'obv',
      flowStandings[obv.direction],
      obv.slope,
      obv.slope === null
        ? 'there is no volume'
        : `on balance volume moves by ${words(obv.slope)} of a usual candle's volume per candle`,
    ),
    cast(
      'mfi',
      mfi.zone === 'neutral' ? flow : 'neutral',
      mfi.value,
      mfi.value === null ? 'no volume has moved price' : `MFI ${words(mfi.value)} against 50, ${mfi.zone}`,
    ),
    cast(
      'vwap',
      side,
      rolling?.value ?? null,
      rolling
        ? `the close is ${words(atr > 0 ? away / atr : 0)} ATR from the average by volume, ${words(rolling.value)}`
        : 'there is no average by volume',
    ),
    cast(
      'volume_spread',
      momentum === 'buying' || momentum === 'selling' ? spread[momentum] : 'neutral',
      momentum,
      `the last candle is ${volumeSpread.spreadValue}, its volume ${volumeSpread.volumeValue}: ${momentum}`,
    ),
  ];
}
