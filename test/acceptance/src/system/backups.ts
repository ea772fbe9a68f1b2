import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { processEnvironment, testDataFolder } from '@tocsin/testkit';
import type { Installation } from './installation.ts';

const DEPLOY = fileURLToPath(new URL('../../../../deploy/', import.meta.url));

/** `npm run backup` and `npm run restore`, with one folder. */
export class Backups {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(): Promise<Backups> {
    return new Backups(path.join(await testDataFolder('tocsin-backups-'), 'backup'));
  }

  /** @throws Error when it does not end with 0. */
  async take(installation: Installation): Promise<void> {
    await this.#run('backup', installation);
  }

  /** @throws Error when it does not end with 0. */
  async restore(installation: Installation, ...options: readonly string[]): Promise<void> {
    await this.#run('restore', installation, ...options);
  }

  remove(): void {
    fs.rmSync(path.dirname(this.#folder), { recursive: true });
  }

  async #run(command: 'backup' | 'restore', installation: Installation, ...options: readonly string[]): Promise<void> {
    const { MONGODB_URI, MONGODB_DATABASE_PREFIX } = installation.environmentOf('directory');
    const script = path.join(DEPLOY, 'src', `${command}.ts`);
    const child = spawn(process.execPath, [path.join(DEPLOY, 'bootstrap.mjs'), script, this.#folder, ...options], {
      env: processEnvironment({ MONGODB_URI, MONGODB_DATABASE_PREFIX }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [, complained] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const code = await exit;
    if (code !== 0) throw new Error(`npm run ${command} ended with ${String(code)}: ${complained}`);
  }
}
