import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { command } from '@tocsin/test-e2e/cluster';

const FILL_FILE = 'fill-file';
const CHUNK = Buffer.alloc(1_048_576, 1);
const LAST_CHUNK = Buffer.alloc(4_096, 1);
const AGAIN_AFTER_MS = 250;

/** A disk of its own for the data of one engine, in memory, which can be filled. Needs root on Linux. */
export class SmallDisk {
  readonly path: string;
  #filling: Promise<void> | undefined;
  #isFull = false;

  private constructor(folder: string) {
    this.path = folder;
  }

  /** @throws Error with what `mount` said. */
  static async mount(folder: string, megabytes: number): Promise<SmallDisk> {
    await fs.mkdir(folder, { recursive: true });
    await command('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tocsin-failure', folder]);
    return new SmallDisk(folder);
  }

  /** Resolves when there is no room left; room that the engine frees is filled too, until {@link free}. */
  async fill(): Promise<void> {
    this.#isFull = true;
    await this.#fillRoom();
    this.#filling = this.#keepFull();
  }

  async free(): Promise<void> {
    this.#isFull = false;
    await this.#filling;
    await fs.rm(this.#fillFile, { force: true });
  }

  async unmount(): Promise<void> {
    await this.free();
    // An engine that is being killed may still have files open.
    await command('umount', ['--lazy', this.path]);
  }

  get #fillFile(): string {
    return path.join(this.path, FILL_FILE);
  }

  async #keepFull(): Promise<void> {
    while (this.#isFull) {
      await this.#fillRoom();
      await pause(AGAIN_AFTER_MS);
    }
  }

  async #fillRoom(): Promise<void> {
    for (const chunk of [CHUNK, LAST_CHUNK]) {
      try {
        for (;;) await fs.appendFile(this.#fillFile, chunk);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }
  }
}
