import type { SignalCommandEvent, SignalTerms } from '../../../storage/signals/partner-signal.js';
import type { Random } from '../fake-exchange/seeded-random.js';

/** The pair of a scenario, and what its prices look like. */
export interface ScenarioPair {
  base: string;
  /** The price at which the scenario begins. */
  price: number;
  /** Places of its prices. */
  decimals: number;
}

/** A price, and what is traded at it in base units; null: any quantity. */
export interface PathStep {
  price: string;
  volume: string | null;
}

/** A signal, and what its partner says at the steps of the path, by chance. */
export interface SignalScenario {
  terms: Pick<SignalTerms, 'coin' | 'entryMode' | 'entries' | 'targets' | 'stopLoss' | 'ttlMs'>;
  /** By the number of the step. */
  commands: ReadonlyMap<number, SignalCommandEvent>;
}

const steps = 12;

/** A random path of prices that stay near the first. */
export function pricePath(random: Random, { price, decimals }: ScenarioPair): PathStep[] {
  let ratio = 1;
  return Array.from({ length: steps }, () => {
    ratio = Math.min(1.15, Math.max(0.86, ratio * (1 + (random() - 0.5) * 0.07)));
    const volume = random() < 0.5 ? null : String(Math.ceil((4_000 * random()) / price));
    return { price: (price * ratio).toFixed(decimals), volume };
  });
}

/** A long signal on spot that is entered, sold and changed along a path. */
export function signalScenario(
  random: Random,
  { base, price, decimals }: ScenarioPair,
  path: readonly PathStep[],
): SignalScenario {
  const at = (ratio: number) => (price * ratio).toFixed(decimals);
  const chance = (share: number) => random() < share;
  const entryMode = (['market', 'range', 'split'] as const)[Math.floor(random() * 3)];
  const commands = new Map<number, SignalCommandEvent>();
  for (const [n, step] of path.entries())
    if (n > 1 && chance(0.2)) commands.set(n, commandOf(random, at, Number(step.price) / price, n));
  const targets = [1.02, 1.04, 1.07].slice(0, 1 + Math.floor(random() * 3)).map(at);
  return {
    terms: {
      coin: base,
      ...{ entryMode, entries: entriesOf(entryMode, at), targets },
      stopLoss: chance(0.8) ? at(0.93) : null,
      ttlMs: chance(0.1) ? 3_000 : null,
    },
    commands,
  };
}

function entriesOf(mode: SignalTerms['entryMode'], at: (ratio: number) => string): SignalTerms['entries'] {
  if (mode === 'market')
    return [{ level: 'max', type: 'market', price: at(1.05), zoneEnd: null, percent: '100' }];
  if (mode === 'range')
    return [{ level: 'max', type: 'limit', price: at(1.01), zoneEnd: at(0.96), percent: '100' }];
  return [
    { level: 'max', type: 'limit', price: at(1), zoneEnd: null, percent: '50' },
    { level: 'mid', type: 'limit', price: at(0.98), zoneEnd: null, percent: '30' },
    { level: 'min', type: 'limit', price: at(0.96), zoneEnd: null, percent: '20' },
  ];
}

function commandOf(
  random: Random,
  at: (ratio: number) => string,
  ratio: number,
  n: number,
): SignalCommandEvent {
  const stop = { trigger: at(ratio * 0.97), limit: at(ratio * 0.95) };
  const commands: SignalCommandEvent[] = [
    { type: 'take_profit', id: `profit-${n}`, orderType: 'market', price: null, percent: '50', stop },
    {
      ...{ type: 'take_profit', id: `profit-${n}`, orderType: 'limit', price: at(ratio * 1.01) },
      ...{ percent: '100', stop: null },
    },
    { type: 'trailing_stop', stop },
    {
      ...{ type: 'rebuy', id: `rebuy-${n}`, min: at(ratio * 0.98), max: at(ratio * 1.01) },
      ...{ investPercent: null, stop: null },
    },
    { type: 'dca', id: `dca-${n}`, price: at(ratio * 0.98), multiplier: '1' },
    { type: 'update_prices', targets: { 'target-1': at(1.025) }, stopLoss: at(0.92) },
    { type: 'cancel' },
  ];
  return commands[Math.floor(random() * commands.length)];
}
