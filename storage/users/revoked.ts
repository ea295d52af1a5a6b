import type { Redis } from 'ioredis';

export const revokedChannel = 'tidemark:revoked';

/** What is no longer as it was: sessions by id, or all that is known of users. */
export interface Revoked {
  sessions?: readonly string[];
  users?: readonly string[];
}

export type AnnounceRevoked = (revoked: Revoked) => Promise<void>;

/** Tells every directory that sessions or users have changed. Directories see it in time even if this fails. */
export const announceRevoked =
  (redis: Redis): AnnounceRevoked =>
  async (revoked) => {
    await redis.publish(revokedChannel, JSON.stringify(revoked)).catch(() => undefined);
  };
