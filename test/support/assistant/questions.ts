import { readFileSync } from 'node:fs';
import type { SlotName } from '../../../gateway/assistant/analyst/slots.js';
import { projectRoot } from '../harness/paths.js';

/** A call that a question leads to; `args` holds what the question decides. */
export interface ExpectedCall {
  tool: string;
  args: Record<string, unknown>;
}

/** What the assistant makes of a question: test/fixtures/assistant/README.md. */
export type Expectation =
  | ExpectedCall
  | { tools: (ExpectedCall | { term: string })[] }
  | { asked: SlotName }
  | { declined: string }
  | { help: true }
  | { term: string };

export interface Question {
  id: string;
  /** Asked by someone who is not signed in. */
  guest?: true;
  turns: { ask: string; expect: Expectation }[];
}

/** The questions of a file in test/fixtures/assistant. */
export const readQuestions = (file: string): Question[] =>
  JSON.parse(readFileSync(`${projectRoot}/test/fixtures/assistant/${file}`, 'utf8')) as Question[];

/** The calls that an expectation names. */
export function expectedCalls(expect: Expectation): ExpectedCall[] {
  if ('tool' in expect) return [expect];
  return 'tools' in expect ? expect.tools.filter((each) => 'tool' in each) : [];
}
