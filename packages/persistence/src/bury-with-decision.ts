import { Decisions, type BuriedRecord, type Decision, type Settlement } from '@tocsin/contracts';
import type { Connection } from 'mongoose';
import type { Outbox } from './outbox.ts';
import { buryRecord } from './settle-batch.ts';

/** What {@link buryWithDecision} needs. */
export interface BurialWithDecision {
  readonly connection: Connection;
  /** Relays decisions. */
  readonly outbox: Pick<Outbox, 'add' | 'flush'>;
  readonly record: BuriedRecord;
  /** What the alert's log says of the record; nothing where it is not known of which alert it is. */
  readonly decision: Decision | undefined;
}

/** Buries a record as {@link buryRecord} does, in one transaction with the decision about it, which is published soon after. */
export async function buryWithDecision({
  connection,
  outbox,
  record,
  decision,
}: BurialWithDecision): Promise<Settlement> {
  const settlement = await buryRecord({
    connection,
    record,
    work: async (session) => {
      if (decision !== undefined) await outbox.add(session, Decisions, [decision]);
    },
  });
  void outbox.flush();
  return settlement;
}
