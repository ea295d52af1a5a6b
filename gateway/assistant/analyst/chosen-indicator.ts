import { indicators } from '../../../compute/indicators/index.js';

/** An indicator and its parameters, as tools take them. */
interface ChosenIndicator {
  name: string;
  params?: Record<string, number>;
}

const shape = /^([a-z]+(?:_[a-z]+)*?)((?:_\d+(?:\.\d+)?)*)$/;

/**
 * The indicator of a name as in conditions: `rsi`, `sma_200`, `macd_12_26_9`. Numbers are parameters in their order; the period
 * is the first one where the name has none.
 */
export function chosenIndicator(text: string, period?: number): ChosenIndicator {
  const [, name = text, numbers = ''] = shape.exec(text) ?? [];
  const indicator = indicators.find((each) => each.name === name);
  const given = numbers.split('_').filter(Boolean).map(Number);
  const values = given.length === 0 && period !== undefined ? [period] : given;
  if (!indicator || values.length === 0) return { name };
  const names = Object.keys(indicator.params).slice(0, values.length);
  return { name, params: Object.fromEntries(names.map((each, n) => [each, values[n]])) };
}
