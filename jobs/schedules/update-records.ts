import { Prices } from '../../storage/candles/prices.js';
import { KnownExchanges } from '../../storage/exchanges/known-exchanges.js';
import { isMongoUnavailable } from '../../storage/servers/mongo.js';
import { recordStart, updateRecord } from '../signals/booking/update-record.js';
import { updateReferences } from '../signals/booking/update-references.js';
import { storeOutcomes } from '../signals/booking/store-outcomes.js';
import { defineSchedule } from './worker/schedule.js';

/**
 * Every hour, when the last 1h candles are stored: open losses are valued anew, signals expire without a trade, and old ones
 * leave the year that a record covers.
 */
export const updateRecordsSchedule = defineSchedule({
  name: 'update-records',
  summary: 'computes the track record of every channel',
  pattern: '0 15 * * * *',
  limitMs: 1_800_000,
  async run({ settings, storage, redis, log, lease }, signal) {
    await lease.confirm();
    const channels = await storage.channels.list();
    const due = new Map(
      (await storage.channelRecords.due(new Date())).map((each) => [each.channelId, each.due]),
    );
    const held = await storage.executionReads.heldSignals();
    const errors: unknown[] = [];
    const tools = { storage, prices: new Prices(redis), log };
    const { marketOf } = new KnownExchanges(settings);
    const marketsOf = (exchange: string) => [marketOf(exchange), settings.MARKET];
    for (const channel of channels) {
      const { id } = channel;
      signal.throwIfAborted();
      await lease.confirm();
      const work = async () => {
        const nowMs = Date.now();
        await updateReferences(storage, channel, recordStart(nowMs), marketsOf);
        const losers = await storage.signalOutcomes.openLosers(id);
        await storeOutcomes(tools, id, [...new Set([...losers, ...(held.get(id) ?? [])])], nowMs);
        await updateRecord(tools, { channelId: id, due: due.get(id) ?? {} }, nowMs);
      };
      try {
        await storage.leases.attempt(`channel-record:${id}`, work);
      } catch (error) {
        // A record that fails does not delay the others.
        if (isMongoUnavailable(error)) throw error;
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
    return `${channels.length} track records computed`;
  },
});
