import { createStore } from './store.ts';
import { hasUnsavedInput } from './unsaved.ts';

/** What a page does whose next part is gone, because the server has a newer version. */
export type MissingPart = 'reload' | 'say-so';

/** A page reloads once for each build that it ran, and never over input that would be lost. */
export function onMissingPart({
  build,
  hasUnsaved,
  reloadedFrom,
}: {
  readonly build: string;
  readonly hasUnsaved: boolean;
  readonly reloadedFrom: string | null;
}): MissingPart {
  return hasUnsaved || reloadedFrom === build ? 'say-so' : 'reload';
}

/** Whether the page has to be reloaded by its reader. */
export const newVersionStore = createStore(false);

const KEY = 'tocsin-reloaded-from';

/** @param build - tells the builds apart, such as the address of their first script */
export function watchMissingParts(build: string): void {
  window.addEventListener('vite:preloadError', (event) => {
    const reloadedFrom = sessionStorage.getItem(KEY);
    if (onMissingPart({ build, hasUnsaved: hasUnsavedInput(), reloadedFrom }) === 'say-so') {
      newVersionStore.set(true);
      return;
    }
    event.preventDefault();
    sessionStorage.setItem(KEY, build);
    window.location.reload();
  });
}
