import { formatNumber } from '../../../compute/model/format-number.js';
import { shorten } from '../../operation.js';
import { snakeCase } from '../key-case.js';

/**
 * A value of structured content for reading: numbers rounded, times without their zeros, objects as names and values. The
 * name says what a number is: `time` is in seconds since 1970, and decimals called `percent` are rounded, too. Texts are
 * cut to `longest` characters, and a bar in them becomes a slash.
 */
export function valueText(name: string, value: unknown, longest: number): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'number')
    return /(^|[._])times?$/.test(name) ? timeText(value * 1_000) : figureText(name, value);
  if (typeof value === 'string') return stringText(name, value, longest);
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return listText(value.map((each) => valueText(name, each, longest)));
  const parts = Object.entries(value).map(([key, each]) => `${key} ${valueText(key, each, longest)}`);
  return shorten(parts.length === 0 ? '-' : parts.join(', '), longest);
}

function stringText(name: string, value: string, longest: number): string {
  if (isoTime.test(value)) return timeText(Date.parse(value));
  if (isDecimal.test(value) && !isExact.test(name)) return figureText(name, Number(value));
  const line = value.replace(/\s+/g, ' ').replaceAll('|', '/');
  return shorten(isExplanation.test(name) ? line.replace(camelCaseName, snakeCase) : line, longest);
}

/** Shares and ratios with four significant digits, prices and amounts with six. */
const figureText = (name: string, value: number): string =>
  formatNumber(value, isRatio.test(name) && Math.abs(value) < 10_000 ? 4 : 6);

const isRatio =
  /(percent|percentile|ratio|share|return|returns|sharpe|sortino|calmar|skewness|kurtosis|correlation|beta|r_squared|score|adjusted_p|p_value|(^|[._])([rz]|atr))(_(low|high))?$/;
/** Decimals that people send on in orders: every digit counts. */
const isExact =
  /(^|[._])(\w*quantity|\w*price\w*|entry|stop|target|free|locked|total|borrowed|held|amount|step|tick|size)$/;

/** Whether a field says why another one is null. */
export const isReason = (name: string): boolean => /(^|[._])\w*reason$/.test(name);

/** Texts that name fields as REST does. */
const isExplanation = /(^|[._])(notes?|method|reason)$/;
const camelCaseName = /\b[a-z]+(?:[A-Z][a-z\d]*)+\b/g;

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const isDecimal = /^-?\d+\.\d+$/;

/** Such as 2026-11-22 08:00Z; seconds where there are some. */
function timeText(ms: number): string {
  const text = new Date(ms).toISOString();
  const seconds = text.slice(16, 19);
  return `${text.slice(0, 10)} ${text.slice(11, 16)}${seconds === ':00' ? '' : seconds}Z`;
}

/** Times that all are the beginnings of days as dates; other texts as they are. */
export const withoutMidnights = (texts: readonly string[]): readonly string[] =>
  texts.every(isMidnight) ? texts.map((text) => text.slice(0, 10)) : texts;

const isMidnight = (text: string): boolean => text === '-' || /^\d{4}-\d\d-\d\d 00:00Z$/.test(text);

/** Symbols with spaces between them, sentences with semicolons. */
function listText(texts: readonly string[]): string {
  if (texts.length === 0) return '-';
  const parts = withoutMidnights(texts);
  return parts.join(parts.some((each) => each.includes(' ')) ? '; ' : ' ');
}
