/** A text with an id. */
interface RankedDocument {
  id: string;
  text: string;
}

const k1 = 1.2;
const b = 0.75;

/** Words in lower case, plural and verb endings taken off crudely: enough for English titles. */
const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[a-z\d]+/g) ?? []).map((word) => word.replace(/(?:ies|es|s|ed|ing|al)$/, ''));

/** Ranks documents by Okapi BM25 (Robertson and Zaragoza, 2009): the ids of the best first. */
export function bm25(documents: readonly RankedDocument[]): (query: string) => string[] {
  const counted = documents.map(({ id, text }) => {
    const words = wordsOf(text);
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    return { id, counts, length: words.length };
  });
  const mean = counted.reduce((sum, { length }) => sum + length, 0) / counted.length;
  const idf = (word: string) => {
    const having = counted.filter(({ counts }) => counts.has(word)).length;
    return Math.log(1 + (counted.length - having + 0.5) / (having + 0.5));
  };
  return (query) => {
    const words = [...new Set(wordsOf(query))].map((word) => ({ word, weight: idf(word) }));
    const scored = counted.map(({ id, counts, length }) => {
      const score = words.reduce((sum, { word, weight }) => {
        const n = counts.get(word) ?? 0;
        return sum + (weight * n * (k1 + 1)) / (n + k1 * (1 - b + (b * length) / mean));
      }, 0);
      return { id, score };
    });
    return scored.sort((left, right) => right.score - left.score).map(({ id }) => id);
  };
}
