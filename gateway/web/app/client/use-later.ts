import { useEffect, useState } from 'preact/hooks';

/** The value once it has not changed for this time, so that typing does not ask with every key. */
export function useLater<T>(value: T, ms: number): T {
  const [later, set] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => set(() => value), ms);
    return () => clearTimeout(timer);
  }, [JSON.stringify(value)]);
  return later;
}
