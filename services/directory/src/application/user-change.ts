import { isDeepStrictEqual } from 'node:util';
import type { UpdateUserBody } from '@tocsin/contracts';
import { given } from '../domain/given.ts';
import type { Role } from '../domain/role.ts';
import type { User } from '../domain/user.ts';

/** `user` as the body wants them, in `role` where there is one; the same `user` where nothing differs (E10). */
export function userChanged(user: User, body: UpdateUserBody, role: Role | undefined): User {
  const { fullName, skypeUsername = user.skypeUsername, userAddress, tags, details, timeZone, locale } = body;
  const { mutedUntil: mutedBefore, ...rest } = user;
  const mutedUntil = body.mutedUntil === undefined ? mutedBefore : body.mutedUntil;
  const changed: User = {
    ...rest,
    ...(mutedUntil && { mutedUntil }),
    ...given({ fullName, role, userAddress, tags, details, timeZone, locale }),
    skypeUsername: skypeUsername === '' ? undefined : skypeUsername,
  };
  return isDeepStrictEqual(changed, user) ? user : changed;
}
