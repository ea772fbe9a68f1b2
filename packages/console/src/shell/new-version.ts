import { createStore } from './store.ts';
import { readStored, writeStored } from './stored.ts';
import { hasUnsavedInput } from './unsaved.ts';

/** Whether the page has to be reloaded by its reader, because the server has a newer version. */
export const newVersionStore = createStore(false);

/** Why a part of the page is missing: the server has a newer version. */
export class NewVersionError extends Error {
  override readonly name = 'NewVersionError';
}

/** One file of the build that the page runs. All files of a build are served, or none. */
export const BUILD = import.meta.url;

const KEY = 'tocsin-reloaded-from';

interface PageState {
  readonly build: string;
  /** Whether a reload would lose input. */
  readonly hasUnsaved: boolean;
  readonly reloadedFrom: string | undefined;
  /** Keeps the build from which the page reloads. Returns whether the browser did. */
  readonly keep: (build: string) => boolean;
}

/** A page reloads itself once for each build that it ran, never over input, and never where it cannot know that it did. */
export const mayReload = ({ build, hasUnsaved, keep, reloadedFrom }: PageState): boolean =>
  !hasUnsaved && reloadedFrom !== build && keep(build);

/** Reloads the page where that is allowed. Returns whether it does. */
export function reloadOnce(): boolean {
  const isAllowed = mayReload({
    build: BUILD,
    hasUnsaved: hasUnsavedInput(),
    reloadedFrom: readStored('tab', KEY),
    keep: (build) => writeStored('tab', KEY, build),
  });
  if (isAllowed) window.location.reload();
  return isAllowed;
}
