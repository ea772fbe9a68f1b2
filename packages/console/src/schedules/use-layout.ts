import { type RefObject, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';

/** What is a phone: narrower than 640 pixels. */
const NARROW = '(max-width: 639.98px)';

const watchNarrow = (watch: () => void) => {
  const list = window.matchMedia(NARROW);
  list.addEventListener('change', watch);
  return () => {
    list.removeEventListener('change', watch);
  };
};

export const useIsNarrow = (): boolean => useSyncExternalStore(watchNarrow, () => window.matchMedia(NARROW).matches);

/** The width of an element in whole pixels, as it changes. */
export function useWidth<T extends HTMLElement>(): readonly [ref: RefObject<T | null>, width: number] {
  const ref = useRef<T>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.floor(entry.contentRect.width));
    });
    observer.observe(element);
    setWidth(Math.floor(element.clientWidth));
    return () => {
      observer.disconnect();
    };
  }, []);
  return [ref, width];
}
