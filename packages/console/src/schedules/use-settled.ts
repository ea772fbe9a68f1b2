import { useEffect, useState } from 'react';

/** A value once it has stayed the same for `afterMs`, so that a read does not follow every key. `key` tells one value from another. */
export function useSettled<T>(value: T, key: string, afterMs: number): T {
  const [settled, setSettled] = useState({ key, value });
  useEffect(() => {
    if (settled.key === key) return undefined;
    const timer = setTimeout(() => {
      setSettled({ key, value });
    }, afterMs);
    return () => {
      clearTimeout(timer);
    };
  }, [afterMs, key, settled.key, value]);
  return settled.value;
}
