/** A role as answers give it: the name as it was written (wire facts 10.4). */
export interface Role {
  readonly id: string;
  readonly name: string;
}

/** The roles that every installation has from its first start on (K5). Their ids are their names. */
const FIXED_ROLES = ['owner', 'admin', 'user'] as const;

/** The fixed role that `name` means, in any case; undefined when it is none of them. */
export function fixedRole(name: string): Role | undefined {
  const written = name.trim();
  const id = FIXED_ROLES.find((fixed) => fixed === written.toLowerCase());
  return id === undefined ? undefined : { id, name: written };
}

export const isOwner = (role: Role): boolean => role.id === 'owner';
