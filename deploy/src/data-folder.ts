import { randomBytes, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** What is generated once and belongs to the data ever after. */
export interface Secrets {
  readonly apiKey: string;
  readonly signingKey: string;
}

/** The git-ignored folder in which one local installation keeps everything. */
export class DataFolder {
  readonly path: string;

  /** Kept by a reset. `TOCSIN_DOWNLOADS` lets several installations share one. */
  readonly downloads: string;

  constructor(folder: string, downloads = process.env['TOCSIN_DOWNLOADS'] ?? path.join(folder, 'downloads')) {
    this.path = folder;
    this.downloads = downloads;
  }

  get kafka(): string {
    return this.#of('kafka');
  }

  get mongo(): string {
    return this.#of('mongo');
  }

  get runRecord(): string {
    return this.#of('run.json');
  }

  logOf(service: string): string {
    return this.#of('logs', `${service}.log`);
  }

  /** The secrets of this installation; the first call writes them, with `apiKey` when one is given. */
  secrets(apiKey: string | undefined): Secrets {
    fs.mkdirSync(this.path, { recursive: true });
    const file = this.#of('secrets.json');
    const kept = fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Secrets) : undefined;
    const secrets: Secrets = {
      apiKey: apiKey ?? kept?.apiKey ?? randomUUID(),
      signingKey: kept?.signingKey ?? randomBytes(32).toString('base64url'),
    };
    fs.writeFileSync(file, `${JSON.stringify(secrets, undefined, 2)}\n`, { mode: 0o600 });
    return secrets;
  }

  /** Removes everything but the downloads. */
  empty(): void {
    if (!fs.existsSync(this.path)) return;
    for (const name of fs.readdirSync(this.path)) {
      if (name !== 'downloads') fs.rmSync(this.#of(name), { recursive: true, force: true });
    }
  }

  #of(...names: readonly string[]): string {
    return path.join(this.path, ...names);
  }
}
