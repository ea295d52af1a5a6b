/** Makes a value when it is first asked for, and keeps it. */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** The same for each object: a value is kept as long as its object. */
export function onceFor<Key extends object, Value extends object>(
  make: (key: Key) => Value,
): (key: Key) => Value {
  const kept = new WeakMap<Key, Value>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = make(key);
    kept.set(key, made);
    return made;
  };
}
