import { field, type Value } from '../../../compute/model/field.js';
import { backtestDescription } from '../../../jobs/definitions/backtest.js';
import { CircuitBreaker } from '../../../storage/exchanges/circuit-breaker.js';
import { paperName, type ExchangeEntry } from '../../../storage/exchanges/exchange-names.js';
import { paperFees } from '../../../storage/exchanges/paper/paper-pair-terms.js';
import { accountsOf } from '../../../storage/exchanges/read-pair-terms.js';
import { findVenue } from '../../../storage/exchanges/venues/index.js';
import type { Deps } from '../../context.js';
import { describedOperation } from '../analysis/described-operation.js';

const percent = (text: string) => field.nullable(field.number(text, { unit: 'percent' }));

const supportedExchange = field.object('an exchange', {
  exchange: field.text('name that requests use'),
  kind: field.choice('simulated by this service (paper), or reached with an API key (key)', ['paper', 'key']),
  spot: field.flag('whether its spot account is supported'),
  margin: field.flag('whether its margin account is supported'),
  futures: field.flag('whether its futures account is supported'),
  autoExecution: field.flag('whether signals can be executed there now'),
  autoExecutionReason: field.nullable(field.text('why not; null where they can')),
  needsPassphrase: field.flag('whether its API keys have a passphrase'),
  isMarket: field.flag('whether the candles and prices of this service come from it'),
  feeTier: field.nullable(field.text('tier of the fees; null where they are not known')),
  makerPercent: percent('spot fee of an order that waits in the book; null where it is not known'),
  takerPercent: percent('spot fee of an order that fills at once; null where it is not known'),
  feesAsOf: field.nullable(
    field.text('day to which the fees are valid; null for those of the paper exchange'),
  ),
  status: field.choice('whether requests to it are sent, or paused because it failed', [
    'operating',
    'paused',
  ]),
  statusReason: field.nullable(field.text('why it is paused; null otherwise')),
  retryAfterSeconds: field.nullable(field.count('seconds until it is asked again; null unless it is paused')),
});

const output = { exchanges: field.list('the paper exchange first', supportedExchange) };

export const supportedExchanges = describedOperation({
  id: 'supported-exchanges',
  summary:
    'The supported exchanges: accounts, whether signals are executed there, fees of the base tier, and whether they answer.',
  output,
  async handle(_input, deps) {
    const { entries } = deps.exchanges.exchanges;
    const reached = await Promise.all(entries.map((entry) => viewOf(entry, deps)));
    const exchanges: Value<typeof supportedExchange>[] = [paperView(deps), ...reached];
    return { payload: { exchanges } };
  },
});

const operating = { status: 'operating', statusReason: null, retryAfterSeconds: null } as const;

function paperView({ settings: { MARKET } }: Deps) {
  const [autoExecution, spot] = [MARKET === 'demo', paperFees('SPOT')];
  return {
    ...({ exchange: paperName, kind: 'paper', spot: true, margin: true, futures: true } as const),
    autoExecution,
    autoExecutionReason: autoExecution ? null : 'paper orders follow the prices of the demo market alone',
    needsPassphrase: false,
    isMarket: MARKET === 'demo',
    feeTier: 'base',
    makerPercent: Number(spot.makerPercent),
    takerPercent: Number(spot.takerPercent),
    feesAsOf: null,
    ...operating,
  };
}

async function viewOf({ name, id }: ExchangeEntry, { redis, settings }: Deps) {
  const pause = await new CircuitBreaker(redis, id).pause();
  const accounts = accountsOf(id);
  const fees = backtestDescription.exchangeFees.find(({ exchange }) => exchange === id.toUpperCase());
  const reason = whyNoExecution(id, settings);
  return {
    ...({ exchange: name, kind: 'key' } as const),
    spot: accounts.includes('SPOT'),
    margin: accounts.includes('MARGIN'),
    futures: accounts.includes('FUTURES'),
    autoExecution: reason === null,
    autoExecutionReason: reason,
    needsPassphrase: findVenue(id)?.needsPassphrase ?? false,
    isMarket: id === settings.MARKET,
    feeTier: fees ? 'base' : null,
    makerPercent: fees?.makerPercent ?? null,
    takerPercent: fees?.takerPercent ?? null,
    feesAsOf: fees?.asOf ?? null,
    ...(pause === null
      ? operating
      : {
          status: 'paused' as const,
          statusReason: pause.reason,
          retryAfterSeconds: Math.ceil(pause.leftMs / 1_000),
        }),
  };
}

function whyNoExecution(id: string, { LIVE_TRADING }: Deps['settings']): string | null {
  if (!findVenue(id)?.trading) return 'orders cannot be placed there yet';
  return LIVE_TRADING === 'on' ? null : 'the operator of this service has switched live trading off';
}
