import { type Clock, UnavailableError } from '@tocsin/core';
import type { ConsumedRecord, ContactMethod, Decision, NoticeCommand, ShiftNotice } from '@tocsin/events';
import type { Stages } from '@tocsin/kafka';
import { noticeDeadLetterDecision, shiftDeadLetterDecision } from '../messages/dead-letter.ts';
import type { DeliverMessages, ReservedSlots } from '../queue/deliver-operations.ts';
import { fetchMissing, type UserReplica } from '../messages/user-client.ts';
import { type ExpandedNotice, nameOfNotice, planNotice } from './notice.ts';
import { planShift } from './shift.ts';
import type { NoticeStore } from './store.ts';
import type { NoticeListener } from '../messages/decisions.ts';

type Session = Parameters<NoticeStore['addNotices']>[2];

export interface NoticePorts {
  readonly store: Pick<NoticeStore, 'addDecision' | 'addNotices' | 'knownNotices'>;
  readonly deliver: Pick<DeliverMessages, 'reserveSlots'>;
  readonly clock: Clock;
  /** The methods that have a provider. */
  readonly channels: ReadonlySet<ContactMethod>;
  /** Called once with each notice without a message. */
  readonly onNotice: NoticeListener;
}

type Notice = NoticeCommand | ShiftNotice;

/** The notices that were not known, with their messages. */
interface NewNotices<N extends Notice> {
  readonly slots: ReservedSlots;
  readonly expanded: readonly (ExpandedNotice & { readonly notice: N })[];
}

export type NoticeStages<N extends Notice> = Stages<N, Session, ReservedSlots, ReadonlySet<string>, NewNotices<N>>;

/**
 * Consumes `notice-commands.v1`: makes messages of notices and queues them, each notice once, also where its record comes twice (U3, U11).
 */
export const notices = (ports: NoticePorts): NoticeStages<NoticeCommand> =>
  noticeStages(ports, { expand: (notice) => expandNotice(notice, ports.channels), failed: noticeDeadLetterDecision });

/**
 * Consumes `shift-notices.v1`: makes messages of notices of shifts by the users' notification rules and queues them, each once,
 * also where its record comes twice (U6). While directory does not answer about a user whom the replica lacks, they wait. That is
 * rare, because scheduling knew the user.
 */
export const shifts = ({
  users,
  ...ports
}: NoticePorts & { readonly users: UserReplica }): NoticeStages<ShiftNotice> => {
  const expand = (shift: ShiftNotice) => expandShift(shift, users, ports.channels);
  const { prepare, ...stages } = noticeStages(ports, { expand, failed: shiftDeadLetterDecision });
  return {
    ...stages,
    prepare: async (records) => {
      const [unresolved] = await fetchMissing(users, userIdsOf(records));
      if (unresolved !== undefined)
        throw new UnavailableError(`Directory does not answer who the user [${unresolved}] is.`);
      return prepare(records);
    },
  };
};

/** The differences between the stages of notices of shifts and of other notices. */
export interface NoticeKind<N extends Notice> {
  /** Pure. */
  readonly expand: (notice: N) => ExpandedNotice;
  /** The log entry of a notice that fails for ever. */
  readonly failed: (notice: N, reason: string, now: Date) => Decision;
}

/** The stages of notices, of shifts or others. */
export const noticeStages = <N extends Notice>(
  { clock, deliver, onNotice, store }: Omit<NoticePorts, 'channels'>,
  { expand, failed }: NoticeKind<N>,
): NoticeStages<N> & Required<Pick<NoticeStages<N>, 'prepare'>> => ({
  prepare: (records) => Promise.resolve(deliver.reserveSlots(userIdsOf(records))),
  read: (session, records) =>
    store.knownNotices(
      records.map(({ value }) => value.noticeId),
      session,
    ),
  decide: (known, records, slots) => {
    const unknown = new Map(records.map(({ value }) => [value.noticeId, value]));
    for (const noticeId of known) unknown.delete(noticeId);
    return { slots, expanded: [...unknown.values()].map((notice) => ({ notice, ...expand(notice) })) };
  },
  write: (session, { expanded, slots }) => store.addNotices(expanded, slots, session),
  deadLetter: (session, { value }, reason) => store.addDecision(failed(value, reason, clock.now()), session),
  committed: ({ expanded }) => {
    for (const each of expanded) if (each.deliveries.length === 0) notify(each.notice, each, onNotice);
  },
  release: (slots) => {
    slots.release();
  },
});

const userIdsOf = (records: readonly ConsumedRecord<Notice>[]): readonly string[] =>
  records.map(({ value }) => value.userId);

function notify(notice: Notice, { decision }: ExpandedNotice, onNotice: NoticeListener): void {
  const { noticeId, userId } = notice;
  const kind = 'kind' in notice ? notice.kind : notice.actionType;
  for (const { outcome, text } of decision.findings) onNotice({ kind, noticeId, userId, outcome, text });
}

function expandNotice(notice: NoticeCommand, channels: ReadonlySet<ContactMethod>): ExpandedNotice {
  const planned = planNotice(notice, channels);
  const name = nameOfNotice(notice);
  return 'delivery' in planned
    ? expanded(notice, 'scheduled', `The ${name} is sent at once.`, [planned.delivery])
    : expanded(notice, 'skipped', `The ${name} is not sent: ${planned.reason}.`, []);
}

function expanded(
  { at, kind, noticeId, userId }: NoticeCommand,
  outcome: string,
  text: string,
  deliveries: ExpandedNotice['deliveries'],
): ExpandedNotice {
  return {
    deliveries,
    decision: {
      decisionId: `notice:${noticeId}`,
      userId,
      stage: 'page',
      at,
      findings: [{ subject: 'notice', outcome, text, facts: { noticeId, userId, kind } }],
    },
  };
}

function expandShift(
  shift: ShiftNotice,
  users: Pick<UserReplica, 'get'>,
  channels: ReadonlySet<ContactMethod>,
): ExpandedNotice {
  const { dueAt: at, noticeId, userId } = shift;
  const { deliveries, findings } = planShift(shift, users.get(userId), channels);
  const decision = { decisionId: `page:${noticeId}`, userId, stage: 'page' as const, at, findings: [...findings] };
  return { deliveries, decision };
}
