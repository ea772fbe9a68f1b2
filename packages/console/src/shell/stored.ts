/** Where a value is kept: on this device for all tabs, or in this tab alone. */
type Place = 'device' | 'tab';

const storageOf = (place: Place): Storage => (place === 'device' ? localStorage : sessionStorage);

/** A value that the page kept before. Browsers can refuse access to it; then there is none. */
export function readStored(place: Place, key: string): string | undefined {
  try {
    return storageOf(place).getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * Keeps a value, or removes it where it is undefined.
 *
 * @returns whether the browser took it
 */
export function writeStored(place: Place, key: string, value: string | undefined): boolean {
  try {
    if (value === undefined) storageOf(place).removeItem(key);
    else storageOf(place).setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
