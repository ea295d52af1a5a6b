import type { AppError } from '../../compute/model/errors.js';
import type { PendingRequest } from './pending-request.js';
import type { ResultSource } from './waiter.js';
import type { Reply } from './wire.js';

/** What a queue client calls when it knows how a request goes on. */
export interface RequestHandlers {
  /** The request has a result, as JSON. */
  answer: (request: PendingRequest, text: string, source: ResultSource) => void;
  refuse: (request: PendingRequest, error: AppError) => void;
  /** The request has to be sent again. */
  askAgain: (request: PendingRequest) => void;
  /** A node has replied to the request. */
  receive: (reply: Reply, request: PendingRequest) => void;
}
