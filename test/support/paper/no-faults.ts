import type { ReportFaulty } from '../../../storage/exchanges/paper/faulty-items.js';

/** For tests in which no data are faulty: throws the error. */
export const noFaults: ReportFaulty = (_id, error) => {
  throw error;
};
