import { wordSet } from '../word-list.js';
import type { Token } from '../text/token.js';

/** Words of every sentence that ask for nothing by themselves. */
const small = wordSet('talk-words', 'small');
/** Words of politeness, of the talk about a talk, and of the form of an answer: "grateful", "question", "concisely". */
const courtesies = wordSet('talk-words', 'courtesies');
/** What a request ends with before it says what is wanted: "it would be helpful to see". */
const wanting = wordSet('talk-words', 'wanting');
/** What a request is headed with, before a colon: "input", "action required". */
const labels = wordSet('talk-words', 'labels');
/** What stands between an apology and the question: "not sure if this is the right place but". */
const turns = new Set(['but', 'so', 'that']);
/** What a remark behind a question begins with: "my friend says so", "or am i wrong". */
const openings = wordSet('talk-words', 'openings');
const persons = new Set(['i', 'we']);
const permissions = new Set(['can', 'could', 'may', 'might', 'let', 'should']);

const isSmall = ({ kind, text }: Token): boolean => kind === 'word' && small.has(text);
const isCourtesy = ({ kind, text }: Token): boolean => kind === 'word' && courtesies.has(text);
const isTalk = (token: Token): boolean => isSmall(token) || isCourtesy(token);

/** Whether a clause is nothing but talk: "I hope you are well", "respond concisely", "action required:". */
export function isTalkAlone(clause: readonly Token[]): boolean {
  const isHead = clause.at(-1)?.text === ':';
  const isSaying = (token: Token) => isCourtesy(token) || (isHead && labels.has(token.text));
  return (
    clause.every((token) => token.kind === 'mark' || isSmall(token) || isSaying(token)) &&
    clause.some(isSaying)
  );
}

/** How many tokens from there on are a request that does not say yet what is wanted; of an aside all up to its "but". */
export function requestLength(clause: readonly Token[], start: number, isAside: boolean): number {
  let length = 0;
  for (let at = start; at < clause.length && (isTalk(clause[at]) || isWanting(clause, at, start)); at++)
    if ((!isAside && isWanting(clause, at, start)) || isTurn(clause, at, start)) length = at + 1 - start;
  return length;
}

/** "To know", but not "I know". */
function isWanting(clause: readonly Token[], at: number, start: number): boolean {
  const [first, before, { text }] = [clause[start].text, clause[at - 1]?.text, clause[at]];
  if (at < start + (text === 'me' ? 1 : 2) || !wanting.has(text)) return false;
  return !persons.has(before) || permissions.has(first);
}

const isTurn = (clause: readonly Token[], at: number, start: number): boolean =>
  at > start + 1 && turns.has(clause[at].text) && clause.slice(start, at).some(isCourtesy);

/** Where a remark without a mark before it begins at the end of a clause; its length where there is none. */
export function remarkStart(clause: readonly Token[]): number {
  let start = clause.length;
  for (let at = clause.length - 1; at > 0 && (clause[at].kind === 'mark' || isTalk(clause[at])); at--)
    if (openings.has(clause[at].text) && clause.slice(at).some(isCourtesy)) start = at;
  return start;
}
