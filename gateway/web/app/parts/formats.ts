import { preferences } from './preferences.js';

/** What stands for a figure that is unknown. */
export const unknownMark = '–';

/**
 * Decimals, halves rounded away from zero. A browser takes longer to make its first formatter than to draw a page, so that these
 * are written by hand.
 */
function fixed(value: number, digits: number): string {
  const units = String(Math.round(Number(`${Math.abs(value)}e${digits}`)));
  if (!/^\d+$/.test(units)) return value.toFixed(digits);
  return (Math.sign(value) * Number(`${units}e-${digits}`)).toFixed(digits);
}

/** So many digits in all, without zeros at the end. */
const significant = (value: number, digits: number): string =>
  trimmed(fixed(value, Math.max(0, Math.min(100, digits - 1 - exponentOf(value, digits)))));

const exponentOf = (value: number, digits: number): number =>
  Number(value.toExponential(digits - 1).split('e')[1]);

const trimmed = (text: string): string => text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');

/** A figure as the service sends it; decimals are text. */
export type ShownFigure = number | string | null | undefined;

/** A known figure with a true minus sign, and none where all digits are zero; thousands apart. */
const written = (figure: ShownFigure, write: (value: number) => string): string =>
  figure === null || figure === undefined
    ? unknownMark
    : write(Number(figure))
        .replace(/^-(?=[0.]*$)/, '')
        .replace('-', '−')
        .replace(/\d{4,}(?<!\.\d*)/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));

/** A known figure with its unit. */
export const inUnit = (text: string, unit: string): string =>
  text === unknownMark ? text : `${text}\u00a0${unit}`;

export const numberText = (figure: ShownFigure, digits = 2): string =>
  written(figure, (value) => fixed(value, digits));

/** A whole number. */
export const inFull = (figure: ShownFigure): string => numberText(figure, 0);

/** `1 day`, `2 days`. */
export const counted = (n: number, what: string): string => `${inFull(n)} ${what}${n === 1 ? '' : 's'}`;

/** A price: two decimals from a thousand on, six digits below. */
export const priceText = (figure: ShownFigure): string =>
  written(figure, (value) => (Math.abs(value) >= 1_000 ? fixed(value, 2) : significant(value, 6)));

/** A quantity, with up to eight decimals. */
export const quantityText = (figure: ShownFigure): string =>
  written(figure, (value) => trimmed(fixed(value, 8)));

/** A figure with its sign; without one where all its digits are zero. */
export const signed = (text: string): string => text.replace(/^(?=[\d.,]*[1-9])/, '+');

/** A change: `−2.39 %`, `+0.38 %`. */
export const percentText = (figure: ShownFigure, digits = 2): string =>
  inUnit(signed(numberText(figure, digits)), '%');

/** A share or rate, whose sign says nothing: `34 %`. */
export const shareText = (figure: ShownFigure, digits = 0): string => inUnit(numberText(figure, digits), '%');

const thousands = ['', '\u00a0K', '\u00a0M', '\u00a0B', '\u00a0T'];

/** `1.5 B`, `900.3 M`. */
export const largeText = (figure: ShownFigure): string =>
  written(figure, (value) => {
    const n = Math.max(0, Math.min(thousands.length - 1, Math.floor(exponentOf(value, 4) / 3)));
    return significant(value / 1_000 ** n, 4) + thousands[n];
  });

/** Where something is traded, and with what. */
export const tradedOn = (exchange: string): string =>
  exchange === 'PAPER' ? 'on paper' : `on ${exchange}, real money`;

/** The words for a wire name: `stop_loss` and `stopLoss` are "stop loss". */
export const plainWords = (name: string): string =>
  name
    .replace(/_/g, ' ')
    .replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`)
    .replace(/\b(adx|atr|btc|ema|macd|psar|rsi)\b/g, (short) => short.toUpperCase());

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What the service says, as a sentence; candles are in UTC. */
export const sentence = (text: string): string =>
  capital(text)
    .replace(/(^|[ (])-(?=\d)/g, '$1−')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (at) => momentText(at, 'minute', true))
    .replace(/[^.!?]$/, '$&.');

export type Moment = 'day' | 'date' | 'minute' | 'second';

export const monthNames = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/**
 * A moment in the chosen zone; candles and their days are in UTC. A year is said where it is not this one, and the date of a second where
 * it is not today.
 */
export function momentText(
  value: string | number | Date,
  to: Moment,
  isUtc = preferences.value.time === 'UTC',
): string {
  const isDay = to === 'day' || to === 'date';
  const written = (at: Date) =>
    new Date(at.getTime() - (isUtc || isDay ? 0 : at.getTimezoneOffset() * 60_000)).toISOString();
  const [text, now] = [written(new Date(value)), written(new Date())];
  const isOtherYear = text.slice(0, 4) !== now.slice(0, 4);
  const year = to === 'day' || (isOtherYear && to !== 'date') ? ` ${text.slice(0, 4)}` : '';
  const date = `${text.slice(8, 10)} ${monthNames[Number(text.slice(5, 7)) - 1]}${year}`;
  if (isDay) return date;
  const time = text.slice(11, to === 'second' ? 19 : 16) + (isUtc ? ' UTC' : '');
  return to === 'second' && text.slice(0, 10) === now.slice(0, 10) ? time : `${date}, ${time}`;
}
