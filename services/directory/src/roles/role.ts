import type { ExtendedRole } from '@tocsin/api';
import type { NotFoundError } from '@tocsin/core';
import type { RoleState, StateMessage, Version } from '@tocsin/events';
import { doesNotExist, type Reference } from '../references/reference.ts';

/** A role in answers, with the name as it was written (wire facts 10.4). */
export interface Role {
  readonly id: string;
  readonly name: string;
}

/** A role that a user of the account created (wire facts 5). */
export interface CustomRole extends Role {
  readonly extendedRole: ExtendedRole;
  readonly grantedRights: readonly string[];
  readonly disallowedRights: readonly string[];
  readonly createdAt: Date;
  readonly version: Version;
}

/** The roles that every installation has from its first start on (K5). Their ids are their names. */
const FIXED_ROLES = ['owner', 'admin', 'user'] as const;

/** The fixed role with that name, in upper or lower case; undefined without one. */
export function fixedRole(name: string): Role | undefined {
  const written = name.trim();
  const id = FIXED_ROLES.find((fixed) => fixed === written.toLowerCase());
  return id === undefined ? undefined : { id, name: written };
}

/** Whether it is a fixed role, which cannot be renamed or deleted. */
export const isFixed = ({ id }: Role): boolean => FIXED_ROLES.some((fixed) => fixed === id);

export const unknownRole = (reference: Reference): NotFoundError => doesNotExist('Role', reference);

export const isOwner = (role: Role): boolean => role.id === 'owner';

/** The state of a custom role on `roles.v1`. */
export const roleMessage = ({ id, extendedRole, version }: CustomRole): StateMessage<RoleState> => ({
  id,
  version,
  deleted: false,
  state: { id, extendedRole },
});
