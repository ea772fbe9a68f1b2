import { type Clock, InvariantError } from '@tocsin/core';
import type { WebhookSettings } from '@tocsin/events';
import { type Outcome, pauseMs, postpone, type SendResult, triesOf } from '../messages/attempts.ts';
import {
  type Delivery,
  markDropped,
  isFinal,
  isOfChat,
  isWebhook,
  type WebhookDelivery,
} from '../messages/delivery.ts';
import type { Pauses, ProviderPause } from '../channels/channel.ts';
import type { HandOverResult, MessageKind } from '../queue/message-kind.ts';
import { type BegunMessage, type DeliveryChange } from '../queue/message-result.ts';
import { type ClaimedQueue, integrationOfQueue, MAX_CALLS_PER_INTEGRATION } from '../queue/recipient-queue.ts';
import type { DeliveryStore } from '../queue/delivery-store.ts';
import type { ShadowGate } from '../shadow/operations.ts';
import { heldBack, kindOf } from '../shadow/shadow.ts';
import { webhookDecision } from './decisions.ts';
import { allowedCalls, healthAfter, HEALTHY, type ReceiverHealth } from './receiver-health.ts';
import { afterCall, beginOrFail, type CallPeriod } from './webhook-delivery.ts';
import type { WebhookSettingsClient } from './settings-client.ts';

export interface CallWebhooksPorts {
  readonly store: Pick<DeliveryStore, 'mayHandOver'>;
  readonly shadow: Pick<ShadowGate, 'holdsBack' | 'maySend' | 'state'>;
  /** Called with each event that shadow held back, once that is written. */
  readonly onHeldBack: (channel: 'webhook' | 'chat') => void;
  readonly receivers: Pick<WebhookReceivers, 'call' | 'isHealthy' | 'paused'>;
  /** The name of an integration; undefined of one that is deleted or not known yet. */
  readonly nameOf: (integrationId: string) => string | undefined;
  /** Called once the end of a deletion is written that a channel of chat did not take: words of the alert may stay there. */
  readonly onDeletionGivenUp: (deletion: DeletionGivenUp) => void;
  readonly clock: Clock;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
}

/** A deletion of an alert that was not shown in a channel of chat. */
export interface DeletionGivenUp {
  readonly alertId: string;
  readonly integrationId: string;
  readonly reason: string;
}

/** Calls of webhooks: a receiver that is slow or dead delays no other. Their results are in the logs of the alerts. */
export class CallWebhooks implements MessageKind {
  readonly methods = ['webhook'] as const;
  /** One channel without a rate: all slots are for it. */
  readonly channels = new Map([['webhook', {}]] as const);
  readonly #ports: CallWebhooksPorts;

  constructor(ports: CallWebhooksPorts) {
    this.#ports = ports;
  }

  readonly check = (before: Delivery, calling?: CallPeriod): DeliveryChange => {
    const now = this.#ports.clock.now();
    const waiting = ofWebhook(before);
    const isHeldBack = this.#ports.shadow.holdsBack(kindOf(waiting));
    const delivery = isHeldBack ? heldBack(waiting) : beginOrFail(waiting, calling, now);
    return isFinal(delivery) ? this.#withDecision({ delivery }, now) : { delivery };
  };

  get mayBegin(): boolean {
    return this.#ports.shadow.state !== 'unknown';
  }

  /** In shadow no receiver is called, so none is waited for. */
  paused(queues: readonly ClaimedQueue[], underWay: readonly ClaimedQueue[]): ReadonlyMap<string, Date> {
    if (this.#ports.shadow.state === 'on') return new Map();
    return this.#ports.receivers.paused(queues, underWay);
  }

  mayGoOn(queue: ClaimedQueue): boolean {
    return this.#ports.receivers.isHealthy(queue);
  }

  async handOver({ delivery: begun, queue }: BegunMessage): Promise<HandOverResult> {
    const { clock, receivers, shadow, store } = this.#ports;
    const delivery = ofWebhook(begun);
    const called = await receivers.call(delivery, () => shadow.maySend(kindOf(delivery)) && store.mayHandOver(queue));
    const now = clock.now();
    if (called.kind === 'postponed') {
      const { reason, retryAt } = called;
      const postponed = { ...postpone(delivery, reason, now), ...(retryAt && { retryAt }) };
      return { results: [postponed], isPostponed: true };
    }
    return { results: [this.#withDecision(this.#after(delivery, called, now), now)], isPostponed: false };
  }

  /** The alert and its log are gone, so the log of the service says it. */
  onEnded({ delivery }: DeliveryChange): void {
    const isHeldBack = delivery.state === 'held-back';
    if (isHeldBack) this.#ports.onHeldBack(isOfChat(delivery) ? 'chat' : 'webhook');
    const isGivenUp = isHeldBack || delivery.state === 'failed' || delivery.state === 'dropped';
    if (!isGivenUp || !isOfChat(delivery)) return;
    const { reason = '', webhook } = ofWebhook(delivery);
    const { action, alertId, integrationId } = webhook;
    if (action === 'Delete') this.#ports.onDeletionGivenUp({ alertId, integrationId, reason });
  }

  #after(
    delivery: WebhookDelivery,
    called: Exclude<CallOutcome, { readonly kind: 'postponed' }>,
    now: Date,
  ): Outcome<WebhookDelivery> {
    if (called.kind === 'unwanted') return { delivery: markDropped(delivery, called.reason) };
    return afterCall(delivery, called.result, now, this.#ports.random());
  }

  /** The log of an alert says how a call ended, and after the first answer that it is tried again. */
  #withDecision(change: Outcome<WebhookDelivery>, now: Date): DeliveryChange {
    const { delivery } = change;
    const isLogged = isFinal(delivery) || triesOf(delivery) - delivery.interruptions === 1;
    const name = this.#ports.nameOf(delivery.webhook.integrationId);
    const decision = isLogged ? webhookDecision(delivery, name, now) : undefined;
    return { ...change, ...(decision && { decision }) };
  }
}

function ofWebhook(delivery: Delivery): WebhookDelivery {
  if (!isWebhook(delivery)) throw new InvariantError(`[${delivery.deliveryId}] is no call of a webhook`);
  return delivery;
}

/** Receivers that failed lately get half of `maxUnderWay`, so those that do not answer never use all of it. */
const UNHEALTHY_SHARE = 2;

export interface WebhookReceiversParts {
  readonly settings: Pick<WebhookSettingsClient, 'of'>;
  readonly caller: WebhookCaller;
  readonly pauses: Pauses;
  readonly clock: Clock;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
  /** Called once for each call, with its result. */
  readonly onCalled: (result: SendResult['kind']) => void;
  /** Called when settings, or posts in channels, cannot be read or written now. */
  readonly onFailure: (error: unknown) => void;
  /** How many calls may be under way. */
  readonly maxUnderWay: number;
}

/** Receivers of webhooks over HTTP. Each process knows only the health that it has observed. */
export class WebhookReceivers {
  readonly #parts: WebhookReceiversParts;
  /** By integration; only of receivers that failed lately. */
  readonly #health = new Map<string, ReceiverHealth>();

  constructor(parts: WebhookReceiversParts) {
    this.#parts = parts;
  }

  /**
   * Those of the queues whose receivers are not called now, because they failed lately, are slow or have asked to wait, and until when. `underWay` are the
   * queues of which a call is under way.
   */
  paused(queues: readonly ClaimedQueue[], underWay: readonly ClaimedQueue[]): ReadonlyMap<string, Date> {
    const calls = Map.groupBy(underWay.map(integrationOf), (id) => id);
    const counts = new Map([...calls].map(([id, ofIntegration]) => [id, ofIntegration.length]));
    let unhealthy = [...counts].reduce((sum, [id, count]) => sum + (this.#health.has(id) ? count : 0), 0);
    const paused = new Map<string, Date>();
    for (const queue of queues) {
      const id = integrationOf(queue);
      const count = counts.get(id) ?? 0;
      const until = this.#askedUntil(id) ?? this.#pausedUntil(this.#healthOf(id), { calls: count, unhealthy });
      if (until !== undefined) paused.set(queue.id, until);
      else {
        counts.set(id, count + 1);
        unhealthy += Number(this.#health.has(id));
      }
    }
    return paused;
  }

  /** Whether the receiver of a queue takes calls one after the other: none failed lately. */
  isHealthy(queue: ClaimedQueue): boolean {
    return !this.#health.has(integrationOf(queue));
  }

  /**
   * Resolves within seconds and never rejects. A reason has no secrets. `isLeased`: whether this process still has the lease of the
   * queue; it is called right before the call.
   */
  async call(delivery: WebhookDelivery, isLeased: () => boolean): Promise<CallOutcome> {
    const { settings: client, onFailure } = this.#parts;
    const id = delivery.webhook.integrationId;
    try {
      const settings = await client.of(id);
      if (settings?.isOn === true) return await this.#call(delivery, settings, isLeased);
      this.#health.delete(id);
      const reason = settings === undefined ? 'it is deleted' : 'it is disabled, or sends no alert actions';
      return { kind: 'unwanted', reason };
    } catch (error) {
      onFailure(error);
      return { kind: 'postponed', reason: 'its settings or its posts cannot be read' };
    }
  }

  async #call(delivery: WebhookDelivery, settings: WebhookSettings, isLeased: () => boolean): Promise<CallOutcome> {
    const { caller, clock, onCalled, random } = this.#parts;
    if (!isLeased()) return HELD_UP;
    const before = this.#healthOf(settings.id);
    const result = await caller.call(delivery, settings, isLeased);
    if (result.kind === 'postponed') return result;
    onCalled(result.kind);
    if (result.kind === 'temporary' && result.retryAfterMs !== undefined)
      await this.#pauseOf(settings.id).begin(result.retryAfterMs);
    const health = healthAfter(this.#healthOf(settings.id), before, result.kind, clock.now(), random());
    if (health === HEALTHY) this.#health.delete(settings.id);
    else this.#health.set(settings.id, health);
    return { kind: 'called', result };
  }

  /** Until when the receiver has asked to wait. */
  #askedUntil(id: string): Date | undefined {
    const remainingMs = this.#pauseOf(id).remainingMs();
    return remainingMs === 0 ? undefined : new Date(this.#parts.clock.now().getTime() + remainingMs);
  }

  #pauseOf(id: string): ProviderPause {
    return this.#parts.pauses.of(`webhook/${id}`);
  }

  #pausedUntil(
    health: ReceiverHealth,
    { calls, unhealthy }: { readonly calls: number; readonly unhealthy: number },
  ): Date | undefined {
    if (health === HEALTHY) return undefined;
    const { clock, random, maxUnderWay } = this.#parts;
    const now = clock.now();
    const { failures, pausedUntil } = health;
    if (pausedUntil !== undefined && pausedUntil > now) return pausedUntil;
    const hasSlot =
      unhealthy < maxUnderWay / UNHEALTHY_SHARE && calls < allowedCalls(health, MAX_CALLS_PER_INTEGRATION);
    return hasSlot ? undefined : new Date(now.getTime() + pauseMs(failures, random()));
  }

  #healthOf(id: string): ReceiverHealth {
    return this.#health.get(id) ?? HEALTHY;
  }
}

const integrationOf = ({ id }: ClaimedQueue): string => integrationOfQueue(id);

/** The result of one call. */
export type CallOutcome =
  | { readonly kind: 'called'; readonly result: SendResult }
  /** The integration is deleted or disabled. */
  | { readonly kind: 'unwanted'; readonly reason: string }
  /** Nothing was sent, which counts as no try. */
  | PostponedCall;

/** Nothing was sent, and the delivery waits until `retryAt`; absent: for a short time. */
export interface PostponedCall {
  readonly kind: 'postponed';
  readonly reason: string;
  readonly retryAt?: Date;
}

/** The process may have been frozen: another one has the lease of the queue, or may get it before the call arrives. */
export const HELD_UP: PostponedCall = { kind: 'postponed', reason: 'it was held up before it was sent' };

/** Calls receivers of webhooks, and channels of chat. */
export interface WebhookCaller {
  /** `isLeased` is to be asked before each further call: it was true right before this one. */
  call(
    delivery: WebhookDelivery,
    settings: WebhookSettings,
    isLeased: () => boolean,
  ): Promise<SendResult | PostponedCall>;
}
