import { writeCount, writeDate, writeMoment, writeNumber, writePercent, writePrice } from './format.js';

/** "1 candle", "3 candles", "2 matches" with the plural given. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${writeCount(count)} ${count === 1 ? noun : plural}`;

/** "99,426 USDT". */
export const inQuote = (price: number | string, tradeMarket: string): string =>
  `${writePrice(price)} ${tradeMarket}`;

/** "up 1.2 %", "down 3.4 %", "unchanged". */
export function moved(percent: number | string): string {
  const value = Number(percent);
  if (value === 0) return 'unchanged';
  return `${value > 0 ? 'up' : 'down'} ${writePercent(Math.abs(value))}`;
}

/** "rose 1.2 %", "fell 3.4 %", "did not move". */
export function wentBy(percent: number): string {
  if (percent === 0) return 'did not move';
  return `${percent > 0 ? 'rose' : 'fell'} ${writePercent(Math.abs(percent))}`;
}

/** "1.6 % below", "0.3 % above", "exactly at". */
export function awayFrom(percent: number): string {
  if (percent === 0) return 'exactly at';
  return `${writePercent(Math.abs(percent))} ${percent > 0 ? 'above' : 'below'}`;
}

/** With its sign: "+1.2 %", "-3.4 %"; what rounds to nothing is "0 %". */
export function signed(percent: number): string {
  const text = writePercent(percent);
  return percent > 0 && text !== '0 %' ? `+${text}` : text;
}

/** "A, B and C". */
export function joined(items: readonly string[], last = 'and'): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} ${last} ${items[items.length - 1]}`;
}

/** The first items; what is left out is said without a figure: "A, B, C and others". */
export const firstOf = (items: readonly string[], most: number): string =>
  items.length > most ? joined([...items.slice(0, most), 'others']) : joined(items);

const small =
  'no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );

/** The length of a list in words, which is no figure of the payload: "two", "many". */
export const lengthInWords = (count: number): string => small[count] ?? 'many';

/** A sentence from a clause: its first letter becomes a capital. */
export const sentence = (clause: string): string => clause.charAt(0).toUpperCase() + clause.slice(1);

/** The moment at which a candle opened: the day on 1d, else the hour too. */
export const ofCandle = (time: number | string, interval: string): string =>
  interval === '1d' ? writeDate(time) : writeMoment(time);

const magnitudes = [
  [1e12, 'trillion'],
  [1e9, 'billion'],
  [1e6, 'million'],
] as const;

/** A volume, which may be large: "16,593", "1.62 billion". */
export function writeVolume(volume: number): string {
  const found = magnitudes.find(([size]) => Math.abs(volume) >= size);
  return found ? `${writeNumber(volume / found[0])} ${found[1]}` : writePrice(volume);
}

/** What several intervals have in common: "wait on 1h and 1d, and distribute on 4h". */
export function byState(all: readonly { state: string | null; interval: string }[]): string {
  const states = [...new Set(all.map(({ state }) => state))];
  const words = states.map((state) => {
    const on = all.filter((each) => each.state === state).map(({ interval }) => interval);
    return `${state ?? 'no state'} on ${joined(on)}`;
  });
  return words.join(', and ');
}
