import type { Channel } from '../channels/channel.ts';
import type { DeliveryMethod } from '../messages/delivery.ts';
import type { BegunMessage, Check, DeliveryResult } from './message-result.ts';
import type { ClaimedQueue } from './recipient-queue.ts';

/** The results of one attempt for the deliveries of its message. */
export interface HandOverResult {
  readonly results: readonly [DeliveryResult, ...DeliveryResult[]];
  /** Nothing was sent, which counts as no try: {@link MessageKind.onEnded} is not called. */
  readonly isPostponed: boolean;
}

/** The differences between messages to users and calls of webhooks. `DeliverMessages` has the common part. */
export interface MessageKind {
  /** The methods whose queues are claimed. */
  readonly methods: readonly DeliveryMethod[];
  /** The channels of those that have one. */
  readonly channels: ReadonlyMap<DeliveryMethod, Pick<Channel, 'slots'>>;
  readonly check: Check;
  /** Whether messages may be begun now; absent: yes. */
  readonly mayBegin?: boolean;
  /** Hands one message over, and resolves with the results of its deliveries. Never rejects; writes nothing. */
  handOver(message: BegunMessage): Promise<HandOverResult>;
  /** Called with each delivery that was tried or is final, once that is written. */
  onEnded?(change: DeliveryResult): void;
  /** The ids of queues whose receivers are not called now, and until when; absent: none. `underWay` are the queues of messages under way. */
  paused?(queues: readonly ClaimedQueue[], underWay: readonly ClaimedQueue[]): ReadonlyMap<string, Date>;
  /** Whether a queue goes on at once with its next message; absent: yes. */
  mayGoOn?(queue: ClaimedQueue): boolean;
}
