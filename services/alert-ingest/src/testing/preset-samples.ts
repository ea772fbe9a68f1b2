import type { HookRequest } from '../hooks/item.ts';
import { readSamples, SAMPLES_FOLDER } from '../hooks/preset-store.ts';

/** A request of a tool, as a file beside the presets has it. */
export interface Sample {
  /** The name of the file. */
  readonly name: string;
  readonly effect: string;
  readonly keyless: boolean;
  readonly request: HookRequest;
}

const SAMPLES = await readSamples(SAMPLES_FOLDER);

/** The samples of the preset with this name. */
export const samplesOf = (preset: string): readonly Sample[] =>
  (SAMPLES.get(preset) ?? []).map(({ body, headers, keyless, name, query }) => ({
    name,
    effect: /^[a-z]+/.exec(name)?.[0] ?? '',
    keyless,
    request: { payload: body, headers, query },
  }));

/** The presets that have samples. */
export const presetsWithSamples = (): readonly string[] => [...SAMPLES.keys()];

const INTEGRATION_ID = '1a2b3c4d-0000-7000-8000-000000000001';
export const ITEM_OPTIONS = { integrationId: INTEGRATION_ID, digestOf: (text: string): string => `#${text.length}` };
