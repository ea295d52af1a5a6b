import { wordList } from '../word-list.js';
import { stem } from '../text/stem.js';

/** Words and short phrases that mean the same in questions about markets. The first of each line stands for all of them. */
const groups: readonly string[] = wordList('synonyms', 'groups');

/** Words that two lines claim; a test holds that there are none. */
export const collisions: string[] = [];

const canonical = new Map<string, string>();
/** The first stems of phrases, so that most words are known at once to begin none. */
const phraseStarts = new Map<string, number>();

for (const group of groups) {
  const [first, ...others] = group.split(', ');
  const name = first.split(' ').map(stem).join('_');
  for (const each of [first, ...others]) {
    const stems = each.split(' ').map(stem);
    const key = stems.join(' ');
    if ((canonical.get(key) ?? name) !== name) collisions.push(each);
    canonical.set(key, name);
    if (stems.length > 1) phraseStarts.set(stems[0], Math.max(phraseStarts.get(stems[0]) ?? 0, stems.length));
  }
}

/** The stems with those of equal meaning replaced by one name; the longest phrase counts. */
export function joinSynonyms(stems: readonly string[]): string[] {
  const joined: string[] = [];
  for (let at = 0; at < stems.length;) {
    const [name, length] = synonymAt(stems, at);
    joined.push(name);
    at += length;
  }
  return joined;
}

function synonymAt(stems: readonly string[], at: number): [name: string, length: number] {
  const longest = Math.min(phraseStarts.get(stems[at]) ?? 1, stems.length - at);
  for (let length = longest; length > 1; length--) {
    const name = canonical.get(stems.slice(at, at + length).join(' '));
    if (name !== undefined) return [name, length];
  }
  return [canonical.get(stems[at]) ?? stems[at], 1];
}

/** Every word of the groups. */
export const synonymWords: readonly string[] = groups.flatMap((group) => group.split(/[, ]+/));
