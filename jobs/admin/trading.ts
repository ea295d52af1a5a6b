import { AppError } from '../../compute/model/errors.js';
import { KnownExchanges } from '../../storage/exchanges/known-exchanges.js';
import { optional } from './cli/command-option.js';
import { defineCommand, defineNoun, type CommandResult } from './cli/define-command.js';
import { nameReader, partnerIdOf } from './cli/partner-option.js';
import { listResult } from './cli/table-of.js';
import type { CommandContext } from './cli/with-servers.js';

const options = {
  exchange: optional({ value: 'name', meaning: 'only on this exchange' }),
  partner: optional({
    value: 'name',
    meaning: 'only signals of this partner; of a removed one by id',
    read: nameReader,
  }),
  channel: optional({ value: 'id', meaning: 'only signals of this channel' }),
};

interface HaltNames {
  exchange: string | undefined;
  partner: string | undefined;
  channel: string | undefined;
}

const halt = defineCommand({
  name: 'halt',
  summary: 'Halt new entries of signals: all, of an exchange, a partner or a channel',
  details:
    'Stops, targets and closes go on. A halted channel gets no new signals. The halt stands until "trading resume" with the same options.',
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

const list = defineCommand({
  name: 'list',
  summary: 'List the halts of new entries, with the reason of those that the service has made',
  options: {},
  examples: ['npm run admin -- trading list'],
  async run(_options, { storage }) {
    const halts = await storage.halts.list();
    const data = halts.map(({ exchange, partnerId, channelId = null, cause = null, since }) => {
      return { exchange, partner: partnerId, channel: channelId, cause, since: since.toISOString() };
    });
    const rows = data.map(({ exchange, partner, channel, cause, since }) => [
      exchange ?? 'all',
      partner ?? 'all',
      channel ?? 'all',
      since,
      cause ?? 'by an operator',
    ]);
    return listResult(data, ['exchange', 'partner', 'channel', 'since', 'cause'], rows, 'nothing is halted');
  },
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
      userId,
      exchange,
      account,
      pair,
      clientOrderId,
      hasOwnId ? 'yes' : 'no',
      seenAt,
    ]);
    const titles = ['user', 'exchange', 'account', 'pair', 'order', 'own id', 'seen'];
    return listResult(data, titles, rows, 'there are no such orders');
  },
});

/** Sets or ends a halt, then has every execution look at it that it concerns. */
async function change(
  { exchange, partner: name, channel: channelId }: HaltNames,
  { storage, settings }: CommandContext,
  what: 'halted' | 'resumed',
): Promise<CommandResult> {
  if (exchange !== undefined) new KnownExchanges(settings).requireName(exchange);
  const channel = channelId === undefined ? null : await storage.channels.find(channelId);
  if (channelId !== undefined && !channel)
    throw new AppError('invalid_command', `there is no channel "${channelId}"; "channel list" lists them`);
  const partnerId = channel?.partnerId ?? (name === undefined ? undefined : await partnerIdOf(name, storage));
  const scope = {
    exchange: exchange ?? null,
    partnerId: partnerId ?? null,
    ...(channel && { channelId: channel.id }),
  };
  const isChanged =
    what === 'halted' ? (await storage.halts.add(scope), true) : await storage.halts.remove(scope);
  if (what === 'resumed' && isChanged && channel) await storage.channels.noteResumed(channel.id);
  const concerned = { exchange, channelId, ...(partnerId === undefined ? {} : { partnerId }) };
  const executions = isChanged ? await storage.executionReads.wakeOpen(concerned) : 0;
  const halts = (await storage.halts.list()).length;
  const where =
    [channel ? `of channel ${channel.name}` : name && `of ${name}`, exchange && `on ${exchange}`]
      .filter(Boolean)
      .join(' ') || 'everywhere';
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

export const tradingCommand = defineNoun('trading', {
  summary: 'Halting new entries of signals; orders of unknown origin',
  examples: ['npm run admin -- trading halt', 'npm run admin -- trading resume'],
  commands: [foreign, halt, list, resume],
});
