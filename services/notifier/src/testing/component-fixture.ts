import { ManualClock } from '@tocsin/clock';
import type {
  AlertEvent,
  AlertState,
  ConsumedBatch,
  NoticeCommand,
  Page,
  Settlement,
  ShiftNotice,
  UserState,
} from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import type { BatchHandler } from '@tocsin/messaging';
import { ExpandPages } from '../application/expand-pages.ts';
import { RepeatSteps } from '../application/repeat-steps.ts';
import { TakeNotices } from '../application/take-notices.ts';
import { TakeShifts } from '../application/take-shifts.ts';
import type { SendResult } from '../domain/attempts.ts';
import type { Mail } from '../channels/email/message.ts';
import { mailChannel } from './mail-channel.ts';
import { ada, alertEvent } from './page-samples.ts';
import { alertEventHandler, noticeHandler, pageHandler, shiftHandler } from '../events/handlers.ts';
import type { NoticeOutcome } from '../ports/notice-listener.ts';
import type { Users } from '../ports/users.ts';
import { MemoryNotificationStore } from './memory-notification-store.ts';
import { quietDeliver } from './quiet-deliver.ts';
import { batch } from './stores-under-test.ts';

/** What a component test sees of the service. */
export interface Component {
  readonly store: MemoryNotificationStore;
  readonly mails: readonly Mail[];
  /** Which provider was asked for each of `mails`. */
  readonly carriers: readonly string[];
  /** What the mail server answers, in turn; it takes everything else. */
  readonly answers: SendResult[];
  /** Of each mail that was taken, the seconds since it was due. */
  readonly handedOver: readonly number[];
  readonly refused: readonly string[];
  readonly news: readonly NoticeOutcome[];
  readonly clock: ManualClock;
  /** Set it, and the owner of the users cannot be asked. */
  readonly away: { directory: boolean };
  readonly userIs: (user: UserState) => void;
  readonly settle: (...pages: Page[]) => Promise<Settlement>;
  readonly notify: (...notices: NoticeCommand[]) => Promise<Settlement>;
  readonly tellShifts: (...shifts: ShiftNotice[]) => Promise<Settlement>;
  readonly alertIs: (version: number, change: Partial<AlertState>) => Promise<Settlement>;
  /** What becomes of a record that fails for ever. */
  readonly bury: {
    readonly page: BatchHandler<Page>['bury'];
    readonly notice: BatchHandler<NoticeCommand>['bury'];
    readonly shift: BatchHandler<ShiftNotice>['bury'];
    readonly event: BatchHandler<AlertEvent>['bury'];
  };
  /** Fires what is due: repetitions first, then deliveries. */
  readonly fireDue: () => Promise<void>;
  /** What the decisions say, in their order. */
  readonly said: () => readonly string[];
  readonly texts: () => readonly string[];
}

const batchOf = <T>(values: readonly T[]): ConsumedBatch<T> => batch('t', values);

/**
 * The whole service in memory on a clock that tests steer; Ada is the user, unless told. Mails go by `providers`, in this order.
 */
export function setUp(known: readonly UserState[] = [ada()], providers: readonly string[] = ['smtp']): Component {
  const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
  const store = new MemoryNotificationStore();
  const people = new Map(known.map((user) => [user.id, user]));
  const mails: Mail[] = [];
  const answers: SendResult[] = [];
  const handedOver: number[] = [];
  const refused: string[] = [];
  const news: NoticeOutcome[] = [];
  const away = { directory: false };
  const onNotice = (each: NoticeOutcome): void => void news.push(each);
  const channels = new Set(['email'] as const);
  const users: Users = {
    get: (id) => people.get(id),
    isDeleted: () => false,
    fetch: (_, id) =>
      away.directory ? Promise.reject(new UnavailableError('Directory is away.')) : Promise.resolve(people.get(id)),
  };
  const carriers: string[] = [];
  const send = (mail: Mail, provider: string): Promise<SendResult> => {
    mails.push(mail);
    carriers.push(provider);
    return Promise.resolve(answers.shift() ?? { kind: 'accepted', response: '250 ok' });
  };
  const deliver = quietDeliver({
    store,
    users,
    channels: mailChannel(send, providers),
    clock,
    onHandedOver: (seconds) => handedOver.push(seconds),
    onRefused: (result) => refused.push(result),
    onNotice,
    onTrouble: (error) => {
      throw error;
    },
    window: 2,
  });
  const steps = new RepeatSteps({ users, channels });
  const burying = { burials: store, clock };
  const pages = pageHandler(new ExpandPages({ store, deliver, users, channels, clock }), burying);
  const notices = noticeHandler(new TakeNotices({ store, deliver, channels, onNotice }), burying);
  const shifts = shiftHandler(new TakeShifts({ store, deliver, users, channels, onNotice }), burying);
  const events = alertEventHandler(store, burying);
  return {
    store,
    mails,
    carriers,
    answers,
    handedOver,
    refused,
    news,
    clock,
    away,
    userIs: (user: UserState) => void people.set(user.id, user),
    settle: (...values: Page[]) => pages.settle(batchOf(values)),
    notify: (...values: NoticeCommand[]) => notices.settle(batchOf(values)),
    tellShifts: (...values: ShiftNotice[]) => shifts.settle(batchOf(values)),
    alertIs: (version: number, change: Partial<AlertState>) => events.settle(batchOf([alertEvent(version, change)])),
    bury: {
      page: (record, reason) => pages.bury(record, reason),
      notice: (record, reason) => notices.bury(record, reason),
      shift: (record, reason) => shifts.bury(record, reason),
      event: (record, reason) => events.bury(record, reason),
    },
    fireDue: async () => {
      const now = clock.now();
      const due = store.dueRepetitions(now);
      store.repeat(due, await steps.prepare(due, now), now);
      await deliver.settled();
      while (store.turns.isDue(clock.now())) {
        await deliver.take();
        await deliver.settled();
      }
    },
    said: () =>
      store.decisions.flatMap(({ verdicts }) => verdicts.map(({ outcome, subject }) => `${subject} ${outcome}`)),
    texts: () => store.decisions.flatMap(({ verdicts }) => verdicts.map(({ text }) => text)),
  };
}
