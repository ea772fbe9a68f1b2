import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/**
 * Makes an empty folder for the data of an engine, whose name begins with `name`: below the folder that `TEST_DATA` names, else where
 * temporary files are. Tests make thousands of collections, which takes a quarter of the time in a folder in memory.
 */
export const testDataFolder = (name: string): Promise<string> =>
  mkdtemp(path.join(process.env['TEST_DATA'] ?? os.tmpdir(), name));
