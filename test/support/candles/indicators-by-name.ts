import type { Indicator, PriceColumn } from '../../../compute/model/indicator.js';
import { indicators } from '../../../compute/indicators/index.js';

export type AnyIndicator = Indicator<PriceColumn, string, string>;

export const allIndicators = indicators as unknown as readonly AnyIndicator[];

export function indicatorByName(name: string): AnyIndicator {
  const found = allIndicators.find((each) => each.name === name);
  if (!found) throw new Error(`no indicator "${name}"`);
  return found;
}
