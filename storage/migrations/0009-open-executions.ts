import type { Migration } from './migration.js';

const earlier = { market: 1, pair: 1, endedAt: 1 } as const;

/** Executions that go on, together for the price watch and by subscription for its limits, instead of those of a market. */
export const openExecutions: Migration = {
  id: '0009-open-executions',
  async up(db, confirm) {
    const executions = db.collection('executions');
    await executions.createIndex({ endedAt: 1, subscriptionId: 1 });
    await confirm();
    const indexes = await executions.indexes();
    const old = indexes.find(({ key }) => JSON.stringify(key) === JSON.stringify(earlier));
    if (old) await executions.dropIndex(old.name!);
  },
};
