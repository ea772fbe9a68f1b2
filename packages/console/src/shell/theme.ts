import { createStore } from './store.ts';
import { readStored, writeStored } from './stored.ts';

const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'tocsin-theme';

function stored(): Theme {
  const value = readStored('device', KEY);
  return THEMES.find((theme) => theme === value) ?? 'system';
}

export const themeStore = createStore<Theme>('system');

function show(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  themeStore.set(theme);
}

/** Shows the theme that the person chose on this device. */
export const showStoredTheme = (): void => {
  show(stored());
};

export function chooseTheme(theme: Theme): void {
  show(theme);
  // Where the browser refuses it, the theme holds until the page is left.
  writeStored('device', KEY, theme);
}

/** The theme that the switch shows next. */
export const themeAfter = (theme: Theme): Theme => THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
