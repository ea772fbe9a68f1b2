import type { Settlement } from '@tocsin/contracts';
import { isTransient } from '@tocsin/persistence';

/** The settlement, or what a failure means for the batch: trouble of ours is tried again, bad input is set aside. */
export async function orFailure(settling: Promise<Settlement>): Promise<Settlement> {
  try {
    return await settling;
  } catch (error) {
    return { outcome: isTransient(error) ? 'retry' : 'refused', reason: String(error) };
  }
}
