import type { ResponderReference, ResponderType } from '@tocsin/contracts';
import type { Resolution } from '../domain/decided.ts';

/** Looks responders up, and asks their owners for those that are not known here. */
export interface ResponderDirectory {
  /** Resolves users by id or user name, everything else by id or name. Never throws. */
  resolve(reference: ResponderReference): Promise<Resolution>;
  /** The resolution that is known here, without asking the owner. */
  known(reference: ResponderReference): Resolution | undefined;
}

export interface ResponderNames {
  /** The present user name of a user, the name of anything else; undefined if it is not known, or no longer exists. */
  nameOf(type: ResponderType, id: string): string | undefined;
}

/** The responders that are known here, without asking an owner. */
export interface KnownResponders extends ResponderNames {
  /** The ids of all users. */
  everyone(): readonly string[];
}
