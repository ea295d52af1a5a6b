/** The old element with those of its children replaced that differ from the children of the new one. */
export function keepEqual<Kind extends Element>(old: Kind, made: Kind): Kind {
  const [olds, news] = [[...old.children], [...made.children]];
  if (olds.length !== news.length) return made;
  news.forEach((child, n) => {
    if (!olds[n].isEqualNode(child)) olds[n].replaceWith(child);
  });
  return old;
}
