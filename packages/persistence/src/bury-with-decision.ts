import { Decisions, type BuriedRecord, type Decision, type Settlement } from '@tocsin/contracts';
import type { Connection } from 'mongoose';
import type { Outbox } from './outbox.ts';
import { buryRecord } from './settle-batch.ts';

/** What {@link buryWithDecision} needs. */
export interface BurialWithDecision {
  readonly connection: Connection;
  /** Its topics include `Decisions`. */
  readonly outbox: Pick<Outbox, 'add'>;
  readonly record: BuriedRecord;
  /** For the log of the alert; undefined where the alert of the record is not known. */
  readonly decision: Decision | undefined;
}

/** As {@link buryRecord}, in one transaction with the decision about the record, which is published soon after. */
export function buryWithDecision({ connection, outbox, record, decision }: BurialWithDecision): Promise<Settlement> {
  return buryRecord({
    connection,
    record,
    work: async (session) => {
      if (decision !== undefined) await outbox.add(session, Decisions, [decision]);
    },
  });
}
