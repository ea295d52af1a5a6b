import { listingNamed } from '../../../mcp/catalogue.js';
import type { Intent } from '../intent.js';
import type { Question } from '../slots/question.js';

const owners = new Set(['my', 'mine', 'our', 'ours']);
const before = new Set(['am', 'have', 'did', 'do', 'was', 'were', 'had']);

/** Whether a question is about the account of the person who asks: "my", "am I", "did I". */
export const isPersonal = (question: Question): boolean =>
  question.tokens.some(
    (_, at) =>
      owners.has(question.word(at)) || (question.word(at) === 'i' && before.has(question.word(at - 1))),
  );

/** A factor that makes public readings less likely for such a question. */
export const personalFit = ({ tool }: Intent): number =>
  tool !== null && listingNamed(tool)?.scope === 'public' ? 0.9 : 1;
