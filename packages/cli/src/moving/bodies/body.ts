import type { Json } from '../json.ts';
import type { KindName } from '../kinds.ts';

/** The kinds of `PUT /v2/imports/{kind}/{id}`, in the order in which they are applied: each names things of kinds before it. */
export const IMPORT_KINDS = [
  'roles',
  'users',
  'teams',
  'schedules',
  'escalations',
  'notification-rules',
  'routing-rules',
  'forwarding-rules',
  'integrations',
  'policies',
  'policies-v1',
  'maintenance',
  'heartbeats',
  'saved-searches',
] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** A thing as its import writes it: all fields, references by id, defaults filled in, without what is only read. */
export interface ImportBody {
  readonly kind: ImportKind;
  /** Of a heartbeat its name; of rules the id of their user or team. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  readonly body: Json;
}

/** A part of a thing that is not moved as it is. */
export interface Loss {
  readonly kind: KindName;
  readonly id: string;
  readonly name: string;
  /** What is not moved, and what happens instead. */
  readonly what: string;
}

/** What becomes of a thing. One that cannot be moved at all has no bodies. */
export interface Converted {
  readonly bodies: readonly ImportBody[];
  readonly losses: readonly Loss[];
}

/** What is known about the side whose things are converted. Both sides are converted by the same functions. */
export interface Side {
  /** Of things that name no zone and no locale: the API does not show those of the account. */
  readonly zone: string | undefined;
  readonly locale: string | undefined;
  /** Overrides, forwarding rules and windows that ended until then are left out, in milliseconds. */
  readonly endedBefore: number;
  /** Ids of custom roles. */
  readonly roles: ReadonlySet<string>;
  /** Ids of policies that version 2 shows: they are not moved twice. */
  readonly policies: ReadonlySet<string>;
  /** Types of integrations that Tocsin does not know, in lower case. */
  readonly unknownTypes: ReadonlySet<string>;
  /** Whether it is Tocsin, whose heartbeats are as they are. Those of the account are moved disabled. */
  readonly isTocsin: boolean;
}

/** The key of a body among all. */
export const keyOf = ({ id, kind }: Pick<ImportBody, 'id' | 'kind'>): string => `${kind}/${id}`;

/** Lists whose order means nothing. */
const UNORDERED: ReadonlySet<string> = new Set([
  ...['members', 'rights', 'grantedRights', 'disallowedRights', 'tags', 'alertTags', 'teams', 'alertActions'],
  ...['notificationTime', 'schedules', 'responders'],
]);

/** The same text for bodies that say the same, whatever the order of their fields and of lists without an order. */
export function canonical(value: unknown, name = ''): string {
  if (Array.isArray(value)) {
    const items = value.map((item) => canonical(item));
    return `[${(UNORDERED.has(name) ? items.sort() : items).join(',')}]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const fields = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([field, inner]) => `${JSON.stringify(field)}:${canonical(inner, field)}`).join(',')}}`;
}
