import { CliError, EXIT } from '../../cli-error.ts';
import { isJson } from '../json.ts';
import { KINDS, type KindName } from '../kinds.ts';

const FORMAT = 'tocsin-opsgenie-snapshot';
/** Raised whenever an older reader would misread the files. */
const VERSION = 1;

/** Where the things of a snapshot were read. */
export type SnapshotOrigin =
  { readonly type: 'api'; readonly url: string } | { readonly type: 'backup'; readonly folder: string };

/** A kind whose file is whole. */
export interface FetchedEntry {
  readonly count: number;
  readonly bytes: number;
  readonly sha256: string;
  /** Of the list from which the things were read: it is the same while no list item changed. */
  readonly listSha256: string;
  readonly fetchedAt: string;
  /** Ids of things that were listed and could not be read by themselves: the file has them as the list shows them. */
  readonly unreadable: readonly string[];
}

/** A kind that is read, or that the source does not have. */
type KindEntry = FetchedEntry | { readonly unavailable: string; readonly fetchedAt: string };

/** What a snapshot holds. It is written anew after each kind. */
export interface Manifest {
  readonly format: typeof FORMAT;
  readonly version: typeof VERSION;
  readonly origin: SnapshotOrigin;
  readonly secrets: 'masked' | 'included';
  readonly startedAt: string;
  /** Undefined while kinds are missing. */
  readonly finishedAt?: string;
  readonly kinds: Readonly<Partial<Record<KindName, KindEntry>>>;
}

/** The manifest of a snapshot of which nothing is read yet. */
export const newManifest = (origin: SnapshotOrigin, secrets: Manifest['secrets'], now: Date): Manifest => ({
  ...{ format: FORMAT, version: VERSION, origin, secrets, startedAt: now.toISOString(), kinds: {} },
});

/** @throws CliError (cannot say) for the text of another format or version, and for one that is not whole. */
export function manifestOf(text: string, file: string): Manifest {
  const parsed = parsedOf(text);
  if (!isJson(parsed) || parsed['format'] !== FORMAT)
    throw new CliError(EXIT.cannotSay, `${file} is not the manifest of a snapshot.`, [
      'Name a folder that `tocsin import fetch` wrote.',
    ]);
  if (parsed['version'] !== VERSION)
    throw new CliError(
      EXIT.cannotSay,
      `${file} has version ${String(parsed['version'])}, and this tocsin reads version ${VERSION}.`,
      ['Fetch a new snapshot into another folder, or use the tocsin that wrote this one.'],
    );
  if (isManifest(parsed)) return parsed as unknown as Manifest;
  throw new CliError(EXIT.cannotSay, `${file} is damaged.`, ['Fetch a new snapshot into another folder.']);
}

function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isManifest({ kinds, origin, secrets, startedAt }: Readonly<Record<string, unknown>>): boolean {
  return (
    isJson(kinds) &&
    Object.entries(kinds).every(([kind, entry]) => isKind(kind) && isEntry(entry)) &&
    isJson(origin) &&
    ['api', 'backup'].includes(String(origin['type'])) &&
    ['masked', 'included'].includes(String(secrets)) &&
    !Number.isNaN(Date.parse(String(startedAt)))
  );
}

const isKind = (name: string): name is KindName => (KINDS as readonly string[]).includes(name);
const isEntry = (entry: unknown): boolean =>
  isJson(entry) &&
  (typeof entry['unavailable'] === 'string' ||
    (typeof entry['sha256'] === 'string' &&
      Number.isSafeInteger(entry['bytes']) &&
      Number.isSafeInteger(entry['count']) &&
      Array.isArray(entry['unreadable'])));
