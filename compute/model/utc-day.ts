const dayMs = 86_400_000;

/**
 * The day of a time as YYYY-MM-DD, UTC. Several times faster than Date, which formats down to the millisecond.
 * Howard Hinnant, chrono-compatible low-level date algorithms, civil_from_days.
 */
export function utcDay(timeMs: number): string {
  const days = Math.floor(timeMs / dayMs) + 719_468;
  const era = Math.floor(days / 146_097);
  const dayOfEra = days - era * 146_097;
  const leapDays =
    Math.floor(dayOfEra / 1_460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const leaps = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
  const dayOfYear = dayOfEra - (365 * yearOfEra + leaps);
  const month = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * month + 2) / 5) + 1;
  const year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0);
  return `${String(year).padStart(4, '0')}-${two(month < 10 ? month + 3 : month - 9)}-${two(day)}`;
}

/** A time as Date's toISOString writes it, for years up to 9999, and more than twice as fast. */
export function utcTime(timeMs: number): string {
  const dayStartMs = utcDayStart(timeMs);
  const seconds = Math.floor((timeMs - dayStartMs) / 1_000);
  const ms = Math.floor(timeMs - dayStartMs - seconds * 1_000);
  const hour = Math.floor(seconds / 3_600);
  const minute = Math.floor(seconds / 60) % 60;
  return `${utcDay(timeMs)}T${two(hour)}:${two(minute)}:${two(seconds % 60)}.${String(ms).padStart(3, '0')}Z`;
}

/** The start of the UTC day of a time, both in ms since 1970. */
export const utcDayStart = (timeMs: number): number => Math.floor(timeMs / dayMs) * dayMs;

const two = (value: number) => (value < 10 ? `0${value}` : String(value));
