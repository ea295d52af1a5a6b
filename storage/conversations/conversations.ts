import { randomBytes } from 'node:crypto';
import { MongoBulkWriteError, type Collection, type Db, type Filter } from 'mongodb';
import { AppError } from '../../compute/model/errors.js';
import { batchedCalls } from '../process/batched-calls.js';
import { duplicateKey, isMongoUnavailable } from '../servers/mongo.js';
import { openCollection } from '../servers/open-collection.js';
import type {
  Conversation,
  ConversationOwner,
  ConversationSummary,
  ConversationTurn,
} from './conversation.js';
import { shortenHistory, titleOf } from './shorten-history.js';

/** The most conversations of one user; the oldest are deleted. */
export const mostConversations = 200;

/**
 * How long a turn may be in progress before another message may take its place, in ms. An answer takes 30 s at most; the rest
 * allows for gateways whose clocks differ.
 */
const claimMs = 120_000;

/** The most new conversations in one write. */
const mostInserted = 64;

/** The longest time that conversations of guests are kept, in days: they have no user who could delete them. */
const guestDays = 1;

const dayMs = 86_400_000;

/** The question that is being answered, by a key that no other message has. */
interface Claim {
  key: string;
  until: Date;
}

interface ConversationDocument extends Omit<Conversation, 'id'> {
  _id: string;
  /** Absent in conversations of guests. */
  userId?: string;
  isGuest?: true;
  /** Time and id: sorts the conversations of a user without ties. */
  order: string;
  expiresAt: Date;
  claim: Claim | null;
}

/** A turn that has been begun: nothing of it is stored yet. */
export interface BegunTurn {
  owner: ConversationOwner;
  /** Number of the turn, from 1. */
  turn: number;
  key: string;
  conversation: Conversation;
}

/** What an answered turn stores. */
export interface TurnOutcome extends Pick<ConversationTurn, 'question' | 'answer' | 'tools'> {
  state: object | null;
}

export interface ConversationPage {
  /** The latest first. */
  conversations: ConversationSummary[];
  /** Where the next page starts; null after the last. */
  next: string | null;
}

/**
 * Conversations with the assistant. Every query names the owner, so that conversations of others are not found: guests find
 * none of users, and users none of guests. A turn is begun, answered and stored as a whole; one that is given up leaves no trace.
 */
export class ConversationRepository {
  readonly #collection: Collection<ConversationDocument>;
  /** New conversations that come during an insert share the next one, because most questions begin a conversation. */
  readonly #insert: (document: ConversationDocument) => Promise<AppError | null>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'conversations');
    this.#insert = batchedCalls({
      maxCount: mostInserted,
      send: (documents: ConversationDocument[]) => this.#insertAll(documents),
    });
  }

  /**
   * Begins the next turn of a conversation, or the first of a new one where `id` is null. Throws `unknown_conversation`, and
   * `conversation_busy` while another message of the conversation is being answered.
   */
  async begin(owner: ConversationOwner, id: string | null, now = Date.now()): Promise<BegunTurn> {
    const key = randomBytes(9).toString('base64url');
    if (id === null) return { owner, turn: 1, key, conversation: freshConversation(now) };
    const known = { ...ownedBy(owner), _id: id, expiresAt: { $gt: new Date(now) } };
    const isFree = [{ claim: null }, { 'claim.until': { $lte: new Date(now) } }];
    const found = await this.#collection.findOneAndUpdate(
      { ...known, $or: isFree },
      { $set: { claim: { key, until: new Date(now + claimMs) } } },
    );
    if (found) return { owner, turn: found.turns + 1, key, conversation: toConversation(found) };
    if ((await this.#collection.findOne(known, { projection: { _id: 1 } })) === null) throw unknown(id);
    const message =
      'another message of this conversation is being answered; send the next one after its answer';
    throw new AppError('conversation_busy', message, { details: { field: 'conversationId' } });
  }

  /**
   * Stores a begun turn. Throws `unknown_conversation` if the conversation was deleted meanwhile, and `conversation_busy` if
   * the turn took so long that another message has taken its place.
   */
  async complete(begun: BegunTurn, outcome: TurnOutcome, keptDays: number, now = Date.now()): Promise<void> {
    const changed = changedBy(begun, outcome, keptDays, now);
    if (begun.turn > 1) return this.#replace(begun, changed);
    const failure = await this.#insert(newDocument(begun, outcome.question, changed));
    if (failure !== null) throw failure;
    if (begun.owner !== null) await this.#dropExcess(begun.owner);
  }

  /** Gives up a begun turn, so that another message can take its place at once. */
  async release({ owner, turn, key, conversation }: BegunTurn): Promise<void> {
    if (turn === 1) return;
    const own = { ...ownedBy(owner), _id: conversation.id, 'claim.key': key };
    await this.#collection.updateOne(own, { $set: { claim: null } });
  }

  /** The latest conversations of a user, or those that follow a page's `next`. */
  async list(
    userId: string,
    { limit, after, now = Date.now() }: { limit: number; after?: string | undefined; now?: number },
  ): Promise<ConversationPage> {
    const place = after === undefined ? {} : { order: { $lt: after } };
    const found = await this.#collection
      .find(
        { userId, expiresAt: { $gt: new Date(now) }, ...place },
        { projection: { recent: 0, earlier: 0, state: 0 } },
      )
      .sort({ order: -1 })
      .limit(limit + 1)
      .toArray();
    const page = found.slice(0, limit);
    return { conversations: page.map(toSummary), next: found.length > limit ? page.at(-1)!.order : null };
  }

  /** A conversation of a user. Throws `unknown_conversation`. */
  async find(userId: string, id: string, now = Date.now()): Promise<Conversation> {
    const found = await this.#collection.findOne({ _id: id, userId, expiresAt: { $gt: new Date(now) } });
    if (!found) throw unknown(id);
    return toConversation(found);
  }

  /** Deletes a conversation of a user. Throws `unknown_conversation`. */
  async remove(userId: string, id: string, now = Date.now()): Promise<void> {
    const own = { _id: id, userId, expiresAt: { $gt: new Date(now) } };
    if ((await this.#collection.deleteOne(own)).deletedCount === 0) throw unknown(id);
  }

  /** Why each document is not stored, or null. Throws where the database cannot be reached. */
  async #insertAll(documents: readonly ConversationDocument[]): Promise<(AppError | null)[]> {
    try {
      await this.#collection.insertMany(documents, { ordered: false });
      return documents.map(() => null);
    } catch (error) {
      if (!(error instanceof MongoBulkWriteError) || isMongoUnavailable(error)) throw error;
      const failures = new Map([error.writeErrors].flat().map((each) => [each.index, each]));
      // Everything is written, but not by as many servers as must confirm it.
      if (failures.size === 0) throw error;
      return documents.map((_, n) => {
        const { code, errmsg } = failures.get(n) ?? { code: duplicateKey };
        // The id is random: only an earlier try of this write, whose answer was lost, can have stored it.
        return code === duplicateKey ? null : new AppError('unexpected', `not stored: ${errmsg}`);
      });
    }
  }

  async #replace(
    { owner, key, conversation: { id } }: BegunTurn,
    changed: Partial<ConversationDocument>,
  ): Promise<void> {
    const own = { ...ownedBy(owner), _id: id };
    const mine = { ...own, 'claim.key': key } as Filter<ConversationDocument>;
    if ((await this.#collection.updateOne(mine, { $set: changed })).matchedCount === 1) return;
    if ((await this.#collection.findOne(own, { projection: { _id: 1 } })) === null) throw unknown(id);
    const message = 'the answer took too long, and another message has taken its place; ask again';
    throw new AppError('conversation_busy', message, { details: { field: 'conversationId' } });
  }

  /** Deletes what a user has beyond the latest 200. */
  async #dropExcess(userId: string): Promise<void> {
    const [first] = await this.#collection
      .find({ userId }, { projection: { _id: 0, order: 1 } })
      .sort({ order: -1 })
      .skip(mostConversations)
      .limit(1)
      .toArray();
    if (first) await this.#collection.deleteMany({ userId, order: { $lte: first.order } });
  }
}

type ChangedFields = Omit<ConversationDocument, '_id' | 'userId' | 'isGuest' | 'title' | 'createdAt'>;

/** What a turn changes in its conversation. */
function changedBy(
  { owner, turn, conversation }: BegunTurn,
  { state, ...rest }: TurnOutcome,
  keptDays: number,
  now: number,
): ChangedFields {
  const days = owner === null ? Math.min(guestDays, keptDays) : keptDays;
  return {
    ...shortenHistory({
      recent: [...conversation.recent, { turn, at: new Date(now), ...rest }],
      earlier: conversation.earlier,
    }),
    state,
    turns: turn,
    updatedAt: new Date(now),
    order: `${new Date(now).toISOString()} ${conversation.id}`,
    expiresAt: new Date(now + days * dayMs),
    claim: null,
  };
}

function newDocument(
  { owner, conversation }: BegunTurn,
  question: string,
  changed: ChangedFields,
): ConversationDocument {
  const { id: _id, createdAt } = conversation;
  return { _id, ...ownedBy(owner), title: titleOf(question), createdAt, ...changed };
}

/** A new conversation, known by 144 random bits. */
const freshConversation = (now: number): Conversation => ({
  id: randomBytes(18).toString('base64url'),
  title: '',
  createdAt: new Date(now),
  updatedAt: new Date(now),
  turns: 0,
  recent: [],
  earlier: '',
  state: null,
});

const ownedBy = (owner: ConversationOwner): { userId: string } | { isGuest: true } =>
  owner === null ? { isGuest: true } : { userId: owner };

const unknown = (id: string): AppError =>
  new AppError('unknown_conversation', `there is no conversation "${id.slice(0, 100)}"`, {
    details: { field: 'conversationId' },
  });

type Listed = Pick<ConversationDocument, '_id' | 'title' | 'createdAt' | 'updatedAt' | 'turns'>;

const toSummary = ({ _id: id, title, createdAt, updatedAt, turns }: Listed): ConversationSummary => ({
  id,
  title,
  createdAt,
  updatedAt,
  turns,
});

const toConversation = (document: ConversationDocument): Conversation => ({
  ...toSummary(document),
  recent: document.recent,
  earlier: document.earlier,
  state: document.state,
});
