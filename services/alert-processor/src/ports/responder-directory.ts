import type { ResponderReference, ResponderType } from '@tocsin/contracts';
import type { Resolution } from '../domain/decided.ts';

/** Looks responders up, with their owners where they are not known here. */
export interface ResponderDirectory {
  /** Users by id or user name, everything else by id or name. Never throws. */
  resolve(reference: ResponderReference): Promise<Resolution>;
  /** The resolution that is known here, without asking the owner. */
  known(reference: ResponderReference): Resolution | undefined;
}

export interface ResponderNames {
  /** The present user name of a user, the name of anything else; undefined where it is not known, or no more. */
  nameOf(type: ResponderType, id: string): string | undefined;
}

/** What is known of responders without asking anybody. */
export interface KnownResponders extends ResponderNames {
  /** The ids of all users. */
  everyone(): readonly string[];
}
