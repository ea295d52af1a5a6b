import { intervalMs, type Interval } from '../model/interval.js';
import { marketSessionAt } from '../model/calendar.js';

export const seasons = ['hour', 'weekday', 'month', 'session'] as const;

export type Season = (typeof seasons)[number];

/** One stretch of the calendar, and which of the buckets it belongs to. Times in ms, UTC. */
export interface SeasonPeriod {
  bucket: number;
  startMs: number;
  endMs: number;
}

/** A way to cut time into periods that come round again. */
export interface SeasonCalendar {
  buckets: readonly string[];
  /** The longest candle that never reaches over the edge of a period. */
  longest: Interval;
  periodAt: (timeMs: number) => SeasonPeriod;
}

const hourMs = intervalMs('1h');
const dayMs = intervalMs('1d');

const sessionNames = ['Asian', 'Europe', 'US'] as const;

const sessionByHour = Array.from({ length: 24 }, (_, hour) => marketSessionAt(hour * hourMs));

/** How many hours in a row, from this one on in steps of 1 or -1, have its session. */
function sameSession(hour: number, step: 1 | -1): number {
  let count = 1;
  while (sessionByHour[(hour + 24 + step * count) % 24] === sessionByHour[hour]) count++;
  return count;
}

function sessionAt(timeMs: number): SeasonPeriod {
  const hour = Math.floor((timeMs % dayMs) / hourMs);
  const hourStart = timeMs - (timeMs % hourMs);
  return {
    bucket: sessionNames.indexOf(sessionByHour[hour]),
    startMs: hourStart - (sameSession(hour, -1) - 1) * hourMs,
    endMs: hourStart + sameSession(hour, 1) * hourMs,
  };
}

function monthAt(timeMs: number): SeasonPeriod {
  const date = new Date(timeMs);
  const [year, bucket] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { bucket, startMs: Date.UTC(year, bucket), endMs: Date.UTC(year, bucket + 1) };
}

/** Periods of one length; the first of 1970 belongs to bucket `first`. */
const evenPeriods =
  (lengthMs: number, buckets: number, first: number) =>
  (timeMs: number): SeasonPeriod => {
    const number = Math.floor(timeMs / lengthMs);
    return {
      bucket: (number + first) % buckets,
      startMs: number * lengthMs,
      endMs: (number + 1) * lengthMs,
    };
  };

export const seasonCalendars: Record<Season, SeasonCalendar> = {
  hour: {
    buckets: Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0')),
    longest: '1h',
    periodAt: evenPeriods(hourMs, 24, 0),
  },
  weekday: {
    buckets: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
    longest: '1d',
    // 1 January 1970 was a Thursday.
    periodAt: evenPeriods(dayMs, 7, 3),
  },
  month: {
    buckets: [
      'January',
      'February',
      'March',
      'April',
      'May',
      'June',
      'July',
      'August',
      'September',
      'October',
      'November',
      'December',
    ],
    longest: '1d',
    periodAt: monthAt,
  },
  session: { buckets: sessionNames, longest: '1h', periodAt: sessionAt },
};
