import { useState } from 'react';
import { type Preset, presetOf } from './hook.ts';

interface ChosenPreset {
  /** That of the type of the integration. */
  readonly own: Preset | undefined;
  readonly name: string;
  readonly setName: (name: string) => void;
  readonly preset: Preset | undefined;
  /** Whether that of the type is chosen. */
  readonly isOwn: boolean;
}

/** A choice among the presets, which begins with that of the type of an integration. */
export function useChosenPreset(type: string, presets: readonly Preset[]): ChosenPreset {
  const own = presetOf(type, presets);
  const [name, setName] = useState(own?.name ?? '');
  return { own, name, setName, preset: presets.find((each) => each.name === name), isOwn: name === own?.name };
}
