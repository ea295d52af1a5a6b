import { wordSet } from '../word-list.js';
import type { Question } from './question.js';

const trainings = new Set(['train', 'training', 'trained', 'insample']);
const splits = new Set(['split', 'ratio']);
const walks = wordSet('numbered-settings', 'walks');

/** Reads settings that a word beside the number names: "seed 42", "v1", "80 % training", "a 70/30 split". */
export function readNumberedSettings(question: Question): void {
  question.tokens.forEach((_, at) => {
    readVersion(question, at);
    const number = question.number(at);
    if (number === undefined) return;
    if (isBehind(question, at, 'seed')) {
      question.slots.seed ??= Math.trunc(number.value!);
      question.take('seed', at, at + 1);
    } else readTrainRatio(question, at);
  });
}

const isBehind = (question: Question, at: number, name: string): boolean =>
  question.word(at - 1) === name ||
  (['of', 'is', 'with', 'to'].includes(question.word(at - 1)) && question.word(at - 2) === name) ||
  (question.isMark(at - 1, '=') && question.word(at - 2) === name);

/** "V1 body" */
function readVersion(question: Question, at: number): void {
  const word = question.word(at);
  if (word !== 'v1' && word !== 'v2') return;
  question.slots.version ??= word;
  question.take('version', at, at + 1);
}

/** The share that is fitted on: "80 % training", "train ratio of 0.6", "a 70/30 split". */
function readTrainRatio(question: Question, at: number): void {
  const { value = 0, unit } = question.number(at)!;
  const places = [-4, -3, -2, -1, 1, 2, 3].map((step) => question.word(at + step));
  const isNamed = places.some((word) => trainings.has(word));
  const second = question.isMark(at + 1, '/') ? question.number(at + 2)?.value : undefined;
  const isSplit =
    second !== undefined &&
    value + second === 100 &&
    question.tokens.some((_, place) => walks.has(question.word(place))) &&
    question.tokens.some((_, place) => splits.has(question.word(place)));
  const share =
    unit === '%' || isSplit || (unit === '' && value > 1 && value < 100 && isNamed) ? value / 100 : value;
  if (!(isNamed || isSplit) || !(share >= 0.5 && share <= 0.9)) return;
  question.slots.trainRatio ??= share;
  question.take('trainRatio', at, isSplit ? at + 3 : at + 1);
}
