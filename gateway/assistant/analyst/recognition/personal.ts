import { listingNamed } from '../../../mcp/catalogue.js';
import type { Intent } from '../intent.js';
import type { Question } from '../slots/question.js';

const owners = new Set(['my', 'mine', 'our', 'ours', 'portfolio']);
const before = new Set(['am', 'have', 'did', 'do', 'was', 'were', 'had']);

/** "Do I have to wait", "am I right" are no questions about an account. */
const notBehind = new Set([
  'to',
  'right',
  'wrong',
  'allowed',
  'able',
  'supposed',
  'missing',
  'understanding',
]);

/** Whether a question is about the account of the person who asks: "my", "am I", "did I". */
export const isPersonal = (question: Question): boolean =>
  question.tokens.some((_, at) => owners.has(question.word(at)) || isOwn(question, at));

/** What people say of themselves: "what i earned", "the coins i hold". */
const deeds = new Set(
  'own owned hold held holding earned made lost paid bought sold closed opened follow subscribed received traded'.split(
    ' ',
  ),
);

const isOwn = (question: Question, at: number): boolean =>
  (question.word(at) === 'i' && deeds.has(question.word(at + 1)) && question.word(at - 1) !== 'if') ||
  isAsked(question, at);

const isAsked = (question: Question, at: number): boolean =>
  question.word(at) === 'i' &&
  before.has(question.word(at - 1)) &&
  !notBehind.has(question.word(at + 1)) &&
  question.word(at + 2) !== 'to';

/** A factor that makes public readings less likely for such a question. */
export const personalFit = ({ tool }: Intent): number =>
  tool !== null && listingNamed(tool)?.scope === 'public' ? 0.82 : 1;
