import { candlesCommand } from './candles.js';
import { checkCommand } from './check.js';
import { connectionCommand } from './connection.js';
import { jobsCommand } from './jobs.js';
import { limitsCommand } from './limits.js';
import { nodesCommand } from './nodes.js';
import { paperCommand } from './paper.js';
import { partnerCommand } from './partner.js';
import { userCommand } from './user.js';

/** Every noun of `npm run admin`, in alphabetical order: one file each. */
export const nouns = [
  candlesCommand,
  checkCommand,
  connectionCommand,
  jobsCommand,
  limitsCommand,
  nodesCommand,
  paperCommand,
  partnerCommand,
  userCommand,
] as const;
