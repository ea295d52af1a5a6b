import { wordSet } from '../word-list.js';
import { strategies } from '../../../../compute/strategies/index.js';
import type { Intent } from '../intent.js';
import type { Question } from '../slots/question.js';
import { asInterval } from '../slots/every.js';
import { strategyOf } from '../slots/strategy.js';
import type { Slots } from '../slots.js';
import { hoursOfSpan } from '../heard/served-values.js';
import { usedSlots } from './slot-fit.js';

/**
 * Reads the words of a short question as slots that the last intent uses: the name of an indicator as the strategy that trades
 * it, a bare price as the nearer of target and stop, "add SOL" as a further asset.
 */
export function adaptToLast(question: Question, last: Intent, before: Slots): void {
  const used = usedSlots(last);
  const { slots, tokens } = question;
  const strategy = slots.indicator === undefined ? undefined : strategyOf(slots.indicator);
  if (
    strategy !== undefined &&
    slots.strategy === undefined &&
    used.has('strategy') &&
    !used.has('indicator')
  ) {
    Object.assign(slots, { strategy, strategies: [strategy] });
    delete slots.indicator;
    delete slots.indicators;
  }
  // "And distribute?" after a question with a state asks for no meaning.
  const state = (['accumulate', 'wait', 'distribute'] as const).find((each) => each === slots.term);
  if (state !== undefined && used.has('state') && tokens.length <= 2) {
    slots.state = state;
    delete slots.term;
  }
  // "Now weekly" after a chart asks for its candles.
  asInterval(question, used);
  // "And in 4 hours?" after a question about candles of an interval.
  const interval = (['1h', '4h', '1d'] as const).find((each) => hoursOfSpan(each) === slots.windowHours);
  if (interval !== undefined && used.has('interval') && !used.has('windowHours')) {
    slots.interval ??= interval;
    delete slots.windowHours;
    delete slots.since;
  }
  if (used.has('assets') && last.takes.includes('period')) asOtherAsset(question, before);
  if (used.has('assets')) addAssets(question, before, 'assets' in last.needs || 'strategies' in last.needs);
  if (tokens.some(({ text }) => adders.has(text))) addConditions(slots, before);
  // "And selling 2 ETH on top of that"
  if (tokens.some(({ text }) => text === 'top' || adders.has(text)) && slots.changes && before.changes)
    slots.changes = [...before.changes, ...slots.changes];
  replaceWeight(slots, tokens[0].text, before);
  const { price, prices } = slots;
  if (before.strategy !== undefined && used.has('params') && prices !== undefined)
    asParams(slots, before.strategy);
  if (price === undefined || prices?.length !== 1) return;
  if (before.conditions !== undefined && used.has('conditions')) asRightSide(slots, before, price);
  else if (before.target !== undefined && before.stop !== undefined && used.has('target'))
    asNearest(slots, before, price);
}

/** "Replace SOL with BNB": the weight of the one for the other. */
function replaceWeight(slots: Question['slots'], first: string, { weights }: Slots): void {
  const [one, other] = slots.assets ?? [];
  if (!/^(?:replace|swap|switch)$/.test(first) || weights?.[one] === undefined || other === undefined) return;
  const { [one]: share, ...rest } = weights;
  slots.weights = { ...rest, [other]: share };
}

const adders = wordSet('adapt-to-last', 'adders');

/** "And against ETH?" after a return compares with another asset; after a price it asks for another currency. */
function asOtherAsset({ slots }: Question, before: Slots): void {
  const { tradeMarket, asset } = slots;
  if (tradeMarket === undefined || asset !== undefined || before.assets === undefined) return;
  slots.assets = [...new Set([...before.assets, tradeMarket])];
  slots.asset = slots.assets[0];
  delete slots.tradeMarket;
}

/** "Add SOL", "with SOL too": the assets of the last question and this one. */
function addAssets({ slots, tokens }: Question, before: Slots, isComparison: boolean): void {
  const { assets } = slots;
  const known = before.assets?.length ?? 0;
  if (assets === undefined || known === 0 || tokens.length > longest) return;
  const words = known > 1 || isComparison ? adders : comparers;
  if (!tokens.some(({ text }) => words.has(text))) return;
  slots.assets = [...new Set([...before.assets!, ...assets])];
  slots.asset = slots.assets[0];
  delete slots.changes;
}

/** "Only those where ADX is over 25 as well": a further condition. */
function addConditions(slots: Question['slots'], { conditions: known = [], join }: Slots): void {
  if (known.length === 0 || slots.conditions === undefined) return;
  slots.conditions = [...known, ...slots.conditions];
  slots.join = join ?? 'and';
}

const comparers = wordSet('adapt-to-last', 'comparers');
const longest = 6;

/** "Use 20 and 50": the parameters of the last strategy, in their order. */
function asParams(slots: Question['slots'], strategy: string): void {
  const names = Object.keys(strategies.find(({ name }) => name === strategy)?.params ?? {});
  const { prices = [] } = slots;
  if (slots.params !== undefined || prices.length < 2 || prices.length > names.length) return;
  slots.params = Object.fromEntries(prices.map((value, n) => [names[n], value]));
  delete slots.price;
  delete slots.prices;
}

/** "Make it 25" changes the number of the last condition. */
function asRightSide(slots: Question['slots'], { conditions = [] }: Slots, value: number): void {
  const at = conditions.findLastIndex(({ right }) => !isNaN(Number(right)));
  if (at === -1 || slots.conditions !== undefined) return;
  slots.conditions = conditions.map((each, n) => (n === at ? { ...each, right: String(value) } : each));
  delete slots.price;
  delete slots.prices;
}

/** "And 75k?" after a target of 70k and a stop of 60k is a target. */
function asNearest(slots: Question['slots'], { target = 0, stop = 0 }: Slots, price: number): void {
  const distance = (from: number) => Math.abs(Math.log(price / from));
  slots[distance(target) <= distance(stop) ? 'target' : 'stop'] ??= price;
  delete slots.price;
  delete slots.prices;
}
