import { TOPIC_DAYS, type AlertCommand, type ResponderReference } from '@tocsin/contracts';
import type { Alert } from './alert.ts';
import { BroughtFiles, type FileLink, type FoundFile } from './brought-files.ts';
import { decide } from './decide.ts';
import { acceptedAt, type Decided, type Resolution } from './decided.ts';
import type { DecisionContext } from './decision-context.ts';
import { MailRepeats, type SettledMail } from './mail-repeats.ts';
import { AT_ONCE } from './policies/judgement.ts';
import { statusOf, type RequestStatus } from './request-status.ts';
import { isTooOld } from './retention.ts';
import { Settling, type SettledChanges, type SettlingContext } from './settling.ts';

/** The stored state that one batch reads, as it was before the batch. */
export interface StoredState {
  /** The request ids that have already settled; those of dead letters have not. */
  readonly settled: ReadonlySet<string>;
  /** The request ids of commands that Kafka appended long after their callers were told that they were not accepted. */
  readonly late?: ReadonlySet<string>;
  /** The request ids of dead letters that were redriven. */
  readonly buried?: ReadonlySet<string>;
  /** The mails that have settled, of those that made commands of the batch (P10). */
  readonly mails?: readonly SettledMail[];
  /** The alerts that the commands name, those of `mails`, and the open alerts with the aliases of creates. */
  readonly alerts: readonly Alert[];
  /** The files that creates name, and those that their alerts already have; absent if no create names one. */
  readonly files?: readonly FoundFile[];
}

/** What settling needs besides the commands and the stored state; gathered before the transaction. */
export interface SettleContext extends SettlingContext {
  readonly resolve: (reference: ResponderReference) => Resolution;
  /** The first of a run of free tiny ids, one for each create of the batch. */
  readonly firstTinyId: number;
  /** The judgements of creates by request id. The flow of a create without one starts at once. */
  readonly judged?: ReadonlyMap<string, DecisionContext['judged']>;
}

/** Everything that the transaction of a batch writes. */
export interface Changes extends SettledChanges {
  readonly statuses: readonly RequestStatus[];
  readonly links: readonly FileLink[];
  /** The ids of files to delete at once: their creates were dropped, or their alerts deleted. */
  readonly released: readonly string[];
}

/**
 * Settles commands one after the other. Pure: the same commands on the same stored state give the same changes.
 * Idempotent: a request id that has settled before, or earlier in `commands`, changes nothing.
 */
export function settleCommands(
  commands: readonly AlertCommand[],
  stored: StoredState,
  context: SettleContext,
): Changes {
  const settling = new Settling(stored.alerts, context);
  const { alerts } = settling;
  const settled = new Set(stored.settled);
  const statuses: RequestStatus[] = [];
  const mails = new MailRepeats(stored.mails);
  const files = new BroughtFiles(stored.files ?? []);
  let tinyId = context.firstTinyId;

  const decidedUnread = (command: AlertCommand): Decided | undefined =>
    refusedUnread(command, stored, context.processedAt) ?? mails.repeatOf(command, (id) => alerts.isOpen(id));
  const broughtTo = (decided: Decided, command: AlertCommand, before: Alert | undefined): Decided => {
    if (decided.kind === 'changed') return files.brought(decided, command, before);
    files.dropped(command);
    return decided;
  };

  for (const command of commands) {
    if (settled.has(command.requestId)) continue;
    settled.add(command.requestId);
    const before = alerts.find(command);
    const decided =
      decidedUnread(command) ?? decide(before, command, { ...context, tinyId, judged: judgedOf(command, context) });
    if (command.kind === 'create') tinyId += 1;
    const brought = broughtTo(decided, command, before);
    const alert = brought.kind === 'changed' ? settling.make(before, brought, command) : before;
    const status = statusOf(command, decided, { alert, processedAt: context.processedAt });
    statuses.push(status);
    mails.settle(status);
  }
  const lasting = ({ alertId }: { readonly alertId: string }): boolean => !alerts.isRemoved(alertId);
  return {
    ...settling.changes(),
    statuses,
    links: files.links.filter(lasting),
    released: [...files.released(), ...files.links.filter((link) => !lasting(link)).map(({ fileId }) => fileId)],
  };
}

const NOT_JUDGED: DecisionContext['judged'] = { flow: AT_ONCE, entry: undefined };

const judgedOf = ({ requestId }: AlertCommand, { judged }: SettleContext): DecisionContext['judged'] =>
  judged?.get(requestId) ?? NOT_JUDGED;

/** It may have settled before, because its status may be gone, and its alias may belong to another alert by now. */
const TOO_OLD: Decided = {
  kind: 'refused',
  status: `Too old: it was accepted more than ${String(TOPIC_DAYS)} days ago`,
};

/** Its caller was told that it failed, and may have sent it again. */
const TOO_LATE: Decided = {
  kind: 'refused',
  status: 'Too late: its caller was told long before that it was not accepted',
};

/** The outcome of a command that must not be carried out, whatever it says; undefined for all others. */
function refusedUnread(command: AlertCommand, { late, buried }: StoredState, now: Date): Decided | undefined {
  if (late?.has(command.requestId) === true) return TOO_LATE;
  return isTooOld(acceptedAt(command), now) && buried?.has(command.requestId) !== true ? TOO_OLD : undefined;
}
