import { ManualClock, UnavailableError } from '@tocsin/core';
import {
  type BatchResult,
  ContactMethod,
  NoticeCommands,
  type NoticeCommand,
  type PageMessage,
  Pages,
  type ShiftNotice,
  ShiftNotices,
  type UserState,
} from '@tocsin/events';
import { StagedProcessor, type BatchProcessor } from '@tocsin/kafka';
import { RepeatSteps } from '../pages/task.ts';
import type { SendResult } from '../messages/attempts.ts';
import type { Mail } from '../channels/email/message.ts';
import { EarlyRetries } from '../queue/early-retry-store.ts';
import { ProviderPauses } from '../channels/providers/pause-store.ts';
import { mailChannel } from './mail-channel.ts';
import type { ShadowState } from '../shadow/shadow.ts';
import { ada } from './page-samples.ts';
import { pages as pageStages } from '../pages/consumer.ts';
import { notices as noticeStages, shifts as shiftStages } from '../notices/consumer.ts';
import type { NoticeOutcome } from '../messages/decisions.ts';
import type { UserReplica } from '../messages/user-client.ts';
import { useStores } from './mongo-fixture.ts';
import { type MongoStores, repetitionsOf } from './mongo-stores.ts';
import { quietDeliver } from './quiet-deliver.ts';
import { shadowThatIs } from './shadow-double.ts';
import { later } from '../queue/recipient-queue.ts';
import { batch } from './store-samples.ts';

/** The service in a component test. */
export interface Component {
  readonly stores: MongoStores;
  readonly mails: readonly Mail[];
  /** The provider of each of `mails`. */
  readonly carriers: readonly string[];
  /** The answers of the mail server, one after the other. After them it accepts every mail. */
  readonly answers: SendResult[];
  /** The seconds since each accepted mail was due. */
  readonly handedOver: readonly number[];
  readonly refused: readonly string[];
  readonly outcomes: readonly NoticeOutcome[];
  readonly clock: ManualClock;
  /** What the process knows of shadow: `off` at first. */
  readonly shadow: { state: ShadowState };
  /** The channel of each message that was held back. */
  readonly heldBack: readonly string[];
  /** Makes messages due before their time; looks at most once within a second of `clock`. */
  readonly earlyRetries: EarlyRetries;
  /** Whether directory does not answer. */
  readonly unavailable: { directory: boolean };
  readonly userIs: (user: UserState) => void;
  readonly settle: (...messages: PageMessage[]) => Promise<BatchResult>;
  readonly notify: (...notices: NoticeCommand[]) => Promise<BatchResult>;
  readonly settleShifts: (...shifts: ShiftNotice[]) => Promise<BatchResult>;
  /** Called with each record that fails for ever. */
  readonly deadLetter: {
    readonly page: BatchProcessor<PageMessage>['deadLetter'];
    readonly notice: BatchProcessor<NoticeCommand>['deadLetter'];
    readonly shift: BatchProcessor<ShiftNotice>['deadLetter'];
  };
  /** Resolves when no message is being sent. */
  readonly sent: () => Promise<void>;
  /** Fires the due work: repetitions first, then deliveries. */
  readonly fireDue: () => Promise<void>;
  /** Moves the clock from one due message to the next, until none waits. */
  readonly fireAll: () => Promise<void>;
  /** The texts of the decisions, in order. */
  readonly said: () => Promise<readonly string[]>;
  readonly texts: () => Promise<readonly string[]>;
}

/**
 * Gives the whole service on an empty database to one test after the other of a file, on a clock that tests set. By default Ada is the
 * user. Mails go by `providers`, in this order.
 */
export function useComponent(): (known?: readonly UserState[], providers?: readonly string[]) => Promise<Component> {
  const open = useStores();
  return async (known = [ada()], providers = ['smtp']) => componentOn(await open(), known, providers);
}

export function componentOn(stores: MongoStores, known: readonly UserState[], providers: readonly string[]): Component {
  const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
  const { connection, decisions, deliveries, noticeStore, pageStore, queues, transactions } = stores;
  const people = new Map(known.map((user) => [user.id, user]));
  const mails: Mail[] = [];
  const answers: SendResult[] = [];
  const handedOver: number[] = [];
  const refused: string[] = [];
  const heldBack: string[] = [];
  const shadow = shadowThatIs('off');
  const outcomes: NoticeOutcome[] = [];
  const unavailable = { directory: false };
  const onNotice = (each: NoticeOutcome): void => void outcomes.push(each);
  const channels = new Set(['email'] as const);
  const users: UserReplica = {
    get: (id) => people.get(id),
    isDeleted: () => false,
    fetch: (_, id) =>
      unavailable.directory
        ? Promise.reject(new UnavailableError('Directory is unavailable.'))
        : Promise.resolve(people.get(id)),
  };
  const carriers: string[] = [];
  const send = (mail: Mail, provider: string): Promise<SendResult> => {
    mails.push(mail);
    carriers.push(provider);
    return Promise.resolve(answers.shift() ?? { kind: 'accepted', response: '250 ok' });
  };
  const onFailure = (error: unknown): never => {
    throw error;
  };
  const pauses = new ProviderPauses({ connection, clock, onPaused: () => undefined, onFailure });
  const now = () => clock.now().getTime();
  const onWaiting = (): void => undefined;
  const earlyRetries = new EarlyRetries({ connection, queues, clock, onWaiting, onFailure, now });
  const onAccepted = (provider: string) => earlyRetries.accepted({ method: 'email', provider });
  const deliver = quietDeliver({
    store: deliveries,
    users,
    channels: mailChannel(send, providers, pauses, onAccepted),
    clock,
    onHandedOver: (seconds) => handedOver.push(seconds),
    onRefused: (result) => refused.push(result),
    onNotice,
    onHeldBack: (channel) => heldBack.push(channel),
    shadow,
    onFailure,
    maxUnderWay: 2,
  });
  const steps = new RepeatSteps({ users, channels });
  const noticePorts = { store: noticeStore, deliver, clock, channels, onNotice };
  const pages = new StagedProcessor(pageStages({ store: pageStore, deliver, users, clock, channels }), transactions);
  const notices = new StagedProcessor(noticeStages(noticePorts), transactions);
  const shifts = new StagedProcessor(shiftStages({ ...noticePorts, users }), transactions);
  let offset = 0;
  const batchOf = <T>(topic: { readonly name: string }, values: readonly T[]) => {
    offset += values.length;
    return [batch(topic.name, values, offset - values.length)];
  };
  const nextDueAt = () => queues.nextDueAt(ContactMethod.options);
  /** Waits until the messages that were begun at once are sent. */
  const andSent = async (processing: Promise<BatchResult>): Promise<BatchResult> => {
    const result = await processing;
    await deliver.settled();
    return result;
  };
  const fireDue = async (): Promise<void> => {
    await repetitionsOf({ connection, store: pageStore, steps, clock }).activate(new AbortController().signal);
    await deliver.settled();
    for (let next = await nextDueAt(); next !== undefined && next <= clock.now(); next = await nextDueAt()) {
      await deliver.beginDue();
      await deliver.settled();
    }
  };
  return {
    stores,
    mails,
    carriers,
    answers,
    handedOver,
    refused,
    outcomes,
    clock,
    shadow,
    heldBack,
    earlyRetries,
    unavailable,
    userIs: (user: UserState) => void people.set(user.id, user),
    settle: (...values: PageMessage[]) => andSent(pages.process(batchOf(Pages, values))),
    notify: (...values: NoticeCommand[]) => andSent(notices.process(batchOf(NoticeCommands, values))),
    settleShifts: (...values: ShiftNotice[]) => andSent(shifts.process(batchOf(ShiftNotices, values))),
    deadLetter: {
      page: (record, reason) => pages.deadLetter(record, reason),
      notice: (record, reason) => notices.deadLetter(record, reason),
      shift: (record, reason) => shifts.deadLetter(record, reason),
    },
    sent: () => deliver.settled(),
    fireDue,
    fireAll: async () => {
      for (let next = await nextDueAt(); next !== undefined; next = await nextDueAt()) {
        clock.moveTo(later(next, clock.now()));
        await fireDue();
      }
    },
    said: async () =>
      (await decisions()).flatMap(({ findings }) => findings.map(({ outcome, subject }) => `${subject} ${outcome}`)),
    texts: async () => (await decisions()).flatMap(({ findings }) => findings.map(({ text }) => text)),
  };
}
