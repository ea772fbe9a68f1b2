import { keepDraft, readDraft } from '../shell/unsaved.ts';
import type { ShownKey } from './write.ts';

/** Where the key of an integration is kept until it is copied: so long the browser asks before the page is left. */
export const keyPlace = (id: string): string => `new key of ${id}`;

export const keepKey = (place: string, key: ShownKey): void => {
  keepDraft(place, JSON.stringify(key));
};

export const forgetKey = (place: string): void => {
  keepDraft(place, '');
};

/** The key that was shown and not copied yet; undefined where there is none. */
export function keptKey(place: string): ShownKey | undefined {
  return readDraft(place) as ShownKey | undefined;
}
