import { candlesImport } from './candles-import.js';
import { candlesStatus } from './candles-status.js';
import type { Command } from './command.js';
import { connectionAdd } from './connection-add.js';
import { connectionList } from './connection-list.js';
import { connectionRemove } from './connection-remove.js';
import { limitsReset } from './limits-reset.js';
import { limitsShow } from './limits-show.js';
import { paperHold } from './paper-hold.js';
import { partnerAdd } from './partner-add.js';
import { partnerList } from './partner-list.js';
import { partnerRemove } from './partner-remove.js';
import { partnerRevoke } from './partner-revoke.js';
import { partnerRotate } from './partner-rotate.js';
import { userAdd } from './user-add.js';
import { userList } from './user-list.js';
import { userOperator } from './user-operator.js';
import { userPassword } from './user-password.js';
import { userPlan } from './user-plan.js';
import { userRemove } from './user-remove.js';
import { userSessions } from './user-sessions.js';
import { userSignOut } from './user-sign-out.js';

/** Every command, in the order of the alphabet. */
export const commands: readonly Command[] = [
  candlesImport,
  candlesStatus,
  connectionAdd,
  connectionList,
  connectionRemove,
  limitsReset,
  limitsShow,
  paperHold,
  partnerAdd,
  partnerList,
  partnerRemove,
  partnerRevoke,
  partnerRotate,
  userAdd,
  userList,
  userOperator,
  userPassword,
  userPlan,
  userRemove,
  userSessions,
  userSignOut,
];
