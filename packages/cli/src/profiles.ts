import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { EXIT, CliError } from './cli-error.ts';

/** The URL of an installation, and the key that is sent only there. */
export interface Profile {
  readonly url: string;
  readonly key: string;
}

interface Content {
  /** The profile that is used where none is named. */
  readonly current?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

const EMPTY: Content = { profiles: {} };

/** Bits of a file's mode by which others than its owner could reach it. */
const OTHERS = 0o077;

/** `TOCSIN_CONFIG`, else `tocsin/config.json` in `XDG_CONFIG_HOME`, else in `.config` of the home directory. */
export function profileFile(env: Readonly<Record<string, string | undefined>>, home: string): string {
  const named = env['TOCSIN_CONFIG'] ?? '';
  if (named !== '') return path.resolve(named);
  const folder = env['XDG_CONFIG_HOME'] ?? '';
  // A relative one does not count, by the rule of XDG.
  return path.join(path.isAbsolute(folder) ? folder : path.join(home, '.config'), 'tocsin', 'config.json');
}

/** The profiles of one person, in a file that no other user can read. */
export class Profiles {
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  /** @throws CliError (usage) where others can read the file, or it is not what `tocsin profile` writes. */
  read(): Content {
    let opened: number;
    try {
      opened = fs.openSync(this.file, 'r');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return EMPTY;
      throw this.#unreadable(error);
    }
    try {
      this.#requireOwnEyes(fs.fstatSync(opened).mode);
      return contentOf(fs.readFileSync(opened, 'utf8'));
    } catch (error) {
      throw error instanceof CliError ? error : this.#unreadable(error);
    } finally {
      fs.closeSync(opened);
    }
  }

  /** The profile of a name, or the current one. @throws CliError (usage) where there is none. */
  get(name?: string): Profile {
    const { current, profiles } = this.read();
    const wanted = name ?? current;
    if (wanted === undefined)
      throw new CliError(EXIT.usage, 'No installation is named.', [
        'Add one: tocsin profile add NAME --url URL',
        'or set TOCSIN_URL and TOCSIN_KEY.',
      ]);
    return profileOf(profiles, wanted);
  }

  /** Adds a profile, or replaces the one of its name; the first one becomes the current one. */
  add(name: string, profile: Profile): 'added' | 'replaced' {
    const { current = name, profiles } = this.read();
    this.#write({ current, profiles: { ...profiles, [name]: profile } });
    return Object.hasOwn(profiles, name) ? 'replaced' : 'added';
  }

  use(name: string): void {
    const { profiles } = this.read();
    profileOf(profiles, name);
    this.#write({ current: name, profiles });
  }

  /** Removes a profile; where it was the current one, none is until one is chosen. */
  remove(name: string): void {
    const { current, profiles } = this.read();
    profileOf(profiles, name);
    const others = Object.fromEntries(Object.entries(profiles).filter(([each]) => each !== name));
    this.#write({ ...(current !== undefined && current !== name && { current }), profiles: others });
  }

  /** The file is whole at every instant: the new one takes its name once it is on disk. */
  #write(content: Content): void {
    const target = fs.existsSync(this.file) ? fs.realpathSync(this.file) : this.file;
    const folder = path.dirname(target);
    const fresh = path.join(folder, `.config-${randomUUID()}.tmp`);
    try {
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      fs.writeFileSync(fresh, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true });
      fs.renameSync(fresh, target);
    } catch (error) {
      fs.rmSync(fresh, { force: true });
      throw new CliError(EXIT.usage, `Cannot write the profiles to ${target}: ${String(error)}`);
    }
  }

  #requireOwnEyes(mode: number): void {
    if (process.platform === 'win32' || (mode & OTHERS) === 0) return;
    throw new CliError(EXIT.usage, `Others can read the keys in ${this.file} (mode ${(mode & 0o777).toString(8)}).`, [
      `Make it yours alone: chmod 600 '${this.file}'`,
      'and rotate the keys in it if another user may have read them: tocsin key rotate.',
    ]);
  }

  #unreadable(error: unknown): CliError {
    return new CliError(EXIT.usage, `Cannot read the profiles in ${this.file}: ${String(error)}`);
  }
}

function profileOf(profiles: Content['profiles'], name: string): Profile {
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (found !== undefined) return found;
  const known = Object.keys(profiles).join(', ');
  throw new CliError(EXIT.usage, `There is no profile [${name}].`, [
    known === '' ? 'There is none at all: tocsin profile add NAME --url URL' : `There are: ${known}`,
  ]);
}

function contentOf(text: string): Content {
  const parsed = parsedOf(text);
  if (isContent(parsed)) return parsed;
  throw new Error('it does not hold profiles as `tocsin profile` writes them');
}

/** The parser's own refusal quotes what it stumbled over, which may be a part of a key. */
function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isContent(value: unknown): value is Content {
  if (!isObject(value) || !isObject(value['profiles'])) return false;
  if (!['string', 'undefined'].includes(typeof value['current'])) return false;
  return Object.values(value['profiles']).every(
    (profile) => isObject(profile) && typeof profile['url'] === 'string' && typeof profile['key'] === 'string',
  );
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const codeOf = (error: unknown): unknown => (isObject(error) ? error['code'] : undefined);
