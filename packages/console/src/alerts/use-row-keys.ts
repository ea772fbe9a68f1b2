import { useEffect, useRef } from 'react';
import { singleKeysStore } from '../shell/single-keys.ts';

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

const hasModifier = ({ altKey, ctrlKey, metaKey }: KeyboardEvent) => altKey || ctrlKey || metaKey;

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
      const { key, target } = event;
      const isTyping = target instanceof HTMLElement && target.matches('input:not([type=checkbox]), textarea, select');
      if (hasModifier(event) || isTyping || !singleKeysStore.get()) return;
      if (document.querySelector('[role=dialog]') !== null) return;
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
