import { isMongoUnavailable } from '../../storage/servers/mongo.js';
import { updateRecord } from '../signals/booking/update-record.js';
import { defineSchedule } from './worker/schedule.js';

/** Every night: signals expire without a trade, and old ones leave the year that a record covers. */
export const updateRecordsSchedule = defineSchedule({
  name: 'update-records',
  summary: 'computes the track record of every channel, and has trades booked that an older version left',
  pattern: '0 15 0 * * *',
  limitMs: 1_800_000,
  async run({ storage, lease }, signal) {
    await lease.confirm();
    const old = await storage.unbooked.markOld(Date.now());
    const channels = await storage.channels.list();
    const due = new Map(
      (await storage.channelRecords.due(new Date())).map((each) => [each.channelId, each.due]),
    );
    const errors: unknown[] = [];
    for (const { id } of channels) {
      signal.throwIfAborted();
      await lease.confirm();
      const work = () => updateRecord(storage, { channelId: id, due: due.get(id) ?? {} }, Date.now());
      try {
        await storage.leases.attempt(`channel-record:${id}`, work);
      } catch (error) {
        // A record that fails does not delay the others.
        if (isMongoUnavailable(error)) throw error;
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
    const left = old === 0 ? '' : `; ${old} executions of an older version are to be booked`;
    return `${channels.length} track records computed${left}`;
  },
});
