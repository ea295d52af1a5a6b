import { strategies } from '../../../compute/strategies/index.js';

/** The title of a strategy, as in "EMA cross". */
export const strategyTitle = (name: string): string =>
  strategies.find((strategy) => strategy.name === name)?.title ?? name.replaceAll('_', ' ');
