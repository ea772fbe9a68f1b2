import { createStore } from './store.ts';

/** What a person typed and did not send, by the place of the pages. It outlives a page, and not a reload. */
export const draftsStore = createStore<ReadonlyMap<string, string>>(new Map());

/** Keeps what was typed; an empty text is none. */
export function keepDraft(place: string, text: string): void {
  const next = new Map(draftsStore.get());
  if (text === '') next.delete(place);
  else next.set(place, text);
  draftsStore.set(next);
}

/** What was kept as JSON at a place; undefined where nothing is. */
export function readDraft(place: string): unknown {
  const text = draftsStore.get().get(place);
  return text === undefined ? undefined : JSON.parse(text);
}

/** Removes what was sent. What was typed after the request stays, with what it follows. */
export function removeSentDraft(place: string, sent: string): void {
  if (draftsStore.get().get(place)?.trim() === sent.trim()) keepDraft(place, '');
}

/** Removes what one person typed before another uses the page. */
export function removeDrafts(): void {
  draftsStore.set(new Map());
}

/** Whether a reload would lose something. */
export const hasUnsavedInput = (): boolean =>
  draftsStore
    .get()
    .values()
    .some((text) => text.trim() !== '');

/** Lets the browser ask before such input is lost. */
export function guardUnsavedInput(page: Window): void {
  page.addEventListener('beforeunload', (event) => {
    if (hasUnsavedInput()) event.preventDefault();
  });
}
