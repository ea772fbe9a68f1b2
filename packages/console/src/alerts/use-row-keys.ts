import { useEffect, useRef } from 'react';

interface RowKeys {
  readonly count: number;
  /** Brings a row into the page. */
  readonly onShow: (index: number) => void;
  readonly onChoose: (index: number) => void;
}

/** Which row a key leads to; undefined where the key means nothing here. No row is -1. */
export function rowAfter(key: string, current: number, count: number): number | undefined {
  if (key === 'j') return Math.min(current + 1, count - 1);
  if (key === 'k') return Math.max(current - 1, 0);
  return undefined;
}

const rowOf = (element: Element | null): number =>
  Number(element?.closest<HTMLElement>('[data-index]')?.dataset['index'] ?? -1);

function focusRow(index: number): void {
  // The row exists after the next frame.
  requestAnimationFrame(() => {
    requestAnimationFrame(() => {
      document.querySelector<HTMLElement>(`[data-index="${index}"] a`)?.focus({ preventScroll: true });
    });
  });
}

/** `j` and `k` go through the rows, `x` selects one; Enter opens it, because the focus is on its link. */
export function useRowKeys(keys: RowKeys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { altKey, ctrlKey, key, metaKey, target } = event;
      const isTyping = target instanceof HTMLElement && target.matches('input:not([type=checkbox]), textarea, select');
      if (altKey || ctrlKey || metaKey || isTyping || document.querySelector('[role=dialog]') !== null) return;
      const current = rowOf(document.activeElement);
      const next = rowAfter(key, current, latest.current.count);
      if (next !== undefined) {
        latest.current.onShow(next);
        focusRow(next);
      } else if (key === 'x' && current >= 0) latest.current.onChoose(current);
    };
    window.addEventListener('keydown', press);
    return () => {
      window.removeEventListener('keydown', press);
    };
  }, []);
}
