/** A price with five significant digits, or all digits before the point, and separators: "99,426", "0.00001234". */
export const writePrice = (price: number | string): string => grouped(significant(Number(price), 5));

/** A number with three significant digits, or all digits before the point. */
export const writeNumber = (value: number | string, digits = 3): string =>
  grouped(significant(Number(value), digits));

/** A share that is in percent already: two decimals below 1, one below 100, else none: "-3.4 %". */
export function writePercent(percent: number | string): string {
  const value = Number(percent);
  const size = Math.abs(value);
  const text = value.toFixed(size >= 100 ? 0 : size >= 1 ? 1 : 2);
  return `${grouped(Number(text) === 0 ? '0' : text)} %`;
}

/** Made once: it takes longer to make than to use it a hundred times. */
const days = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** The day of a moment, UTC: "3 June 2025". */
export const writeDate = (time: number | string): string => days.format(new Date(time));

/** The day of a moment, and its time where that is not midnight, UTC: "3 June 2025, 14:00 UTC". */
export function writeMoment(time: number | string): string {
  const clock = new Date(time).toISOString().slice(11, 16);
  return clock === '00:00' ? writeDate(time) : `${writeDate(time)}, ${clock} UTC`;
}

/** Separators between the thousands of the whole part. */
function grouped(text: string): string {
  const [whole, part] = text.split('.');
  const separated = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return part === undefined ? separated : `${separated}.${part}`;
}

function significant(value: number, digits: number): string {
  if (value === 0) return '0';
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(value))));
  const text = value.toFixed(Math.min(decimals, 20));
  const short = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return short === '-0' ? '0' : short;
}
