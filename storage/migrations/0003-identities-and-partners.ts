import type { Migration } from './migration.js';

/** Identities by user; unique names of partners; partners by key. */
export const identitiesAndPartners: Migration = {
  id: '0003-identities-and-partners',
  async up(db) {
    await db.collection('identities').createIndex({ userId: 1 });
    await db.collection('partners').createIndex({ name: 1 }, { unique: true });
    await db.collection('partners').createIndex({ 'keys.key': 1 });
  },
};
