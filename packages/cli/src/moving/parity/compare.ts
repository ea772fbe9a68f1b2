import type { OpsgenieClient } from '../opsgenie-client.ts';
import { parity, type Parity, type ParityWanted } from './parity.ts';
import { ParitySide } from './side.ts';

const MONTHS = 13;

/** What is compared where the user does not say it. */
export const PARITY_DEFAULTS = { randomInstants: 500, seed: 1 } as const;

/** Both sides, and when the 13 months begin that are compared. */
interface Sides
  extends Partial<Pick<ParityWanted, 'schedule' | 'randomInstants' | 'seed'>>, Pick<ParityWanted, 'progress'> {
  readonly opsgenie: OpsgenieClient;
  readonly tocsin: OpsgenieClient;
  readonly from: Date;
}

/** Compares the users on call for 13 months. @throws ApiReadError where a side cannot be read at all. */
export function compareOnCall({ from, opsgenie, tocsin, ...wanted }: Sides): Promise<Parity> {
  const until = new Date(from);
  until.setUTCMonth(until.getUTCMonth() + MONTHS);
  return parity({
    ...PARITY_DEFAULTS,
    ...wanted,
    opsgenie: new ParitySide(opsgenie),
    tocsin: new ParitySide(tocsin),
    range: { from: from.getTime(), until: until.getTime() },
  });
}

/** So that a report names no seconds. */
export const minuteOf = (now: Date): Date => new Date(new Date(now).setUTCSeconds(0, 0));
