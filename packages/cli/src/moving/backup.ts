import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { CliError, EXIT } from '../cli-error.ts';
import { ApiReadError } from './answer.ts';
import { isJson, type Json, objectIn, objectsIn, textIn } from './json.ts';
import type { KindName, Listed, Thing } from './kinds.ts';
import type { Source } from './source.ts';
import type { SnapshotOrigin } from './snapshot/manifest.ts';

/** The folder into which the backup tool of the vendor writes. */
const ROOT = 'OpsGenieBackups';
/** The folders of the kinds that it writes, a file for each thing. */
const FOLDERS: Readonly<Partial<Record<KindName, string>>> = {
  roles: 'customUserRoles',
  users: 'users',
  teams: 'teams',
  schedules: 'schedules',
  escalations: 'escalations',
  'forwarding-rules': 'forwardings',
  integrations: 'integrations',
  policies: 'policiesV2',
  'policies-v1': 'policies',
  maintenance: 'maintenance',
};
/** No thing is larger. */
const MAX_FILE_BYTES = 32 * 1_024 * 1_024;

/** The JSON files of the backup tool of the vendor. They have no timelines. */
export class BackupSource implements Source {
  readonly #folder: string;

  /** @throws CliError (usage) where the folder is no backup. */
  constructor(folder: string) {
    const inner = path.join(folder, ROOT);
    this.#folder = fs.existsSync(inner) ? inner : folder;
    if (Object.values(FOLDERS).some((name) => fs.existsSync(path.join(this.#folder, name)))) return;
    throw new CliError(EXIT.usage, `${folder} has no files of the backup tool.`, [
      `Name the folder ${ROOT}, which has folders such as users and teams.`,
    ]);
  }

  get origin(): SnapshotOrigin {
    return { type: 'backup', folder: path.resolve(this.#folder) };
  }

  list(kind: KindName): Promise<readonly Listed[]> {
    const name = FOLDERS[kind];
    if (name === undefined) throw new ApiReadError('missing', `The backup tool does not write ${kind}.`);
    const folder = path.join(this.#folder, name);
    if (!fs.existsSync(folder)) throw new ApiReadError('missing', `The backup has no folder ${name}.`);
    const files = fs.readdirSync(folder).filter((file) => file.endsWith('.json'));
    return Promise.resolve(files.sort().map((file) => listedOf(kind, path.join(folder, file))));
  }

  read(kind: KindName, { item }: Listed): Promise<Thing | undefined> {
    return Promise.resolve(thingOf(kind, contentOf(textIn(item, 'file') ?? '').content));
  }
}

function listedOf(kind: KindName, file: string): Listed {
  const { content, sha256 } = contentOf(file);
  const id = textIn(thingOf(kind, content).value, 'id');
  if (id === undefined) throw unusable(file, 'has no id');
  return { id, item: { file, sha256 } };
}

/** @throws ApiReadError where the file is not a JSON object. */
function contentOf(file: string): { readonly content: Json; readonly sha256: string } {
  if (fs.statSync(file).size > MAX_FILE_BYTES) throw unusable(file, `is larger than ${MAX_FILE_BYTES} bytes`);
  const text = fs.readFileSync(file, 'utf8');
  try {
    const content: unknown = JSON.parse(text);
    if (isJson(content)) return { content, sha256: createHash('sha256').update(text).digest('hex') };
  } catch {
    // Below.
  }
  throw unusable(file, 'is cut off or is not a JSON object');
}

const unusable = (file: string, why: string): ApiReadError =>
  new ApiReadError('answer', `${file} ${why}.`, ['Run the backup tool again, or read the API: --from URL.']);

/** The things that the tool writes with an object around them; those of older backups have none. */
const UNWRAPPED: Readonly<Partial<Record<KindName, (content: Json) => Thing>>> = {
  users: (content) => {
    const value = objectIn(content, 'user') ?? content;
    return {
      value,
      parts: { contacts: contactsOf(value), notificationRules: objectsIn(content, 'notificationRuleList') },
    };
  },
  teams: (content) => ({
    value: objectIn(content, 'team') ?? content,
    parts: { routingRules: objectsIn(content, 'teamRoutingRules'), roles: objectsIn(content, 'teamRoles') },
  }),
  schedules: (content) => ({
    value: objectIn(content, 'schedule') ?? content,
    parts: { overrides: objectsIn(content, 'scheduleOverrideList'), timeline: [] },
  }),
  integrations: (content) => {
    const actions = objectIn(content, 'integrationActions');
    const value = objectIn(content, 'integration') ?? content;
    return { value, parts: { actions: actions === undefined ? [] : [actions] } };
  },
  policies: (content) => {
    const teamId = textIn(content, 'teamId');
    const value = objectIn(content, 'policy') ?? content;
    return { value: { ...value, ...(teamId !== undefined && { teamId }) }, parts: {} };
  },
};

/** As the API shows it. */
const thingOf = (kind: KindName, content: Json): Thing => UNWRAPPED[kind]?.(content) ?? { value: content, parts: {} };

const contactsOf = (user: Json): readonly Json[] =>
  objectsIn(user, 'userContacts').map(({ contactMethod, enabled, id, to }) => ({
    ...{ id, to, method: contactMethod },
    status: { enabled },
  }));
