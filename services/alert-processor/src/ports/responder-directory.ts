import type { ResponderReference } from '@tocsin/contracts';
import type { Resolution } from '../domain/decided.ts';

export interface ResponderDirectory {
  /** Users by id or user name, everything else by id or name. Never throws. */
  resolve(reference: ResponderReference): Promise<Resolution>;
}
