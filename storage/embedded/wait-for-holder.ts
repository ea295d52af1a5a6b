import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../compute/model/errors.js';
import { claimAnswers } from './claim-socket.js';
import { claimDataFolder, type DataFolderClaim } from './data-folder.js';
import { isLiving } from './living-process.js';
import { readRunFile, type RunFile } from './run-file.js';

const serviceReadyWithinMs = 120_000;
const commandDoneWithinMs = 60_000;

export interface Claimant {
  name: string;
  holder: 'service' | 'command';
  running: 'join' | 'refuse';
  report: (line: string) => void;
}

/**
 * Claims the data folder, or returns the run file of the service that holds it once that is ready. Throws
 * `data_folder_in_use` if `running` is `refuse`, or when the holder takes too long.
 */
export async function claimOrJoin(
  folder: string,
  claimant: Claimant,
): Promise<{ claim: DataFolderClaim } | { run: RunFile }> {
  const since = Date.now();
  for (let reported = false; ; reported = true) {
    const { claimed, claim } = await claimDataFolder(folder, claimant);
    if (claimed) return { claim };
    const isService = claim.holder === 'service';
    if (isService && (claimant.running === 'refuse' || (await isElsewhere(folder, claim))))
      throw inUse(folder, claim);
    const run = isService ? await readRunFile(folder) : undefined;
    if (run?.claimId === claim.claimId) return { run };
    const limitMs = isService ? serviceReadyWithinMs : commandDoneWithinMs;
    if (Date.now() - since > limitMs) throw inUse(folder, claim);
    const event = isService ? 'be ready' : 'finish';
    if (!reported) claimant.report(`waiting for "${claim.name}" (pid ${claim.pid}) to ${event} ...`);
    await delay(50);
  }
}

/** Whether the holder runs in another container, whose servers cannot be reached from here. */
const isElsewhere = async (folder: string, claim: DataFolderClaim): Promise<boolean> =>
  !isLiving(claim) && claimAnswers(folder, claim.claimId);

function inUse(folder: string, claim: DataFolderClaim): AppError {
  const where = isLiving(claim) ? `pid ${claim.pid}` : 'in another container';
  const sentence = `the data folder "${folder}" belongs to a running Tidemark ("${claim.name}", ${where})`;
  return new AppError('data_folder_in_use', `${sentence}; stop it, or set DATA_DIR to another folder`);
}
