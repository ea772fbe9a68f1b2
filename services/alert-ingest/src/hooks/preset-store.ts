import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Preset } from './preset.ts';

/** The presets that come with Tocsin. */
export const PRESETS_FOLDER: string = path.join(import.meta.dirname, '../../presets');

/**
 * Reads all presets of a folder, in the order of their names.
 *
 * @throws Error that names the file and its fields, where one is no preset.
 */
export async function readPresets(folder: string): Promise<readonly Preset[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
  return Promise.all(files.map((file) => readPreset(path.join(folder, file))));
}

async function readPreset(file: string): Promise<Preset> {
  const read = Preset.safeParse(parsed(file, await readFile(file, 'utf8')));
  if (!read.success) {
    const problems = read.error.issues.map(
      ({ path: field, message }) => `${field.join('.') || 'the file'}: ${message}`,
    );
    throw new Error(`${file} is no preset. ${problems.join('; ')}`);
  }
  if (read.data.name !== path.basename(file, '.json'))
    throw new Error(`${file} is no preset. name: should be that of the file`);
  return read.data;
}

function parsed(file: string, written: string): unknown {
  try {
    return JSON.parse(written);
  } catch (error) {
    throw new Error(`${file} is no JSON.`, { cause: error });
  }
}
