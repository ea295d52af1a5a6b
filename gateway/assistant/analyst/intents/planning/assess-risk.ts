import type { calibratedRisk } from '../../../../operations/analysis/calibrated-risk.js';
import { decidedArgs } from '../../decided-args.js';
import { writeNumber } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { joined, sentence } from '../../market-words.js';
import type { OutputOf } from '../../output-of.js';

type RiskAnswer = OutputOf<typeof calibratedRisk>;

const labels = { tooRisky: 'too risky', moderate: 'of moderate risk', low: 'of low risk' } as const;

export const assessRiskIntent = defineIntent<RiskAnswer>({
  name: 'assess-risk',
  title: 'how risky a long or a short in an asset is now, and why',
  tool: 'assess_risk',
  phrases: [
    'how risky is {asset} right now',
    'is a {side} on {asset} too risky',
    'risk check for going {side} on {asset}',
    'assess the risk of {asset}',
    'what speaks against a {side} in {asset}',
    'is it dangerous to enter {asset} here',
    '{asset} {side} risk label',
    'how safe is it to trade {asset} today',
    'give me a risk assessment of {asset}',
    'how much risk is in a {asset} {side}',
    'would a {side} in {asset} be reckless at the moment',
    'risk profile {asset}',
    'is now a risky time for {asset}',
    'how dicey is {asset}',
    'can i get burned with a {side} on {asset}',
    'what could go wrong with a {side} on {asset}',
    'warning signs on {asset}',
    'red flags for a {side} on {asset}',
    'how dangerous is a {side} in {asset}',
    'is {asset} safe',
    'what is the risk of a {side} on {asset}',
    'am i crazy to {side} {asset} now',
    'risk level of {asset}',
    'how sketchy is {asset} right now',
    'pros and cons of a {side} in {asset}',
    'is it risky to be {side} {asset} here',
    'is a {side} in {asset} safe',
    'what are the reasons against going {side} {asset}',
    'would going {side} on {asset} be risky',
    'technical risk for {asset}',
    'risk of {asset} {side} side',
    'evaluate the risk of a {side} position in {asset}',
    'how risky is {side} {asset} at this point',
    'give me a risk label for {asset}',
    'is {asset} too risky right now',
    'how much risk is there in {asset} today',
    'is it risky to trade {asset}',
    'would you call a {side} on {asset} risky',
    'what speaks against a {side} on {asset}',
    'how risky is it to buy {asset}',
  ],
  needs: { asset: 'Which asset do you mean?' },
  takes: ['side', 'tradeMarket'],
  args: ({ asset, side, tradeMarket }) =>
    decidedArgs({ coin: asset, trade_side: side, trade_market: tradeMarket }),
  answer: ({ riskProfile, score, reasons, adx, calibration }, { asset, side }) => ({
    lead: `A ${side ?? 'long'} in ${asset} is ${labels[riskProfile]} now: ${opposed(score)}.`,
    figures: [
      againstIt(reasons),
      `The ADX is ${writeNumber(adx.value)}, which means ${trendWords(adx.trendStrength, adx.trendDirection)}.`,
    ],
    caveat:
      calibration ??
      'The label counts hourly readings against the trade; it does not know your stop or size.',
    ...(side === undefined ? { next: `Ask for the short to see the other side.` } : {}),
  }),
});

const opposed = (score: number): string =>
  score === 0 ? 'no reading speaks against it' : `its risk score is ${writeNumber(score)}`;

/** What each rule of the score found, in words. */
const rules: Readonly<Record<string, string>> = {
  'adx.against': 'a strong trend the other way',
  'adx.weak': 'no clear trend',
  psar: 'the parabolic stop on the wrong side',
  'btc.psar': 'BTC moving the other way',
  'rsi.extreme': 'an overextended RSI',
  rsiCross: 'the RSI against its average',
  macdCross: 'the MACD against its signal line',
  emaCross: 'the moving averages in the wrong order',
  relativeVolume: 'little volume',
  atrPercent: 'larger moves than usual',
  candlestick: 'an opposing candlestick pattern',
  dayOfWeek: 'the weekend',
};

function againstIt(reasons: RiskAnswer['reasons']): string {
  const held = [...reasons]
    .filter(({ points }) => points > 0)
    .sort((one, other) => other.points - one.points);
  if (held.length === 0) return 'None of the rules counts against it.';
  return `${sentence(joined(held.slice(0, 5).map(({ rule }) => rules[rule] ?? rule)))} ${held.length === 1 ? 'counts' : 'count'} against it.`;
}

const strengths: Readonly<Record<RiskAnswer['adx']['trendStrength'], string>> = {
  weak: 'a weak trend',
  developing: 'a developing trend',
  strong: 'a strong trend',
  veryStrong: 'a very strong trend',
  extreme: 'an extreme trend',
};

const trendWords = (strength: RiskAnswer['adx']['trendStrength'], direction: string): string =>
  direction === 'neutral'
    ? `${strengths[strength]} without direction`
    : `${strengths[strength]} ${direction}`;
