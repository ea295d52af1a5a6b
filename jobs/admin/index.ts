import { auditCommand } from './audit.js';
import { backupCommand } from './backup.js';
import { candlesCommand } from './candles.js';
import { channelCommand } from './channel.js';
import { checkCommand } from './check.js';
import { connectionCommand } from './connection.js';
import { jobsCommand } from './jobs.js';
import { limitsCommand } from './limits.js';
import { nodesCommand } from './nodes.js';
import { paperCommand } from './paper.js';
import { partnerCommand } from './partner.js';
import { signalCommand } from './signal.js';
import { subscriptionCommand } from './subscription.js';
import { tradingCommand } from './trading.js';
import { userCommand } from './user.js';

/** Every noun of `npm run admin`, in alphabetical order: one file each. */
export const nouns = [
  auditCommand,
  backupCommand,
  candlesCommand,
  channelCommand,
  checkCommand,
  connectionCommand,
  jobsCommand,
  limitsCommand,
  nodesCommand,
  paperCommand,
  partnerCommand,
  signalCommand,
  subscriptionCommand,
  tradingCommand,
  userCommand,
] as const;
