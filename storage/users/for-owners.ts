/** A repository whose documents belong to users. */
export interface OwnedDocuments {
  /** Ids of users with documents, each once, in order, after `afterId`; empty at the end. */
  owners(afterId: string, limit: number): Promise<string[]>;
}

const usersAtATime = 500;

/**
 * Calls `work` with the ids of all users who own documents, up to 500 at a time, and returns the sum of its results. Throws
 * the reason of the signal once that is aborted.
 */
export async function forOwners(
  repository: OwnedDocuments,
  signal: AbortSignal,
  work: (userIds: readonly string[]) => Promise<number>,
): Promise<number> {
  let sum = 0;
  let last: string | undefined = '';
  while (last !== undefined) {
    signal.throwIfAborted();
    const userIds: string[] = await repository.owners(last, usersAtATime);
    if (userIds.length > 0) sum += await work(userIds);
    last = userIds.at(-1);
  }
  return sum;
}
