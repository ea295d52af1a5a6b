import { wordSet } from '../word-list.js';
import { listingNamed } from '../../../mcp/catalogue.js';
import type { Intent } from '../intent.js';
import type { Question } from '../slots/question.js';

const owners = new Set(['my', 'mine', 'our', 'ours', 'portfolio']);
const before = new Set(['am', 'have', 'did', 'do', 'was', 'were', 'had']);

/** Words behind "I" that ask nothing about an account: "do I have to wait", "am I right". */
const notBehind = wordSet('personal', 'notBehind');

/** Whose account a question is about: that of the person who asks ("my", "did I"), perhaps theirs, or none that is named. */
type Whose = 'own' | 'perhaps' | 'none';

export function whoseAccount(question: Question): Whose {
  const isPersonal = question.tokens.some((_, at) => owners.has(question.word(at)) || isOwn(question, at));
  if (isPersonal) return 'own';
  return question.tokens.some((_, at) => persons.has(question.word(at))) ? 'perhaps' : 'none';
}

const persons = new Set(['i', 'me', 'we', 'us', 'mine']);

/** What people say of themselves: "what i earned", "the coins i hold". */
const deeds = wordSet('personal', 'deeds');

function isOwn(question: Question, at: number): boolean {
  const [last, next] = [question.word(at - 1), question.word(at + 1)];
  const isAsked = before.has(last) && !notBehind.has(next) && question.word(at + 2) !== 'to';
  return question.word(at) === 'i' && (isAsked || (deeds.has(next) && last !== 'if'));
}

/** A factor on the score: public tools fit a question about an account less, and account tools fit one that names no person less. */
export function whoseFit({ tool }: Intent, whose: Whose): number {
  if (tool === null) return 1;
  const isPublic = listingNamed(tool)?.scope === 'public';
  if (whose === 'own') return isPublic ? 0.82 : 1;
  return whose === 'none' && !isPublic ? 0.93 : 1;
}
