import type { Migration } from './migration.js';

/**
 * Every user says whether and when the e-mail was verified. Users of before sign-up, and those marked as verified, were
 * added by operators and identity providers: they count as verified since they were added. Those who signed up do not.
 */
export const verifiedEmails: Migration = {
  id: '0004-verified-emails',
  async up(db, confirm) {
    const unset = { emailVerifiedAt: { $exists: false } };
    const verified = { $set: { emailVerified: true, emailVerifiedAt: '$createdAt' } };
    await db.collection('users').updateMany({ ...unset, emailVerified: { $ne: false } }, [verified]);
    await confirm();
    await db.collection('users').updateMany(unset, { $set: { emailVerifiedAt: null } });
  },
};
