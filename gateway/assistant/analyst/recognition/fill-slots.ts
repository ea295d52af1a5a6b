import { wordSet } from '../word-list.js';
import type { AnalystState } from '../analyst-state.js';
import type { Intent } from '../intent.js';
import type { Question } from '../slots/question.js';
import type { SlotName, Slots } from '../slots.js';
import { asInterval } from '../slots/every.js';
import { usedSlots } from './slot-fit.js';

/** The slots of a question, with those that it takes over from the conversation. */
export interface FilledSlots {
  slots: Slots;
  missing?: SlotName;
  /** A new question; one that points back ("it"); or one that only changes the last one ("and on 4h?"). */
  how: 'new' | 'refers' | 'follows';
}

/** Slots that belong to one question alone: a question that points back does not take them over. */
const ofOneQuestion = wordSet<SlotName>('fill-slots', 'ofOneQuestion');

/** Fills the slots of an intent from the question, then from the conversation. */
export function fillSlots(
  intent: Intent,
  question: Question,
  state: AnalystState,
  how: FilledSlots['how'],
): FilledSlots {
  const used = usedSlots(intent);
  asInterval(question, used);
  const named = namedSlots(intent, question);
  const before = state.slots ?? {};
  const slots: Slots = withExits(intent, { ...takenOver(intent, named, before, used, how), ...named }, named);
  takeRecentAssets(slots, intent, question, state.recentAssets);
  if (intent.whole !== undefined && slots[intent.whole] !== undefined) return { slots, how };
  const missing = (Object.keys(intent.needs) as SlotName[]).find((slot) => !isGiven(slot, slots));
  return missing === undefined ? { slots, how } : { slots, missing, how };
}

/** The slots that the question names; a word that may be a symbol counts where the asset is missing. */
function namedSlots(intent: Intent, question: Question): Slots {
  const named: Slots = withCount(intent, withAmount(intent, withPrices(intent, { ...question.slots })));
  const [candidate] = question.candidates;
  if (named.asset === undefined && candidate !== undefined && 'asset' in intent.needs)
    return { ...named, asset: candidate, assets: [candidate] };
  return named;
}

/** "Link flips 10", "candles 1h 24": a whole number without a role is how many, where no price is used. */
function withCount(intent: Intent, named: Slots): Slots {
  const { price, prices, count, candles } = named;
  const used = usedSlots(intent);
  const isCount = used.has('count') && !used.has('price') && !used.has('prices') && prices?.length === 1;
  if (!isCount || count !== undefined || candles !== undefined || !Number.isInteger(price)) return named;
  return { ...without('price', without('prices', named)), count: price! };
}

/** "20 buys from 60000 on, each 1 % lower": the first price of a ladder. */
const withPrices = ({ needs }: Intent, named: Slots): Slots =>
  'prices' in needs && named.prices === undefined && named.entry !== undefined
    ? { ...named, prices: [named.entry] }
    : named;

/** A number without a role is the amount where one is needed and prices are not: "weekly buys of 25". */
function withAmount(intent: Intent, named: Slots): Slots {
  const isWanted = 'amount' in intent.needs && named.amount === undefined;
  const usesPrices = 'prices' in intent.needs || 'entry' in intent.needs;
  // "30k, long at 65000, stop 63800": the number without a role is the account.
  const isLeft = !usesPrices || (named.entry !== undefined && named.stop !== undefined);
  return isWanted && isLeft && named.price !== undefined ? { ...named, amount: named.price } : named;
}

const plurals = new Set(['their', 'them', 'both', 'these', 'those', 'they', 'two']);

/** "What about their correlation": the assets of the last questions, where several are needed. */
function takeRecentAssets(
  slots: Slots,
  intent: Intent,
  question: Question,
  recentAssets: readonly string[] = [],
): void {
  const points = question.tokens.some(({ kind, text }) => kind === 'word' && plurals.has(text));
  if (!points || recentAssets.length < 2 || question.slots.asset !== undefined) return;
  if (!usedSlots(intent).has('assets')) return;
  slots.assets = recentAssets;
  slots.asset = recentAssets[0];
}

/** "Which comes first, 35 or 25": two prices without a role are target and stop where both are needed. */
function withExits(intent: Intent, slots: Slots, { prices = [] }: Slots): Slots {
  const { target, stop } = slots;
  if (!('target' in intent.needs && 'stop' in intent.needs)) return slots;
  if (prices.length === 2 && target === undefined && stop === undefined)
    return { ...slots, target: prices[0], stop: prices[1] };
  if (prices.length !== 1 || (target === undefined) === (stop === undefined)) return slots;
  return target === undefined ? { ...slots, target: prices[0] } : { ...slots, stop: prices[0] };
}

function takenOver(
  intent: Intent,
  named: Slots,
  before: Slots,
  used: ReadonlySet<SlotName>,
  how: FilledSlots['how'],
): Slots {
  const taken = Object.entries(before).filter(([name]) => {
    const slot = name as SlotName;
    if (how === 'follows') return !replaced(slot, named);
    if (slot === 'asset' || slot === 'assets')
      return (
        named.asset === undefined &&
        (slot in intent.needs || 'asset' in intent.needs || (how === 'refers' && used.has(slot)))
      );
    if (slot in intent.needs) return !ofOneQuestion.has(slot);
    return how === 'refers' && named.asset === undefined && used.has(slot) && !ofOneQuestion.has(slot);
  });
  return Object.fromEntries(taken);
}

const indicatorSlots = new Set<SlotName>(['indicator', 'indicatorPeriod', 'indicators']);

/** A new strategy or indicator has settings of its own, and a new span replaces the old one. */
function replaced(slot: SlotName, named: Slots): boolean {
  if (slot === 'params') return named.strategy !== undefined;
  if (indicatorSlots.has(slot)) return named.indicator !== undefined;
  if (slot === 'windowHours' || slot === 'period' || slot === 'isToday' || slot === 'isAllTime')
    return named.windowHours !== undefined || named.period !== undefined || named.isAllTime === true;
  return false;
}

/** Assets are given where there are two or more. */
const isGiven = (slot: SlotName, slots: Slots): boolean =>
  slot === 'assets' ? (slots.assets?.length ?? 0) > 1 : slots[slot] !== undefined;

const without = (slot: SlotName, slots: Slots): Slots =>
  Object.fromEntries(Object.entries(slots).filter(([name]) => name !== slot));
