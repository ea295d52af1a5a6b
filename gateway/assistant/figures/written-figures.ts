/** A number that prose names. */
export interface Figure {
  /** As it is written, with sign and unit. */
  text: string;
  /** Without sign; 10.5 for "10.5k". */
  value: number;
  /** Factors that its unit may stand for: 1000 for "k", 1 or 0.01 for "%". */
  scales: readonly number[];
  /** Half a unit of the last written digit, which rounding can change. */
  tolerance: number;
  /** The written sign; 0 without one. */
  sign: -1 | 0 | 1;
  /** Whether the text calls it a rough figure, as in "about 60,000". */
  isRough: boolean;
  /** The word or letters that follow, such as "days", in lower case. */
  unit: string;
  start: number;
}

/** Thousands separators are commas or narrow spaces; a minus is U+2212 or a hyphen that no word or figure precedes. */
const pattern =
  /(?<![\w.])(?:(?<=^|[\s(:=~$€£])([-−+])\s?)?[$€£]?(\d{1,3}(?:[,\u202f]\d{3})+|\d+)(\.\d+)?(?:\s?([%‰]|percent\b)|[ -]?([a-z]+))?/gi;

const scalesByUnit: Readonly<Record<string, readonly number[]>> = {
  '%': [1, 0.01],
  percent: [1, 0.01],
  k: [1e3],
  thousand: [1e3],
  m: [1, 1e6],
  million: [1e6],
  b: [1e9],
  bn: [1e9],
  billion: [1e9],
  trillion: [1e12],
};

/** Words that mark the figure behind them as rough. */
const roughWords =
  /(?:\b(?:about|around|roughly|approximately|approx\.?|nearly|almost|over|under|above|below|some|than)|[~≈])\s*[-−+$€£]*$/i;

/**
 * The numbers that a text names. Numbers inside of words (EMA50), ordinals (3rd) and the numbers of a list are none. Takes
 * time in proportion to the text.
 */
export function writtenFigures(text: string): Figure[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const [written, sign, whole, fraction = '', percent, word = ''] = match;
    const start = match.index;
    const unit = (percent ?? word).toLowerCase();
    if (/^(?:st|nd|rd|th)$/.test(unit) || isListNumber(text, start, written)) return [];
    const value = Number(whole.replace(/[,\u202f]/g, '') + fraction);
    const digit = 10 ** -Math.max(0, fraction.length - 1);
    const figure: Figure = {
      text: written.trim(),
      value,
      scales: Object.hasOwn(scalesByUnit, unit) ? scalesByUnit[unit] : [1],
      tolerance: digit / 2,
      sign: sign === undefined ? 0 : sign === '+' ? 1 : -1,
      isRough: roughWords.test(text.slice(Math.max(0, start - 20), start)),
      unit,
      start,
    };
    return [figure];
  });
}

/** Whether a number begins a line and only counts it: "1. Buy and hold". */
const isListNumber = (text: string, start: number, written: string): boolean =>
  /^\d{1,2}$/.test(written.trim()) &&
  /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, start - 20), start)) &&
  /^[.)] /.test(text.slice(start + written.length, start + written.length + 2));
