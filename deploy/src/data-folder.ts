import { randomBytes, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** The secrets that are generated once and belong to the data from then on. */
export interface Secrets {
  readonly apiKey: string;
  readonly signingKey: string;
  /** The key of the MongoDB that `npm start` runs. The passwords of its users are computed from it. */
  readonly mongoKey: string;
  /** By which push services of browsers know the installation. Another one ends all subscriptions. */
  readonly vapidPrivateKey: string;
}

/** The files and folders of an installation; others in its folder do not belong to Tocsin. */
const KAFKA = 'kafka';
const MONGO = 'mongo';
const LOGS = 'logs';
const RUN_RECORD = 'run.json';
const SECRETS = 'secrets.json';
const MONGO_KEY = 'mongo.key';
const DOWNLOADS = 'downloads';
const FOLDERS = [KAFKA, MONGO, LOGS];
const FILES = [SECRETS, MONGO_KEY, RUN_RECORD].flatMap((name) => [name, `${name}.new`]);

const OWNER_ONLY = 0o700;

/** The git-ignored folder in which one local installation keeps everything, out of sight of every other user. */
export class DataFolder {
  readonly path: string;

  /** Kept by a reset. `TOCSIN_DOWNLOADS` lets several installations share one. */
  readonly downloads: string;

  constructor(folder: string, downloads = process.env['TOCSIN_DOWNLOADS'] ?? path.join(folder, DOWNLOADS)) {
    this.path = folder;
    this.downloads = downloads;
  }

  get kafka(): string {
    return this.#of(KAFKA);
  }

  get mongo(): string {
    return this.#of(MONGO);
  }

  get runRecord(): string {
    return this.#of(RUN_RECORD);
  }

  logOf(service: string): string {
    return this.#of(LOGS, `${service}.log`);
  }

  /**
   * Makes the folder and those in it, and takes from them the rights of every other user. A folder that holds something else
   * keeps its own mode: it may be a home, or a shared one.
   */
  open(): void {
    fs.mkdirSync(this.path, { recursive: true, mode: OWNER_ONLY });
    const folders = FOLDERS.map((name) => this.#of(name));
    for (const folder of folders) fs.mkdirSync(folder, { recursive: true });
    if (fs.readdirSync(this.path).every(isOurs)) folders.push(this.path);
    for (const folder of folders) fs.chmodSync(folder, OWNER_ONLY);
  }

  /** The secrets of this installation; the first call writes them, with `apiKey` when one is given. */
  secrets(apiKey: string | undefined): Secrets {
    const file = this.secretsFile;
    const kept = fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Partial<Secrets>) : {};
    const secrets: Secrets = {
      apiKey: apiKey ?? kept.apiKey ?? randomUUID(),
      signingKey: kept.signingKey ?? randomBytes(32).toString('base64url'),
      mongoKey: kept.mongoKey ?? randomBytes(32).toString('hex'),
      vapidPrivateKey: kept.vapidPrivateKey ?? randomBytes(32).toString('base64url'),
    };
    writeForOwner(file, `${JSON.stringify(secrets, undefined, 2)}\n`);
    return secrets;
  }

  /** Writes the key into a file that its owner alone can read, as mongod demands. Returns its path. */
  mongoKeyFile(key: string): string {
    const file = this.#of(MONGO_KEY);
    writeForOwner(file, key);
    return file;
  }

  get secretsFile(): string {
    return this.#of(SECRETS);
  }

  /** Removes what an installation keeps, but not the downloads, nor anything that is not of Tocsin. */
  empty(): void {
    for (const name of [...FOLDERS, ...FILES]) fs.rmSync(this.#of(name), { recursive: true, force: true });
  }

  #of(...names: readonly string[]): string {
    return path.join(this.path, ...names);
  }
}

/** A new file: the mode of one that exists would stay, and a process that dies would leave half of it. */
function writeForOwner(file: string, text: string): void {
  fs.rmSync(`${file}.new`, { force: true });
  fs.writeFileSync(`${file}.new`, text, { mode: 0o600, flag: 'wx' });
  fs.renameSync(`${file}.new`, file);
}

const isOurs = (name: string): boolean => name === DOWNLOADS || FOLDERS.includes(name) || FILES.includes(name);
