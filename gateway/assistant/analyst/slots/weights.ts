import type { Question } from './question.js';

const equal = new Set(['equal', 'equally', 'evenly']);

/** Reads the weights of a basket in percent: "60 % BTC and 40 % ETH", "btc 70 eth 30", "half btc half eth", "60/40 btc eth". */
export function readWeights(question: Question): void {
  const { assets = [], tradeMarket } = question.slots;
  if (assets.length === 0) return;
  // "60/40 BTC/ETH": the pair is a basket.
  const pair =
    assets.length === 1 && tradeMarket !== undefined ? split(question, [...assets, tradeMarket]) : null;
  if (pair !== null) {
    delete question.slots.tradeMarket;
    question.slots.assets = [...assets, tradeMarket!];
    question.slots.weights = pair;
    return;
  }
  const places = assetPlaces(question);
  const weights = besideAssets(question, places) ?? split(question, assets);
  if (weights === null) return;
  question.slots.weights = weights;
}

/** The first place of each asset, in order. */
function assetPlaces(question: Question): number[] {
  return [...question.tokens.keys()].filter((at) => question.slotAt(at) === 'asset');
}

function besideAssets(question: Question, places: readonly number[]): Record<string, number> | null {
  const { assets = [] } = question.slots;
  if (assets.length !== places.length) return null;
  const sides = [-1, 1].map((side) => places.map((at) => shareAt(question, at + side, side)));
  const found = sides.find((shares) => shares.every((share): share is Share => share !== null));
  if (!found) return null;
  const isBasket = places.length > 1 || isNamedBasket(question);
  const isPercent =
    found.some((share) => share.isPercent) ||
    sum(found.map((share) => share.value)) === 100 ||
    sum(found.map((share) => share.value)) === 1;
  if (!isBasket || !isPercent) return null;
  for (const share of found) question.take('weights', share.at, share.at + 1);
  const values = found.map((share) => share.value);
  const scale = sum(values) === 1 && !found[0].isPercent ? 100 : 1;
  return Object.fromEntries(assets.map((asset, n) => [asset, values[n] * scale]));
}

interface Share {
  value: number;
  isPercent: boolean;
  at: number;
}

/** What may stand between an asset and its share. */
const joints = new Set(['of', 'in', 'into', 'at', 'with', 'is', ':', '=']);

function shareAt(question: Question, at: number, side: number): Share | null {
  const skipped = joints.has(question.tokens[at]?.text) ? at + side : at;
  const number = question.number(skipped);
  const isHalf =
    number?.raw.toLowerCase() === 'half' || (question.isFree(skipped) && question.word(skipped) === 'half');
  if (isHalf) return { value: 50, isPercent: true, at: skipped };
  if (number !== undefined && (number.unit === '%' || number.unit === ''))
    return { value: number.value!, isPercent: number.unit === '%', at: skipped };
  return null;
}

/** "60/40 btc eth", "equal parts of btc and eth". */
function split(question: Question, assets: readonly string[]): Record<string, number> | null {
  if (assets.length < 2) return null;
  if (question.tokens.some((_, at) => equal.has(question.word(at))))
    return Object.fromEntries(assets.map((asset) => [asset, Math.round(10_000 / assets.length) / 100]));
  const shares = question.tokens.flatMap((_, at) =>
    ['', '%'].includes(question.number(at)?.unit ?? 'none') ? [at] : [],
  );
  // Of more numbers those with slashes between them: "95 % VaR of a 60/40 BTC ETH book".
  const isSlashed = (at: number) => ['/', ':'].some((mark) => question.isMark(at + 1, mark));
  const runs = shares.map((_, n) => shares.slice(n, n + assets.length));
  const numbers = runs.find(
    (run) =>
      run.length === assets.length &&
      (shares.length === assets.length ||
        run.slice(0, -1).every((at, n) => isSlashed(at) && run[n + 1] === at + 2)) &&
      sum(run.map((at) => question.number(at)!.value!)) === 100,
  );
  if (numbers === undefined) return null;
  const values = numbers.map((at) => question.number(at)!.value!);
  for (const at of numbers) question.take('weights', at, at + 1);
  return Object.fromEntries(assets.map((asset, n) => [asset, values[n]]));
}

const isNamedBasket = (question: Question): boolean =>
  question.tokens.some((_, at) => ['basket', 'mix', 'allocation', 'weights'].includes(question.word(at)));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
