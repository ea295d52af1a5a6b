import { candlesImport } from './candles-import.js';
import { candlesStatus } from './candles-status.js';
import type { Command } from './command.js';
import { userAdd } from './user-add.js';

/** Every command, in the order of the alphabet. */
export const commands: readonly Command[] = [candlesImport, candlesStatus, userAdd];
