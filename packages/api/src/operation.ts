import type { ServiceName } from '@tocsin/events';
import type { z } from 'zod';

/** Which key each right asks for (K3). */
export const RIGHTS = {
  read: 'A key with read access.',
  send: 'A key with write access, and one that only sends: it has neither read nor write access.',
  write: 'A key with write access.',
  'read-configuration': 'A key with configuration access and read access.',
  'write-configuration': 'A key with configuration access and write access.',
  link: 'No key: the service that owns the link made the path, which opens one thing (A13, U9, S16).',
  callback:
    'No key: a provider calls, and the service that owns the callback checks what it was given or what it signed (U18).',
  'sign-in': 'No key, but the code that a person was sent, or what an OpenID provider says of them (K20, K25).',
  session: 'A signed-in person, whatever their role; no key (K21).',
} as const;
export type Right = keyof typeof RIGHTS;

/** Which people each operation is for, from fewest to most (K11). The service of the operation checks the entity (K12). */
export const PEOPLE = {
  none: 'No people.',
  admin: 'Owners and admins of the account.',
  'team-admin': 'Those, and admins of the team that owns the entity.',
  'team-member': 'Those, and members of the team that owns the entity.',
  self: 'Owners and admins of the account, and the user whom the path names.',
  own: 'Owners and admins of the account, and the user to whom the entity belongs.',
  user: 'Every role but observer and stakeholder.',
  'every-role': 'Every role.',
} as const;
export type People = keyof typeof PEOPLE;

/** The groups of operations that share a rate limit, in the words that clients know (F6; wire facts 1.4). */
export const DOMAINS = ['alert', 'heartbeat', 'integration', 'configuration', 'search', 'schedule-oncalls'] as const;
export type Domain = (typeof DOMAINS)[number];

/** The methods that documented paths take. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** How an operation is reached, and by which keys and people. */
export interface Operation {
  /** Unique, in words: what the operation does to what. */
  readonly id: string;
  readonly method: Method;
  /** With `{parameter}` segments, without a trailing slash. */
  readonly path: string;
  readonly right: Right;
  readonly domain: Domain;
  readonly owner: ServiceName;
  readonly summary: string;
  /** Refused to every team key, whatever its rights (K8). */
  readonly teamKeys?: 'refused';
  /** Written where it is not what {@link peopleOf} derives of the right. */
  readonly people?: People;
  /**
   * A body that may be long, of the request or of the answer: it passes the gateway as it comes, and is never held whole. A stream is an
   * answer that goes on until either side ends it.
   */
  readonly transfer?: 'upload' | 'download' | 'stream';
  /**
   * Where the key may be besides the places of K1: after `Bearer`, in `X-API-Key`, and in the path or at this name in the JSON object of the
   * body (Q2).
   */
  readonly keyPlaces?: 'path' | 'apiKey' | 'routing_key';
  /** Refuses as the events API of PagerDuty does (Q7), not as E1 says. */
  readonly refusalForm?: 'event';
  /** The setting of the gateway without which there is no such operation: 404. */
  readonly setting?: 'IMPORT';
  /** Headers of the caller that reach the owner beside those of every request; lower case. */
  readonly passedHeaders?: readonly string[];
  /** The longest body, as it is sent and decompressed; of every operation that takes one but uploads (E2). */
  readonly maxBodyBytes?: number;
}

/** The input and the answers of an operation. */
export interface Description {
  /** The guarantees, in whole sentences; the summary is above them. */
  readonly description?: string;
  /** The parameters of the path that are not plain text. */
  readonly params?: z.ZodObject;
  /** The very schema that the route reads its query with. */
  readonly query?: z.ZodType;
  readonly body?: RequestBody;
  readonly success: JsonSuccess | FileSuccess;
  /** Answers that are pages too, beside the success: what each says. */
  readonly pages?: Readonly<Partial<Record<200 | 404 | 409 | 410, string>>>;
  /** A 404 may mean that what is asked for is still on its way, and a header says so (A8). */
  readonly mayBePending?: true;
  /** Refusals of this operation beside those that every operation has. */
  readonly refusals?: readonly RefusalStatus[];
}

/** One documented operation: the table of the gateway, the rights, the API description and the fuzz are made of it. */
export type DescribedOperation = Operation & Description;

export interface RequestBody {
  /** The very schema that the route reads its body with. */
  readonly schema: z.ZodType;
  /** A body that the operation takes. */
  readonly example: unknown;
  /** JSON unless given. */
  readonly mediaType?: 'multipart/form-data' | 'application/x-www-form-urlencoded';
}

/** A JSON body; `took` and `requestId` are added to its schema and its example. */
export interface JsonSuccess<Schema extends z.ZodObject = z.ZodObject> {
  /** E9. */
  readonly status: 200 | 201 | 202;
  readonly schema: Schema;
  readonly example: Readonly<Record<string, unknown>>;
  /** The same status may have another body as well, as it is. */
  readonly or?: Pick<FileSuccess, 'mediaType'>;
}

/** A file or a page as it is. */
export interface FileSuccess {
  /** 200 unless given. */
  readonly status?: 202;
  readonly mediaType: string;
  /** A caller that has it already, as its `If-None-Match` says, is answered 304. */
  readonly hasTag?: true;
  /** The description of the file. */
  readonly description: string;
}

/** Statuses of refusals that not every operation has. */
type RefusalStatus = 404 | 409 | 428;

const PEOPLE_OF_RIGHT: Readonly<Record<Right, People>> = {
  read: 'every-role',
  send: 'none',
  write: 'user',
  'read-configuration': 'every-role',
  'write-configuration': 'admin',
  link: 'none',
  callback: 'none',
  'sign-in': 'none',
  session: 'every-role',
};

/** The people who may call the operation: what it says, or what follows of its right. */
export const peopleOf = ({ people, right }: Pick<Operation, 'people' | 'right'>): People =>
  people ?? PEOPLE_OF_RIGHT[right];

/** Whether a request to the operation changes nothing. A tool may send an alert by GET. */
export const isReadOnly = ({ method, right }: Pick<Operation, 'method' | 'right'>): boolean =>
  method === 'GET' && right !== 'send';

/** The limit of operations that enable, move or ask about the key: their bodies are short or empty. */
export const SMALL_BODY = { maxBodyBytes: 16_384 } as const;
/** An alert with everything that it may have, or one thing that is configured. */
export const MEDIUM_BODY = { maxBodyBytes: 262_144 } as const;
/** The limit of bodies with lists of long entries: conditions, actions of an integration, rotations. */
export const LARGE_BODY = { maxBodyBytes: 1_048_576 } as const;

/**
 * The common guarantees of the operations of a resource: the codes, which code and tests cite, each with its sentences. The first is
 * about the whole, the others are points of it, in Markdown; their links lead from `docs/`. `docs/api-reference.md` is made of them.
 */
export type Rules = Readonly<Record<string, readonly [string, ...string[]]>>;

export const NO_RULES: Rules = {};

type Operations = Readonly<Record<string, Omit<DescribedOperation, 'id'>>>;

/** The content of one file of `resources/`. */
export interface Resource<T extends Operations = Operations> {
  /** Its heading in `docs/api-reference.md`. */
  readonly title: string;
  readonly rules: Rules;
  /** By their ids. */
  readonly operations: T;
}

export const resource = <T extends Operations>(title: string, rules: Rules, operations: T): Resource<T> => ({
  title,
  rules,
  operations,
});
