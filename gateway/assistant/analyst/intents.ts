import { accountIntents } from './account-intents.js';
import type { Intent } from './intent.js';
import { declinedActionIntent } from './intents/asides/declined-action.js';
import { declinedAdviceIntent } from './intents/asides/declined-advice.js';
import { declinedInjectionIntent } from './intents/asides/declined-injection.js';
import { declinedOffTopicIntent } from './intents/asides/declined-off-topic.js';
import { declinedOtherAccountIntent } from './intents/asides/declined-other-account.js';
import { declinedPredictionIntent } from './intents/asides/declined-prediction.js';
import { declinedSecretIntent } from './intents/asides/declined-secret.js';
import { definitionIntent } from './intents/asides/definition.js';
import { helpIntent } from './intents/asides/help.js';
import { notHereIntent } from './intents/asides/not-here.js';
import { marketIntents } from './market-intents.js';
import { planningIntents } from './planning-intents.js';

/** Intents that call no tool: help, definitions, and what is declined. */
const asides: readonly Intent[] = [
  declinedActionIntent,
  declinedAdviceIntent,
  declinedInjectionIntent,
  declinedOffTopicIntent,
  declinedOtherAccountIntent,
  declinedPredictionIntent,
  declinedSecretIntent,
  definitionIntent,
  helpIntent,
  notHereIntent,
];

/** Every intent that the analyst recognises. */
export const intents: readonly Intent[] = [
  ...marketIntents,
  ...accountIntents,
  ...planningIntents,
  ...asides,
];

const byName = new Map(intents.map((intent) => [intent.name, intent]));

/** The intent of that name. */
export const intentNamed = (name: string): Intent | undefined => byName.get(name);
