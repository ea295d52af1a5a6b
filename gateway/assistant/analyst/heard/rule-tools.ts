import { wordSet } from '../word-list.js';
/** The tools that trade by a rule: what a question adds to the rule changes nothing there. */
export const ruleTools: ReadonlySet<string> = wordSet('rule-tools', 'ruleTools');
