import type { Intent } from './intent.js';
import { declinedActionIntent } from './intents/declined-action.js';
import { declinedAdviceIntent } from './intents/declined-advice.js';
import { declinedInjectionIntent } from './intents/declined-injection.js';
import { declinedOffTopicIntent } from './intents/declined-off-topic.js';
import { declinedOtherAccountIntent } from './intents/declined-other-account.js';
import { declinedPredictionIntent } from './intents/declined-prediction.js';
import { declinedSecretIntent } from './intents/declined-secret.js';
import { definitionIntent } from './intents/definition.js';
import { helpIntent } from './intents/help.js';
import { priceIntent } from './intents/price.js';
import { trendStateIntent } from './intents/trend-state.js';

/** Intents about the market. */
const market: readonly Intent[] = [priceIntent, trendStateIntent];

/** Intents about accounts, risk and backtests. */
const accountAndPlanning: readonly Intent[] = [];

/** Intents that call no tool: help, definitions, and what is declined. */
const withoutTool: readonly Intent[] = [
  declinedActionIntent,
  declinedAdviceIntent,
  declinedInjectionIntent,
  declinedOffTopicIntent,
  declinedOtherAccountIntent,
  declinedPredictionIntent,
  declinedSecretIntent,
  definitionIntent,
  helpIntent,
];

/** Every intent that the analyst recognises. */
export const intents: readonly Intent[] = [...market, ...accountAndPlanning, ...withoutTool];

const byName = new Map(intents.map((intent) => [intent.name, intent]));

/** The intent of that name. */
export const intentNamed = (name: string): Intent | undefined => byName.get(name);
