import type { Redis } from 'ioredis';

export const revokedChannel = 'tidemark:revoked';

/** Sessions and grants that ended, by id, tokens that were revoked, by key, and users who changed, by id. */
export interface Revoked {
  sessions?: readonly string[];
  tokens?: readonly string[];
  grants?: readonly string[];
  users?: readonly string[];
}

export type AnnounceRevoked = (revoked: Revoked) => Promise<void>;

/** Announces changed sessions and users to every gateway. Never rejects: caches expire by themselves. */
export const announceRevoked =
  (redis: Redis): AnnounceRevoked =>
  async (revoked) => {
    await redis.publish(revokedChannel, JSON.stringify(revoked)).catch(() => undefined);
  };
