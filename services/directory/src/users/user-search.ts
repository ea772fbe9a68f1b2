import type { User } from './user.ts';

/** The compared texts of a user in searches, without regard to case. */
export interface Searchable {
  readonly username: string;
  readonly fullName: string;
  readonly role: string;
  readonly locale: string;
  readonly timeZone: string;
  /** The parts of the address that are there; a condition on the address holds for one of them. */
  readonly userAddress: readonly string[];
}

/** A text as searches compare it: without regard to case. */
export const folded = (text: string): string => text.trim().toLowerCase();

/** The texts of `user` as searches compare them. */
export function searchable({ username, fullName, role, locale, timeZone, userAddress }: SearchedUser): Searchable {
  const { country, state, city, line, zipCode } = userAddress;
  return {
    username: folded(username),
    fullName: folded(fullName),
    role: folded(role.name),
    locale: folded(locale),
    timeZone: folded(timeZone),
    userAddress: [...new Set([country, state, city, line, zipCode].map(folded))].filter((part) => part !== ''),
  };
}

type SearchedUser = Pick<User, 'username' | 'fullName' | 'role' | 'locale' | 'timeZone' | 'userAddress'>;
