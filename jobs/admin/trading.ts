import { KnownExchanges } from '../../storage/exchanges/known-exchanges.js';
import { optional } from './cli/command-option.js';
import { defineCommand, defineNoun, type CommandResult } from './cli/define-command.js';
import { nameReader, partnerIdOf } from './cli/partner-option.js';
import { tableOf } from './cli/table-of.js';
import type { CommandContext } from './cli/with-servers.js';

const options = {
  exchange: optional({ value: 'name', meaning: 'only on this exchange' }),
  partner: optional({
    value: 'name',
    meaning: 'only signals of this partner; of a removed one by id',
    read: nameReader,
  }),
};

interface HaltNames {
  exchange: string | undefined;
  partner: string | undefined;
}

const halt = defineCommand({
  name: 'halt',
  summary: 'Halt new entries of signals: all, of an exchange or of a partner',
  details: 'Stops, targets and closes go on. The halt stands until "trading resume" with the same options.',
  options,
  examples: ['npm run admin -- trading halt', "npm run admin -- trading halt --partner 'Alpha Signals'"],
  run: (names, context) => change(names, context, 'halted'),
});

const resume = defineCommand({
  name: 'resume',
  summary: 'End a halt of new entries',
  options,
  examples: ['npm run admin -- trading resume', 'npm run admin -- trading resume --exchange PAPER'],
  run: (names, context) => change(names, context, 'resumed'),
});

const shown = 100;

const foreign = defineCommand({
  name: 'foreign',
  summary: `List open orders of users that no signal has placed, on up to ${shown} accounts`,
  details:
    'Such orders are left alone. One with an id of this service pauses its account: it was placed by data that is lost, or by another installation.',
  options: {},
  examples: ['npm run admin -- trading foreign'],
  async run(_options, { storage }) {
    const found = await storage.foreignOrders.list({ limit: shown });
    const data = found.flatMap(({ userId, exchange, seenAt, orders }) =>
      orders.map((order) => ({ userId, exchange, ...order, seenAt: seenAt.toISOString() })),
    );
    const rows = data.map(({ userId, exchange, account, pair, clientOrderId, hasOwnId, seenAt }) => [
      ...[userId, exchange, account, pair, clientOrderId, hasOwnId ? 'yes' : 'no', seenAt],
    ]);
    const lines = tableOf(['user', 'exchange', 'account', 'pair', 'order', 'own id', 'seen'], rows);
    return { data, lines: data.length === 0 ? ['there are no such orders'] : lines };
  },
});

/** Sets or ends a halt, then has every execution look at it that it concerns. */
async function change(
  { exchange, partner: name }: HaltNames,
  { storage, settings }: CommandContext,
  what: 'halted' | 'resumed',
): Promise<CommandResult> {
  if (exchange !== undefined) new KnownExchanges(settings).requireName(exchange);
  const partnerId = name === undefined ? undefined : await partnerIdOf(name, storage);
  const scope = { exchange: exchange ?? null, partnerId: partnerId ?? null };
  const isChanged =
    what === 'halted' ? (await storage.halts.add(scope), true) : await storage.halts.remove(scope);
  const concerned = { exchange, ...(partnerId === undefined ? {} : { partnerId }) };
  const executions = isChanged ? await storage.executionReads.wakeOpen(concerned) : 0;
  const halts = (await storage.halts.list()).length;
  const where =
    [name && `of ${name}`, exchange && `on ${exchange}`].filter(Boolean).join(' ') || 'everywhere';
  return {
    data: { ...scope, changed: isChanged, executions, halts },
    lines: [
      isChanged
        ? `new entries ${where}: ${what}; ${executions} executions are told`
        : `there is no halt ${where}`,
      `halts that stand: ${halts}`,
    ],
  };
}

/** The operator's switches. */
export const tradingCommand = defineNoun('trading', {
  summary: 'Halting new entries of signals; orders of unknown origin',
  examples: ['npm run admin -- trading halt', 'npm run admin -- trading resume'],
  commands: [foreign, halt, resume],
});
