import { useEffect, useState } from 'react';
import { serverTime } from '../api/server-clock.ts';

/** The present instant on the clock of this device, for instants that the page itself noted. It moves on as {@link useNow} does. */
export function useDeviceNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const move = () => {
      clearTimeout(timer);
      timer = setTimeout(move, everyMs);
      setNow(Date.now());
    };
    timer = setTimeout(move, everyMs);
    document.addEventListener('visibilitychange', move);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', move);
    };
  }, [everyMs]);
  return now;
}

/**
 * The present instant on the clock of the server, which wrote the instants that a page compares with it. It moves on every `everyMs`, and
 * when the page is visible again: a hidden page has slow timers.
 */
export const useNow = (everyMs: number): number => serverTime(useDeviceNow(everyMs));
