import Joi from 'joi';
import { Decimal } from '../../compute/model/decimal.js';
import type { Channel } from '../../storage/signals/channel.js';
import { choice, optional, readBy, required, type OptionReader, wrongOption } from './cli/command-option.js';
import { defineCommand, defineNoun } from './cli/define-command.js';
import { findPartner, nameReader } from './cli/partner-option.js';
import { listResult } from './cli/table-of.js';

const mostTargets = 6;

/** A percentage above 0 and below 100, as a decimal. */
const readPercent: OptionReader<string> = (given, name) => {
  if (/^\d{1,2}(\.\d{1,4})?$/.test(given) && Decimal.parse(given).sign > 0) return given;
  throw wrongOption(name, 'a percentage above 0 and below 100', given);
};

const readTargets: OptionReader<string[]> = (given, name) => {
  const targets = given.split(',').map((each) => readPercent(each.trim(), name));
  const isAscending = targets.every(
    (each, n) => n === 0 || Decimal.parse(targets[n - 1]).compare(Decimal.parse(each)) < 0,
  );
  if (isAscending && targets.length <= mostTargets) return targets;
  throw wrongOption(name, `1 to ${mostTargets} percentages, each above the one before`, given);
};

const sideWords = ['long', 'short', 'both'] as const;

const add = defineCommand({
  name: 'add',
  summary: 'Add a channel of a partner, to which users subscribe',
  details: 'The defaults complete signals that do not say it themselves.',
  options: {
    partner: required({ value: 'name', meaning: 'name of the partner', read: nameReader }),
    name: required({ value: 'name', meaning: 'name of the channel', read: nameReader }),
    description: optional({
      value: 'text',
      meaning: 'what users read about it, at most 1000 characters',
      read: readBy(Joi.string().max(1_000)),
    }),
    targets: optional({
      value: 'percents',
      meaning: 'distances of targets from the entry, as in 5,10',
      read: readTargets,
    }),
    stopLoss: optional({
      value: 'percent',
      meaning: 'distance of the stop from the entry',
      read: readPercent,
    }),
    trailingStop: optional({
      value: 'percent',
      meaning: 'distance of a trailing stop from the entry, where there is no stop',
      read: readPercent,
    }),
    sides: choice({
      value: 'side',
      meaning: 'what new subscriptions follow',
      choices: sideWords,
      default: 'both',
    }),
  },
  examples: [
    "npm run admin -- channel add --partner 'Alpha Signals' --name Majors",
    "npm run admin -- channel add --partner 'Alpha Signals' --name Alts --targets 5,10 --trailing-stop 4",
  ],
  async run(
    { partner: partnerName, name, description, targets, stopLoss, trailingStop, sides },
    { storage },
  ) {
    const partner = await findPartner(partnerName, storage);
    const channel = await storage.channels.add({
      partnerId: partner.id,
      name,
      description: description ?? '',
      defaults: {
        targetPercents: targets ?? [],
        stopLossPercent: stopLoss ?? null,
        trailingStopPercent: trailingStop ?? null,
        sides: sides === 'both' ? ['long', 'short'] : [sides],
      },
    });
    return {
      data: { ...describeChannel(channel), partner: partner.name },
      lines: [`added channel ${name} of ${partner.name}: ${channel.id}`],
    };
  },
});

const list = defineCommand({
  name: 'list',
  summary: 'List the channels of all partners',
  options: {},
  examples: ['npm run admin -- channel list'],
  async run(_values, { storage }) {
    const [channels, partners] = await Promise.all([storage.channels.list(), storage.partners.list()]);
    const names = new Map(partners.map(({ id, name }) => [id, name]));
    const data = channels.map((channel) => ({
      ...describeChannel(channel),
      partner: names.get(channel.partnerId) ?? null,
    }));
    const rows = data.map(({ id, partner, name, created }) => [id, partner ?? '(removed)', name, created]);
    return listResult(data, ['id', 'partner', 'channel', 'created'], rows, 'there are no channels');
  },
});

const describeChannel = ({ id, name, description, defaults, createdAt }: Channel) => ({
  id,
  name,
  description,
  defaults,
  created: createdAt.toISOString(),
});

export const channelCommand = defineNoun('channel', {
  summary: 'Channels of partners, to which users subscribe',
  examples: [
    "npm run admin -- channel add --partner 'Alpha Signals' --name Majors",
    'npm run admin -- channel list',
  ],
  commands: [add, list],
});
