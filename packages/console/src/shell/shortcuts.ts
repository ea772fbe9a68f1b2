import { PAGES } from './pages.ts';

/** The part of a keyboard event that shortcuts read. */
export interface Key {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** Whether the key goes into a text. */
  readonly isTyping: boolean;
  /** Whether keys of one character are shortcuts. */
  readonly areSingleKeysOn: boolean;
}

export type ShortcutAction =
  | { readonly kind: 'palette' | 'help' | 'search' }
  | { readonly kind: 'page'; readonly path: string }
  /** The next key decides. */
  | { readonly kind: 'prefix' }
  | { readonly kind: 'none' };

const NONE: ShortcutAction = { kind: 'none' };

/** How long after `g` the next key may come. */
export const PREFIX_MS = 1_500;

/** What a key does, where `afterG` says that the key before it was `g`. */
export function shortcutOf(pressed: Key, afterG: boolean): ShortcutAction {
  const { altKey, ctrlKey, key, metaKey } = pressed;
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') return { kind: 'palette' };
  if (!isSingleKey(pressed)) return NONE;
  return afterG ? pageOf(key) : (SINGLE_KEYS[key] ?? NONE);
}

const isSingleKey = ({ altKey, areSingleKeysOn, ctrlKey, isTyping, metaKey }: Key): boolean =>
  areSingleKeysOn && !(altKey || ctrlKey || metaKey || isTyping);

const SINGLE_KEYS: Readonly<Record<string, ShortcutAction>> = {
  '?': { kind: 'help' },
  '/': { kind: 'search' },
  g: { kind: 'prefix' },
};

function pageOf(key: string): ShortcutAction {
  const page = PAGES.find((each) => each.key === key);
  return page === undefined ? NONE : { kind: 'page', path: page.path };
}

export interface ListedShortcut {
  readonly keys: string;
  readonly effect: string;
}

/** What the help shows. */
export const LISTED_SHORTCUTS: readonly ListedShortcut[] = [
  { keys: 'Ctrl K', effect: 'Find a page (on a Mac: Cmd K)' },
  { keys: '?', effect: 'Show the shortcuts' },
  { keys: '/', effect: 'Go to the search' },
  ...PAGES.map(({ key, name }) => ({ keys: `g ${key}`, effect: `Go to ${name}` })),
  { keys: 'j, k', effect: 'Next alert, previous alert' },
  { keys: 'x', effect: 'Select the alert' },
  { keys: 'Enter', effect: 'Open the alert' },
  { keys: 'Arrow keys', effect: 'Select hours in the timeline of a schedule; with Shift, extend the selection' },
  { keys: 'o', effect: 'Override the selected hours' },
];
