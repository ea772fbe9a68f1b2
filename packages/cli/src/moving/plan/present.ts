import { mapConcurrent } from '../../map-concurrent.ts';
import { ApiReadError } from '../answer.ts';
import { type ImportBody, type ImportKind, keyOf, type Side } from '../bodies/body.ts';
import { convert } from '../bodies/convert.ts';
import { objectsIn, textIn } from '../json.ts';
import {
  CONCURRENT_REQUESTS,
  kindOf,
  KINDS,
  type KindName,
  type Listed,
  notificationRulesOf,
  policiesOf,
  type Thing,
  unlessDeleted,
  usersWithContacts,
  whyUnavailable,
} from '../kinds.ts';
import type { OpsgenieClient } from '../opsgenie-client.ts';
import type { Progress } from '../progress.ts';
import { withoutPlace } from './wanted.ts';

/** What Tocsin has. */
export interface Present {
  /** By key, of the things that were asked for. */
  readonly bodies: ReadonlyMap<string, ImportBody>;
  /** Ids of all things of each kind. */
  readonly ids: ReadonlyMap<KindName, ReadonlySet<string>>;
  /** Of kinds whose names are unique: the id by the name, in lower case. */
  readonly names: ReadonlyMap<KindName, ReadonlyMap<string, string>>;
}

/** Kinds of which two things cannot have the same name. */
const NAMED: ReadonlySet<KindName> = new Set([
  'roles',
  'users',
  'teams',
  'schedules',
  'escalations',
  'integrations',
  'saved-searches',
]);

/** The name by which a thing is unique. */
export const uniqueName = (name: string): string => name.trim().toLowerCase();

const NOT_MOVED: ReadonlySet<KindName> = new Set(['account', 'services']);

/** What is read of Tocsin. */
export interface Asked {
  has(kind: KindName, id: string, name: string): boolean;
  /**
   * Ids of the teams that have policies in the snapshot, or had some, and their names as {@link uniqueName}, because such a team may have
   * another id in Tocsin. Policies of other teams are not looked for.
   */
  readonly policyTeams: { readonly ids: ReadonlySet<string>; readonly names: ReadonlySet<string> };
}

/** Reads the things of Tocsin that are asked for, converted as those of the snapshot are. @throws ApiReadError */
export async function presentOf(
  client: OpsgenieClient,
  asked: Asked,
  now: number,
  progress: Progress,
): Promise<Present> {
  const ids = new Map<KindName, ReadonlySet<string>>();
  const names = new Map<KindName, ReadonlyMap<string, string>>();
  const bodies = new Map<string, ImportBody>();
  for (const kind of KINDS.filter((each) => !NOT_MOVED.has(each))) {
    progress.begin(kind);
    const list = await listOf(client, kind, kind === 'policies' ? policyTeamsIn({ ids, names }, asked) : []);
    ids.set(kind, new Set(list.map(({ id }) => id)));
    if (NAMED.has(kind)) names.set(kind, new Map(list.map(({ id, item }) => [uniqueName(nameIn(item)), id])));
    const wanted = list.filter(({ id, item }) => asked.has(kind, id, uniqueName(nameIn(item))));
    progress.expect(wanted.length, wanted.length);
    const side: Side = { ...SIDE, endedBefore: now, roles: ids.get('roles') ?? new Set() };
    await mapConcurrent(CONCURRENT_REQUESTS, wanted, async (listed) => {
      const thing = kind === 'users' ? await userOf(client, listed) : await kindOf(kind).read(client, listed);
      progress.done();
      if (thing === undefined) return;
      for (const body of convert(kind, listed.id, thing, side).bodies)
        bodies.set(keyOf(body), kind === 'policies-v1' ? withoutPlace(body) : body);
    });
  }
  return { bodies, ids, names };
}

/** The ids of the teams of Tocsin of which policies are looked for. */
function policyTeamsIn({ ids, names }: Pick<Present, 'ids' | 'names'>, { policyTeams }: Asked): readonly string[] {
  const named = [...policyTeams.names].flatMap((name) => names.get('teams')?.get(name) ?? []);
  const known = [...policyTeams.ids].filter((id) => ids.get('teams')?.has(id) === true);
  return [...new Set([...known, ...named])];
}

/** The types of integrations that Tocsin does not know, in lower case. */
export async function unknownTypesOf(client: OpsgenieClient, types: readonly string[]): Promise<ReadonlySet<string>> {
  const unknown = await mapConcurrent(CONCURRENT_REQUESTS, types, async (type) => {
    try {
      await client.list('/v2/integrations', { type });
      return [];
    } catch (error) {
      if (error instanceof ApiReadError && error.fault === 'answer') return [type.toLowerCase()];
      throw error;
    }
  });
  return new Set(unknown.flat());
}

const SIDE: Side = {
  ...{ zone: undefined, locale: undefined, isTocsin: true, endedBefore: 0 },
  ...{ roles: new Set<string>(), policies: new Set<string>(), unknownTypes: new Set<string>() },
};

const nameIn = (item: Listed['item']): string => textIn(item, 'username') ?? textIn(item, 'name') ?? '';

/** A user whose list item has all but the rules. */
async function userOf(client: OpsgenieClient, listed: Listed): Promise<Thing | undefined> {
  const { id, item } = listed;
  if (!Array.isArray(item['userContacts'])) return kindOf('users').read(client, listed);
  const contacts = objectsIn(item, 'userContacts').map((each) => ({ ...each, method: each['contactMethod'] }));
  return unlessDeleted(async () => ({
    value: item,
    parts: { contacts, notificationRules: await notificationRulesOf(client, id) },
  }));
}

/** The list of a kind; of policies that of the account and of these teams. Tocsin lists users with their contacts. */
async function listOf(client: OpsgenieClient, kind: KindName, teams: readonly string[]): Promise<readonly Listed[]> {
  try {
    if (kind === 'policies') return await policiesOf(client, teams);
    return await (kind === 'users' ? usersWithContacts(client) : kindOf(kind).list(client));
  } catch (error) {
    if (whyUnavailable(error) === undefined) throw error;
    return [];
  }
}

/** The kind of lists by which things of an import kind are read. */
export const listKindOf = (kind: ImportKind): KindName => {
  if (kind === 'notification-rules') return 'users';
  return kind === 'routing-rules' ? 'teams' : kind;
};
