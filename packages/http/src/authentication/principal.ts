import type { ServiceName } from '@tocsin/events';
import { z } from 'zod';

/** An integration, by one of its keys. */
export interface KeyPrincipal {
  readonly kind: 'key';
  readonly integrationId: string;
  readonly integrationName: string;
  readonly integrationType: string;
  /** The team that owns the integration: its keys are bound to that team (K4). */
  readonly teamId: string | undefined;
  /** `allowReadAccess`. */
  readonly mayRead: boolean;
  /** `allowWriteAccess`. */
  readonly mayWrite: boolean;
  /** `allowConfigurationAccess`. */
  readonly mayConfigure: boolean;
}

/** The roles of a user in the account, from most rights to least (K11). */
export const PERSON_ROLES = ['owner', 'admin', 'user', 'observer', 'stakeholder'] as const;
export type PersonRole = (typeof PERSON_ROLES)[number];

/**
 * The role by whose rights a user acts; `custom` is the role of that name, where there is one (K11). A custom role that is not known, or not
 * yet, counts as the least that one may extend.
 */
export const personRole = (name: string, custom: { readonly extendedRole: PersonRole } | undefined): PersonRole =>
  PERSON_ROLES.find((role) => role === name) ?? custom?.extendedRole ?? 'stakeholder';

/** A person who is signed in, or acts in a chat (C9). */
export interface UserPrincipal {
  readonly kind: 'user';
  readonly userId: string;
  readonly username: string;
  /** Their role in the account; of a custom role, the role that it extends (K11). */
  readonly role: PersonRole;
  /** Their teams, with their role in each. */
  readonly teams: readonly { readonly id: string; readonly role: 'admin' | 'user' }[];
  /** The product of chat in which the person acts; absent for the console. */
  readonly through?: string | undefined;
}

/** The caller of an operation, as the gateway authenticated it and vouches for it to the services behind it (K6). */
export type Principal = KeyPrincipal | UserPrincipal;

/** A service that calls another one on its own behalf. It reaches internal routes only. */
export interface ServiceCaller {
  readonly service: ServiceName;
}

/** The principal of a request between services. */
export type Caller = Principal | ServiceCaller;

/** The header that carries a signed caller. The gateway drops it from every request that comes from outside (K6). */
export const PRINCIPAL_HEADER = 'x-tocsin-principal';

/** Whether a service calls on its own behalf, not for a key or a person. */
export function isServiceCaller(caller: Caller): caller is ServiceCaller {
  return 'service' in caller;
}

const PERSON = 'user:';

/** The name under which limits count the requests of a principal: the integration, or the person on all their devices. */
export function limitHolder(principal: Principal): string {
  return principal.kind === 'key' ? principal.integrationId : `${PERSON}${principal.userId}`;
}

/** Whether a holder of a limit is a person: an integration has a UUID, and an address no letters before a colon but hexadecimal ones. */
export const isPersonHolder = (holder: string): boolean => holder.startsWith(PERSON);

/** The form of the principal in a token; `teamId` is absent there where the key has no team. */
export const PrincipalClaim = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('key'),
    integrationId: z.string(),
    integrationName: z.string(),
    integrationType: z.string(),
    teamId: z.string().optional(),
    mayRead: z.boolean(),
    mayWrite: z.boolean(),
    mayConfigure: z.boolean(),
  }),
  z.object({
    kind: z.literal('user'),
    userId: z.string().min(1),
    username: z.string().min(1),
    role: z.enum(PERSON_ROLES),
    teams: z.array(z.object({ id: z.string().min(1), role: z.enum(['admin', 'user']) })),
    through: z.string().min(1).optional(),
  }),
]);
