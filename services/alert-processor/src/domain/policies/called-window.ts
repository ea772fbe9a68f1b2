import { told } from '@tocsin/rules';
import type { Maintenance } from '../maintenance.ts';

const LONGEST_DESCRIPTION = 100;

/** How the log and a status call a window, such as `[Upgrade]`: by its description, or its id where it has none. */
export function calledWindow({ id, description }: Pick<Maintenance, 'id' | 'description'>): string {
  return `[${description === '' ? id : told(description, LONGEST_DESCRIPTION)}]`;
}
