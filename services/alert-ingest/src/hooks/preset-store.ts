import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { Preset, Presets } from './preset.ts';

/** The presets that come with Tocsin. */
export const PRESETS_FOLDER: string = path.join(import.meta.dirname, '../../presets');

/** The samples of the presets that come with Tocsin. */
export const SAMPLES_FOLDER: string = path.join(import.meta.dirname, '../../samples');

const texts = z.record(z.string(), z.string()).default({});

const SampleFile = z.strictObject({
  about: z.string().min(1),
  body: z.looseObject({}),
  headers: texts,
  query: texts,
  /** Whether the tool sends it without a key. */
  keyless: z.boolean().default(false),
});

/** A request of a tool, as a file beside the presets has it. */
export interface PresetSample extends z.infer<typeof SampleFile> {
  /** The name of the file, which begins with its effect: `open`, `close`, `acknowledge` or `ignore`. */
  readonly name: string;
}

/**
 * The samples of a folder by the name of their preset, in the order of their names.
 *
 * @throws Error that names the file and its fields, where one is no sample.
 */
export async function readSamples(folder: string): Promise<ReadonlyMap<string, readonly PresetSample[]>> {
  const presets = (await readdir(folder)).sort();
  return new Map(
    await Promise.all(presets.map(async (preset) => [preset, await samplesIn(path.join(folder, preset))] as const)),
  );
}

async function samplesIn(folder: string): Promise<readonly PresetSample[]> {
  const files = (await readdir(folder)).sort();
  return Promise.all(
    files.map(async (name) => {
      const file = path.join(folder, name);
      const read = SampleFile.safeParse(parsed(file, await readFile(file, 'utf8')));
      if (!read.success) throw new Error(`${file} is no sample. ${problemsOf(read.error)}`);
      return { name: path.basename(file, '.json'), ...read.data };
    }),
  );
}

/**
 * Reads all presets of a folder, in the order of their names.
 *
 * @throws Error that names the file and its fields, where one is no preset.
 */
export async function readPresets(folder: string): Promise<readonly Preset[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
  return Promise.all(files.map((file) => readPreset(path.join(folder, file))));
}

/**
 * The presets that come with Tocsin, and those of the folder of the operator, if any.
 *
 * @throws Error that says what is wrong: of a file with its name and its fields, of the folder with the setting.
 */
export async function presetsOf(folder: string | undefined): Promise<Presets> {
  const builtIn = await readPresets(PRESETS_FOLDER);
  if (folder === undefined) return new Presets(builtIn);
  try {
    return new Presets(builtIn, await readPresets(folder));
  } catch (error) {
    throw new Error(`WEBHOOK_PRESETS_DIR can not be used: ${(error as Error).message}`, { cause: error });
  }
}

async function readPreset(file: string): Promise<Preset> {
  const read = Preset.safeParse(parsed(file, await readFile(file, 'utf8')));
  if (!read.success) throw new Error(`${file} is no preset. ${problemsOf(read.error)}`);
  if (read.data.name !== path.basename(file, '.json'))
    throw new Error(`${file} is no preset. name: should be that of the file`);
  return read.data;
}

const problemsOf = ({ issues }: z.ZodError): string =>
  issues.map(({ path: field, message }) => `${field.join('.') || 'the file'}: ${message}`).join('; ');

function parsed(file: string, written: string): unknown {
  try {
    return JSON.parse(written);
  } catch (error) {
    throw new Error(`${file} is no JSON.`, { cause: error });
  }
}
