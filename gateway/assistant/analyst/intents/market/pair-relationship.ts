import type { Answered } from '../../answered.js';
import { writeNumber } from '../../format.js';
import { decidedArgs } from '../../decided-args.js';
import { defineIntent } from '../../intent.js';
import { marketArgs, namedAssets, spannedCandles } from '../../market-args.js';
import { counted } from '../../market-words.js';
import type { Slots } from '../../slots.js';

type Pair = Answered<'pair-relationship'>;

export const pairRelationshipIntent = defineIntent<Pair>({
  name: 'pair-relationship',
  title: 'how two assets relate: beta, lead and lag, ratio, cointegration',
  tool: 'get_pair_relationship',
  phrases: [
    'relationship between {assets}',
    'beta of {assets}',
    'are {assets} cointegrated',
    'does {asset} lead or lag',
    'which leads {assets}',
    'pair trade {assets} on {interval}',
    'ratio of {assets}',
    'hedge ratio for {assets}',
    'beta of {asset} against {asset}',
    'how does {asset} react to moves of {asset}',
    'spread between {assets}',
    'do the prices of {assets} stay together',
    'how sensitive is {asset} to {asset}',
    'half life of the spread of {assets}',
    'how closely does {asset} follow {asset}',
    'do {asset} and {asset} move in lockstep',
    'beta of {asset} to {asset}',
    'does {asset} lead {asset}',
    'how does {asset} relate to {asset}',
    'does {asset} follow {asset}',
    '{asset} versus {asset} ratio',
    'is {asset} cheap against {asset}',
    'how much does {asset} move when {asset} moves',
    'is {asset} lagging {asset}',
    'does {asset} lag behind {asset}',
    'which moves first {asset} or {asset}',
    'how dependent is {asset} on {asset}',
    'can i pair trade {asset} and {asset}',
    'is the spread of {asset} and {asset} stretched',
    'is {asset} rich or cheap relative to {asset}',
    'how much {asset} to hedge {asset}',
    'does {asset} drag {asset} along',
    'if {asset} moves 1% what does {asset} do',
    'when {asset} drops how much does {asset} drop',
    'how does {asset} move with {asset}',
    'does {asset} trail {asset}',
    'r squared of {asset} on {asset}',
    'alpha of {asset} against {asset} over {period}',
    '{asset} and {asset} in depth',
    'rolling correlation of {asset} with {asset} {candles} candle window',
    'rolling correlation of {asset} and {asset}',
    'beta of {asset} to the market',
    'z-score of the {asset} {asset} ratio',
    'how is {asset} related to {asset}',
    'is the {asset} {asset} ratio unusually high',
    'lead and lag of {asset} and {asset}',
    'is {asset} stretched against {asset}',
    'how strongly is {asset} tied to {asset}',
  ],
  assetCount: [0, 2],
  needs: { asset: 'Which asset do you mean? Name one or two.' },
  takes: ['assets', 'interval', 'tradeMarket', 'candles', 'windowHours', 'period', 'isToday'],
  args: (slots) =>
    decidedArgs({
      ...bothOf(slots),
      window: spannedCandles(slots, { least: 30, most: 730 }),
      ...marketArgs(slots),
    }),
  answer: (payload) => {
    const { asset, secondAsset, interval, correlation, count } = payload;
    return {
      lead: `${betaWords(payload)} Their returns have a correlation of ${orUnknown(correlation.correlation)} on ${interval}, over ${counted(count, 'return')}.`,
      figures: [leadWords(payload), togetherWords(payload)],
      caveat:
        payload.gaps > 0
          ? `${counted(payload.gaps, 'return')} ${payload.gaps === 1 ? 'spans' : 'span'} a gap in the candles.`
          : `Beta is an average over that time: ${asset} and ${secondAsset} can part at any moment.`,
    };
  },
});

/** The two assets; one alone is compared with BTC, and BTC with ETH. */
function bothOf(slots: Slots): Record<string, unknown> {
  const [asset, second] = namedAssets(slots);
  return { asset, second_asset: second ?? (asset === 'BTC' ? 'ETH' : 'BTC') };
}

const orUnknown = (value: number | null): string =>
  value === null ? 'an unknown size' : writeNumber(value, 2);

function betaWords({ asset, secondAsset, beta: { beta, betaLow, betaHigh } }: Pair): string {
  if (beta === null) return `The price of ${secondAsset} did not move, so there is no beta.`;
  const range =
    betaLow === null || betaHigh === null
      ? ''
      : ` (interval from ${writeNumber(betaLow, 2)} to ${writeNumber(betaHigh, 2)})`;
  return `${asset} has a beta of ${writeNumber(beta, 2)} to ${secondAsset}${range}.`;
}

function leadWords({ asset, secondAsset, leadLag: { leader, strongestLead, limit } }: Pair): string {
  if (leader === null || !strongestLead) return 'Neither leads the other by more than chance.';
  const [ahead, behind] = leader === 'first' ? [asset, secondAsset] : [secondAsset, asset];
  return `${ahead} leads ${behind} by ${counted(Math.abs(strongestLead.lag), 'candle')}: a correlation of ${orUnknown(strongestLead.correlation)} is beyond the limit of ${orUnknown(limit)}.`;
}

function togetherWords({ cointegration, spread, ratio }: Pair): string {
  const now = `the ratio of their prices is ${writeNumber(ratio.now, 4)}, against a mean of ${writeNumber(ratio.mean, 4)}`;
  if (!cointegration) return `Whether the prices stay together cannot be tested; ${now}.`;
  const p = `p-value ${writeNumber(cointegration.p, 2)}`;
  if (!cointegration.isCointegrated) return `The prices are not shown to stay together (${p}); ${now}.`;
  const half = spread?.halfLifeCandles;
  return `The prices stay together (${p})${half ? `, and half of a spread is gone after ${writeNumber(half, 2)} candles` : ''}; ${now}.`;
}
