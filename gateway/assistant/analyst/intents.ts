import type { Intent } from './intent.js';
import { priceIntent } from './intents/price.js';
import { trendStateIntent } from './intents/trend-state.js';

/** Intents about the market. */
const market: readonly Intent[] = [priceIntent, trendStateIntent];

/** Intents about accounts, risk and backtests. */
const accountAndPlanning: readonly Intent[] = [];

/** Intents that call no tool: help, definitions, and what is declined. */
const withoutTool: readonly Intent[] = [];

/** Every intent that the analyst recognises. */
export const intents: readonly Intent[] = [...market, ...accountAndPlanning, ...withoutTool];

const byName = new Map(intents.map((intent) => [intent.name, intent]));

/** The intent of that name. */
export const intentNamed = (name: string): Intent | undefined => byName.get(name);
