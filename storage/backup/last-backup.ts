import type { Redis } from 'ioredis';

const key = 'tidemark:last-backup';

/** Notes when the last backup was begun (ISO 8601), for the metrics. It is lost with Redis, and then counts as none. */
export const noteBackup = async (redis: Redis, startedAt: string): Promise<void> =>
  void (await redis.set(key, startedAt));

/** When the last backup was begun, ISO 8601; null if none is known. */
export const lastBackupAt = (redis: Redis): Promise<string | null> => redis.get(key);
