import type { DayOfWeek, MarketSession } from './risk-assessment.js';

/** Whether a time falls on Saturday or Sunday, UTC. */
export function dayOfWeekAt(timeMs: number): DayOfWeek {
  const day = new Date(timeMs).getUTCDay();
  return day === 0 || day === 6 ? 'Weekend' : 'Weekday';
}

/** The session of a time by its hour, UTC: Europe from 8, US from 14, Asian from 22 on. */
export function marketSessionAt(timeMs: number): MarketSession {
  const hour = new Date(timeMs).getUTCHours();
  if (hour < 8 || hour >= 22) return 'Asian';
  return hour < 14 ? 'Europe' : 'US';
}
