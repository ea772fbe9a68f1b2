import { useEffect, useState } from 'react';

/** The present instant, which moves on every `everyMs`. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setTimeout(() => {
      setNow(Date.now());
    }, everyMs);
    return () => {
      clearTimeout(timer);
    };
  }, [everyMs, now]);
  return now;
}
