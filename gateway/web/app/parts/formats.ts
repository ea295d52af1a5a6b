import { signal } from '@preact/signals';

/** What stands for a figure that is unknown. */
export const unknownMark = '–';

/** Whether times are shown in UTC or in the zone of the browser. */
const zone = signal<'local' | 'UTC'>(localStorage.getItem('time') === 'UTC' ? 'UTC' : 'local');

const plain = new Map<string, Intl.NumberFormat>();

function formatter(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options);
  const known = plain.get(key) ?? new Intl.NumberFormat('en-US', options);
  plain.set(key, known);
  return known;
}

/** With a true minus sign. */
const signed = (text: string): string => text.replace('-', '−');

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
  const sign = value > 0 ? '+' : '';
  return `${sign}${numberText(value, digits)}\u00a0%`;
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
  name.replace(/_/g, ' ').replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`);

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

type Moment = 'day' | 'date' | 'minute' | 'second';
const parts: Record<Moment, Intl.DateTimeFormatOptions> = {
  day: { day: '2-digit', month: 'short', year: 'numeric' },
  date: { day: '2-digit', month: 'short' },
  minute: { day: '2-digit', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  second: { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
};

/** A moment in the chosen zone; days are those of candles, in UTC. */
export function momentText(value: string | number | Date, to: Moment): string {
  const inUtc = zone.value === 'UTC' || to === 'day' || to === 'date';
  const text = new Intl.DateTimeFormat('en-GB', { ...parts[to], ...(inUtc ? { timeZone: 'UTC' } : {}) });
  return text.format(new Date(value)) + (zone.value === 'UTC' && to !== 'day' && to !== 'date' ? ' UTC' : '');
}
