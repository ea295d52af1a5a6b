/** The mark between whole numbers and decimals. */
export type DecimalMark = 'point' | 'comma';

export const decimalMarks: readonly DecimalMark[] = ['point', 'comma'];

/** Reads the prices and volumes of a file. */
export interface NumberReader {
  decimalMark: DecimalMark;
  /** The double nearest to the number as it is written; NaN where the text is no plain decimal number. */
  read(text: string): number;
}

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const withComma = /^[+-]?\d*,\d+(e[+-]?\d+)?$/i;
/** The comma of 1,234 may separate thousands; those of 0,234 and 1,23 cannot. */
const likeThousands = /^[+-]?[1-9]\d{0,2},\d{3}$/;

/**
 * How to read the numbers of a file, from some of them. Throws an `Error` that names the option to give where their commas
 * may separate thousands or decimals.
 */
export function detectNumbers(texts: readonly string[], given: DecimalMark | undefined): NumberReader {
  const decimalMark = given ?? detectMark(texts);
  return { decimalMark, read: decimalMark === 'point' ? readNumber : readWithComma };
}

function detectMark(texts: readonly string[]): DecimalMark {
  const commas = texts.filter((text) => withComma.test(text));
  if (commas.length === 0) return 'point';
  // The file has points as well, so its commas separate thousands. Such numbers are refused.
  if (texts.some((text) => text.includes('.'))) return 'point';
  if (!commas.every((text) => likeThousands.test(text))) return 'comma';
  throw new Error(`"${commas[0]}" may be a fraction or thousands; say what its comma is by --decimal-mark`);
}

/** Trims only a text that is no number as it stands, because a trim takes as long as the rest. */
function readNumber(text: string): number {
  if (decimal.test(text)) return finite(Number(text));
  const trimmed = text.trim();
  return decimal.test(trimmed) ? finite(Number(trimmed)) : NaN;
}

const readWithComma = (text: string): number =>
  text.includes('.') ? NaN : readNumber(text.replace(',', '.'));

const finite = (value: number): number => (Number.isFinite(value) ? value : NaN);

/** Whether a text is a number with either mark. */
export const isNumber = (text: string): boolean => decimal.test(text) || withComma.test(text);
