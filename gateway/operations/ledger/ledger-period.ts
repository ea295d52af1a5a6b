import Joi from 'joi';
import { utcDayStart } from '../../../compute/model/utc-day.js';

const dayMs = 86_400_000;

/** Days of each period, the present one included. */
const daysOf = { today: 1, '7d': 7, '30d': 30, '90d': 90, '1y': 365, all: Infinity } as const;

export type LedgerPeriod = keyof typeof daysOf;

export const ledgerPeriodField = (fallback: LedgerPeriod): Joi.StringSchema =>
  Joi.string()
    .valid(...Object.keys(daysOf))
    .default(fallback)
    .description('how far back, in UTC days, the present one included');

/** When a period begins: at the start of a UTC day. */
export function ledgerPeriodStart(period: LedgerPeriod, nowMs: number): Date {
  const days = daysOf[period];
  return new Date(days === Infinity ? 0 : utcDayStart(nowMs) - (days - 1) * dayMs);
}
