import type { Migration } from './migration.js';

/** Identities by user; unique names of partners; partners by key. */
export const identitiesAndPartners: Migration = {
  id: '0003-identities-and-partners',
  async up(db, confirm) {
    await db.collection('identities').createIndex({ userId: 1 });
    await confirm();
    await db.collection('partners').createIndex({ name: 1 }, { unique: true });
    await confirm();
    await db.collection('partners').createIndex({ 'keys.key': 1 });
  },
};
