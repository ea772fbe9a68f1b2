import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { HookRequest } from '../hooks/item.ts';

const FOLDER = path.join(import.meta.dirname, '../../samples');

const SampleFile = z.strictObject({
  about: z.string().min(1),
  body: z.unknown(),
  headers: z.record(z.string(), z.string()).default({}),
  query: z.record(z.string(), z.string()).default({}),
  /** Whether the tool sends it without a key. */
  keyless: z.boolean().default(false),
});

/** A request of a tool, as a file beside the presets has it. */
export interface Sample {
  /** The name of the file, which begins with its effect: `open`, `close`, `acknowledge` or `ignore`. */
  readonly name: string;
  readonly effect: string;
  readonly keyless: boolean;
  readonly request: HookRequest;
}

/** The samples of the preset with this name. */
export function samplesOf(preset: string): readonly Sample[] {
  const folder = path.join(FOLDER, preset);
  return readdirSync(folder).map((file) => {
    const read = SampleFile.safeParse(JSON.parse(readFileSync(path.join(folder, file), 'utf8')));
    if (!read.success) throw new Error(`samples/${preset}/${file}: ${z.prettifyError(read.error)}`);
    const { body, headers, query, keyless } = read.data;
    const name = path.basename(file, '.json');
    return { name, effect: /^[a-z]+/.exec(name)?.[0] ?? '', keyless, request: { payload: body, headers, query } };
  });
}

/** The presets that have samples. */
export const presetsWithSamples = (): readonly string[] => readdirSync(FOLDER).sort();

const INTEGRATION_ID = '1a2b3c4d-0000-7000-8000-000000000001';
export const ITEM_OPTIONS = { integrationId: INTEGRATION_ID, digestOf: (text: string): string => `#${text.length}` };
