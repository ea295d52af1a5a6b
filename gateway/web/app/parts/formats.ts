import { preferences } from './preferences.js';

/** What stands for a figure that is unknown. */
export const unknownMark = '–';

/** Formatters by their options: to make one takes longer than a page of numbers. */
function keptBy<Options, Formatter>(make: (options: Options) => Formatter): (options: Options) => Formatter {
  const made = new Map<string, Formatter>();
  return (options) => {
    const key = JSON.stringify(options);
    const known = made.get(key) ?? make(options);
    made.set(key, known);
    return known;
  };
}

const formatter = keptBy((options: Intl.NumberFormatOptions) => new Intl.NumberFormat('en-US', options));
const dateFormatter = keptBy(
  (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', options),
);

/** With a true minus sign, and none where all digits are zero. */
const signed = (text: string): string => text.replace(/^-(?=[0.,]*$)/, '').replace('-', '−');

export function numberText(value: number | null | undefined, digits = 2): string {
  if (value === null || value === undefined) return unknownMark;
  return signed(formatter({ minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value));
}

/** A whole number. */
export const inFull = (value: number | null | undefined): string => numberText(value, 0);

/** A price: two decimals from a thousand on, six digits below. */
export function priceText(value: number | string | null | undefined): string {
  if (value === null || value === undefined) return unknownMark;
  const size = Number(value);
  if (Math.abs(size) >= 1_000) return numberText(size);
  return signed(formatter({ maximumSignificantDigits: 6, minimumFractionDigits: 2 }).format(size));
}

/** A quantity, with up to eight decimals. */
export const quantityText = (value: number | string | null | undefined): string =>
  value === null || value === undefined
    ? unknownMark
    : signed(formatter({ maximumFractionDigits: 8 }).format(Number(value)));

/** A change: `−2.39 %`, `+0.38 %`. */
export function percentText(value: number | null | undefined, digits = 2): string {
  if (value === null || value === undefined) return unknownMark;
  const text = numberText(value, digits);
  return `${/^[0.]*$|^−/.test(text) ? '' : '+'}${text}\u00a0%`;
}

/** A share or rate, whose sign says nothing: `34 %`. */
export const shareText = (value: number | null | undefined, digits = 0): string =>
  value === null || value === undefined ? unknownMark : `${numberText(value, digits)}\u00a0%`;

/** `1.50 B`, `900.3 M`. */
export function largeText(value: number | null | undefined): string {
  if (value === null || value === undefined) return unknownMark;
  const text = formatter({ notation: 'compact', maximumSignificantDigits: 4 }).format(value);
  return signed(text.replace(/([A-Z])$/, '\u00a0$1'));
}

/** The words for a wire name: `stop_loss` and `stopLoss` are "stop loss". */
export const plainWords = (name: string): string =>
  name
    .replace(/_/g, ' ')
    .replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`)
    .replace(/\b(adx|atr|btc|ema|macd|psar|rsi)\b/g, (short) => short.toUpperCase());

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What the service says, as a sentence. */
export const sentence = (text: string): string =>
  capital(text).replace(/(^|[ (])-(?=\d)/g, '$1−') + (/[.!?]$/.test(text) ? '' : '.');

type Moment = 'day' | 'date' | 'minute' | 'second';
const parts = {
  date: { day: '2-digit', month: 'short' },
  year: { year: 'numeric' },
  minute: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  second: { second: '2-digit' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/**
 * A moment in the chosen zone; days are those of candles, in UTC. A year is said where it is not this one, and the date of a second where
 * it is not today.
 */
export function momentText(value: string | number | Date, to: Moment): string {
  const [at, now] = [new Date(value), new Date()];
  const isDay = to === 'day' || to === 'date';
  const isOtherYear = at.getUTCFullYear() !== now.getUTCFullYear();
  const isToday = at.toDateString() === now.toDateString();
  const isUtc = preferences.value.time === 'UTC';
  const text = dateFormatter({
    ...(to === 'second' && isToday ? {} : parts.date),
    ...(to === 'day' || (isOtherYear && to !== 'date') ? parts.year : {}),
    ...(isDay ? {} : parts.minute),
    ...(to === 'second' ? parts.second : {}),
    ...(isUtc || isDay ? { timeZone: 'UTC' } : {}),
  });
  return text.format(at) + (isUtc && !isDay ? ' UTC' : '');
}
