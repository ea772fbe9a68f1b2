import { useEffect } from 'react';
import { useGo } from './link.tsx';
import { singleKeysStore } from './single-keys.ts';
import { PREFIX_MS, shortcutOf } from './shortcuts.ts';

/** Marks the field that `/` leads to. */
export const SEARCH_FIELD = { 'data-search': 'true' } as const;

const isText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('textarea, select, input:not([type=checkbox], [type=radio])'));

/** The keys that hold on every page, while no dialog is open. */
export function useShortcuts(open: (dialog: 'palette' | 'help') => void, isEnabled: boolean): void {
  const go = useGo();
  useEffect(() => {
    if (!isEnabled) return undefined;
    let prefixAt = Number.NEGATIVE_INFINITY;
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const { altKey, ctrlKey, key, metaKey, target, timeStamp } = event;
      const afterG = timeStamp - prefixAt < PREFIX_MS;
      const pressed = {
        altKey,
        ctrlKey,
        key,
        metaKey,
        isTyping: isText(target),
        areSingleKeysOn: singleKeysStore.get(),
      };
      const action = shortcutOf(pressed, afterG);
      prefixAt = action.kind === 'prefix' ? timeStamp : Number.NEGATIVE_INFINITY;
      if (action.kind === 'none' || action.kind === 'prefix') return;
      event.preventDefault();
      if (action.kind === 'page') go(action.path);
      else if (action.kind === 'search') document.querySelector<HTMLElement>('[data-search]')?.focus();
      else open(action.kind);
    };
    window.addEventListener('keydown', press);
    return () => {
      window.removeEventListener('keydown', press);
    };
  }, [go, open, isEnabled]);
}
