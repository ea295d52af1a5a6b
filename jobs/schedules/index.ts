import type { Schedule } from './worker/schedule.js';
import { calibrateRiskSchedule } from './calibrate-risk.js';
import { checkMarketSchedule } from './check-market.js';
import { cleanUpSchedule } from './clean-up.js';
import { completeWritesSchedule } from './complete-writes.js';
import { rankStrategiesSchedule } from './rank-strategies.js';
import { refreshCoreLinesSchedule } from './refresh-core-lines.js';
import { snapshotEquitySchedule } from './snapshot-equity.js';
import { updateRecordsSchedule } from './update-records.js';

/** Every schedule, in alphabetical order. */
export const schedules: readonly Schedule[] = [
  calibrateRiskSchedule,
  checkMarketSchedule,
  cleanUpSchedule,
  completeWritesSchedule,
  rankStrategiesSchedule,
  refreshCoreLinesSchedule,
  snapshotEquitySchedule,
  updateRecordsSchedule,
];
