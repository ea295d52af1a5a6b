import { AppError } from '../../compute/model/errors.js';
import { textWithoutSecrets } from '../../storage/process/without-secrets.js';
import { mostFaults } from '../../storage/signals/step-fault.js';
import type { PartnerSignal } from '../../storage/signals/partner-signal.js';
import { optional, required } from './cli/command-option.js';
import { defineCommand, defineNoun } from './cli/define-command.js';
import { nameReader, partnerIdOf } from './cli/partner-option.js';
import { listResult } from './cli/table-of.js';
import type { CommandContext } from './cli/with-servers.js';

const shown = 100;

const list = defineCommand({
  name: 'list',
  summary: `List the ${shown} newest signals`,
  options: {
    partner: optional({
      value: 'name',
      meaning: 'only signals of this partner; of a removed one by id',
      read: nameReader,
    }),
  },
  examples: ['npm run admin -- signal list', "npm run admin -- signal list --partner 'Alpha Signals'"],
  async run({ partner: name }, { storage }) {
    const partnerId = name === undefined ? undefined : await partnerIdOf(name, storage);
    const { signals } = await storage.signals.list({ partnerId, limit: shown });
    const data = await describeSignals(signals, storage);
    const rows = data.map(({ id, partner: of, pair, side, status, delivered, executions, created }) => [
      id,
      of ?? '(removed)',
      pair,
      side,
      status,
      String(delivered),
      inWords(executions),
      created,
    ]);
    const titles = ['id', 'partner', 'pair', 'side', 'state', 'delivered', 'executions', 'created'];
    return listResult(data, titles, rows, 'there are no signals');
  },
});

const show = defineCommand({
  name: 'show',
  summary: 'Show a signal with its commands and what its executions are doing',
  options: { id: required({ value: 'id', meaning: 'id, as "signal list" shows it' }) },
  examples: ['npm run admin -- signal show --id I'],
  async run({ id }, { storage }) {
    const [signal] = await storage.signals.ofIds([id]);
    if (!signal) throw new AppError('invalid_command', `there is no signal "${id}"`);
    const [described] = await describeSignals([signal], storage);
    const { terms, commands, events, delivery, dueAt } = signal;
    const { entries, targets, stopLoss } = terms;
    return {
      data: { ...described, terms, commands, events, delivery, dueAt },
      lines: [
        `${described.pair} ${described.side} of ${described.partner ?? '(removed)'}, ${described.status}`,
        `entries ${entries.map(({ price }) => price).join(', ')}; targets ${targets.join(', ')}; stop ${stopLoss ?? 'none'}`,
        `delivered to ${delivery.delivered}${delivery.isDone ? '' : ' so far'}; executions: ${inWords(described.executions)}`,
        ...events.map(({ at, type, cause }) => `${at.toISOString()} ${type}: ${cause}`),
      ],
    };
  },
});

async function describeSignals(signals: readonly PartnerSignal[], storage: CommandContext['storage']) {
  const names = new Map((await storage.partners.list()).map(({ id, name }) => [id, name]));
  const counts = await storage.executionReads.countsOf(signals.map(({ id }) => id));
  return signals.map(({ id, partnerId, channelId, status, terms, delivery, createdAt }) => ({
    id,
    status,
    channel: channelId,
    partner: names.get(partnerId) ?? null,
    pair: `${terms.coin}/${terms.quote}`,
    side: terms.side,
    delivered: delivery.delivered,
    executions: counts.get(id) ?? {},
    created: createdAt.toISOString(),
  }));
}

const inWords = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([status, n]) => `${n} ${status}`)
    .join(', ') || '-';

const faults = defineCommand({
  name: 'faults',
  summary: 'List the deliveries and executions that have failed and wait for an operator',
  details:
    `After ${mostFaults} failures in a row a step is not tried again by itself. Others go on meanwhile. ` +
    'Orders that stand at an exchange go on standing.',
  options: {},
  examples: ['npm run admin -- signal faults'],
  async run(_values, { storage }) {
    const [signals, executions] = await Promise.all([
      storage.signals.faulty(shown),
      storage.executions.faulty(shown),
    ]);
    const data = [
      ...signals.map(({ id, fault }) => ({ what: 'delivery', id, signal: id, user: null, fault: fault! })),
      ...executions.map(({ id, signalId, userId, fault }) => {
        return { what: 'execution', id, signal: signalId, user: userId, fault: fault! };
      }),
    ].map(({ fault: { message, count, at }, ...rest }) => ({
      ...rest,
      message: textWithoutSecrets(message),
      failures: count,
      at: at.toISOString(),
    }));
    const rows = data.map(({ what, id, user, message, failures, at }) => [
      what,
      id,
      user ?? '-',
      message.replace(/\s+/g, ' ').slice(0, 80),
      String(failures),
      at,
    ]);
    const titles = ['what', 'id', 'user', 'message', 'failures', 'at'];
    return listResult(data, titles, rows, 'no delivery or execution waits for an operator');
  },
});

const retry = defineCommand({
  name: 'retry',
  summary: 'Try a delivery or an execution again that has failed',
  details: 'It is tried within seconds, and as often as a new one.',
  options: { id: required({ value: 'id', meaning: 'id, as "signal faults" shows it' }) },
  examples: ['npm run admin -- signal retry --id I'],
  async run({ id }, { storage }) {
    const isFound =
      (await storage.signals.retry(id, Date.now())) || (await storage.executions.retry(id, Date.now()));
    if (!isFound)
      throw new AppError('invalid_command', `nothing with the id "${id}" has failed; see "signal faults"`);
    return { data: { id }, lines: [`${id} is tried again`] };
  },
});

export const signalCommand = defineNoun('signal', {
  summary: 'Signals of partners, and what became of them',
  examples: ['npm run admin -- signal list', 'npm run admin -- signal show --id I'],
  commands: [faults, list, retry, show],
});
