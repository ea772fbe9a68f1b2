import type { Clock } from '@tocsin/clock';
import type { WebhookSettings } from '@tocsin/contracts';
import { pauseMs, type SendResult } from '../../domain/attempts.ts';
import {
  extendPeriod,
  isCalledLongEnough,
  countTriesFrom,
  type CallPeriod,
} from '../../domain/webhooks/call-period.ts';
import { afterRound, allowed, HEALTHY, type ReceiverHealth } from '../../domain/webhooks/receiver-health.ts';
import {
  overSince,
  webhookOutcome,
  type WebhookDelivery,
  type WebhookOutcome,
} from '../../domain/webhooks/webhook-delivery.ts';
import type { Turn } from '../../ports/delivery-store.ts';
import type { WebhookCaller, WebhookDirectory } from '../../ports/webhook-receivers.ts';
import type { WebhookChange, WebhookStore } from '../../ports/webhook-store.ts';
import { TurnsUnderWay } from '../turns-under-way.ts';
import { webhookDecision } from './webhook-decision.ts';

export interface CallWebhooksPorts {
  readonly store: WebhookStore;
  readonly directory: WebhookDirectory;
  readonly caller: WebhookCaller;
  readonly clock: Clock;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
  /** Called once for each call, with what came of it. */
  readonly onCalled: (result: SendResult['kind']) => void;
  /** Hears what cannot be read or written now; it is tried again. */
  readonly onTrouble: (error: unknown) => void;
  /** Between two tries to write results, in real time. */
  readonly pause: () => Promise<void>;
  /** How many integrations are told side by side. */
  readonly window: number;
}

/** How many deliveries of one integration are handed over side by side. */
const AT_ONCE = 8;
/** How many deliveries are ended at once without being handed over. */
const MOST_ENDED = 200;
/** Receivers that failed lately get half of the window: those that hang never take all of it. */
const DOUBTFUL_PART = 2;
/** How long a turn waits whose settings or deliveries cannot be read. */
const AWAY_MS = 1_000;

/** What became of deliveries in a turn, and when the next turn may begin at the earliest. */
interface Round {
  readonly changes: readonly WebhookChange[];
  readonly notBefore?: Date | undefined;
  readonly calling?: CallPeriod | undefined;
}

/** What a receiver is told in a turn. */
interface Calls {
  readonly due: readonly WebhookDelivery[];
  readonly settings: WebhookSettings;
  /** The calls before this turn. */
  readonly before: CallPeriod | undefined;
}

const NOTHING: Round = { changes: [] };

/**
 * Calls webhooks, in turns of each integration: one that is slow or dead delays no other. A turn sends the first waiting
 * delivery of each of some alerts, and writes the results. After a crash in between they are sent again, under the same ids.
 */
export class CallWebhooks {
  readonly #ports: CallWebhooksPorts;
  readonly #underWay = new TurnsUnderWay();
  /** By integration, of those alone whose receivers failed lately. */
  readonly #health = new Map<string, ReceiverHealth>();
  /** How many of those receivers are called at present. */
  #doubtful = 0;
  #stopping = false;

  constructor(ports: CallWebhooksPorts) {
    this.#ports = ports;
  }

  /** The turns that are under way. */
  get underWay(): readonly Turn[] {
    return this.#underWay.turns;
  }

  /** Calls `listener` whenever a turn makes room. */
  whenRoom(listener: () => void): void {
    this.#underWay.whenRoom(listener);
  }

  /**
   * Begins the turns of as many integrations as there is room for; answers whether there may be more to do at once. It does not
   * wait for receivers.
   *
   * @throws what the store throws.
   */
  async take(): Promise<boolean> {
    const { clock, store, window } = this.#ports;
    const room = window - this.#underWay.size;
    if (room <= 0) return false;
    const turns = await store.claim(clock.now(), room);
    if (this.#stopping) {
      await store.release(turns);
      return false;
    }
    for (const turn of turns) this.#underWay.add(turn, this.#takeTurn(turn));
    return turns.length > 0 && this.#underWay.size < window;
  }

  /** Calls no further receiver, and tries to write each result once. If a result cannot be written, another process calls again. */
  stop(): void {
    this.#stopping = true;
  }

  /** Resolves when each turn that is under way now has ended. */
  async settled(): Promise<void> {
    await this.#underWay.settled();
  }

  async #takeTurn(turn: Turn): Promise<void> {
    const { onTrouble, store } = this.#ports;
    try {
      await this.#conclude(turn, await this.#round(turn));
    } catch (error) {
      onTrouble(error);
      await store.release([turn]).catch(onTrouble);
    }
  }

  async #round(turn: Turn): Promise<Round> {
    const { clock, directory, onTrouble } = this.#ports;
    const now = clock.now();
    const { pausedUntil } = this.#healthOf(turn);
    if (pausedUntil !== undefined && pausedUntil > now) return { changes: [], notBefore: pausedUntil };
    try {
      const settings = await directory.of(turn.id);
      return settings?.isOn === true ? await this.#told(turn, settings) : await this.#dropped(turn, settings);
    } catch (error) {
      onTrouble(error);
      return { changes: [], notBefore: new Date(now.getTime() + AWAY_MS) };
    }
  }

  async #dropped(turn: Turn, settings: WebhookSettings | undefined): Promise<Round> {
    const { clock, store } = this.#ports;
    this.#health.delete(turn.id);
    const reason = settings === undefined ? 'it is deleted' : 'it is disabled, or sends no alert actions';
    return this.#ended(await store.waiting(turn, clock.now(), MOST_ENDED), { kind: 'dropped', reason }, settings);
  }

  async #told(turn: Turn, settings: WebhookSettings): Promise<Round> {
    const { clock, random, store, window } = this.#ports;
    const now = clock.now();
    const health = this.#healthOf(turn);
    const calling = await store.calling(turn);
    // What waited through an outage of the notifier is tried, however late it is.
    const isSlow = isCalledLongEnough(calling, now);
    const over = isSlow ? await store.waiting(turn, overSince(now), MOST_ENDED) : [];
    if (over.length > 0)
      return this.#ended(over, { kind: 'failed', reason: 'it was not taken in 15 minutes' }, settings);
    const isDoubtful = health !== HEALTHY;
    if (isDoubtful && this.#doubtful >= window / DOUBTFUL_PART) {
      const notBefore = new Date(now.getTime() + pauseMs(health.failures, random()));
      return { changes: [], notBefore, calling: extendPeriod(calling, now) };
    }
    this.#doubtful += Number(isDoubtful);
    try {
      const due = await store.due(turn, now, allowed(health, AT_ONCE));
      return this.#stopping || due.length === 0
        ? NOTHING
        : await this.#called(turn, { due, settings, before: calling });
    } finally {
      this.#doubtful -= Number(isDoubtful);
    }
  }

  #healthOf({ id }: Turn): ReceiverHealth {
    return this.#health.get(id) ?? HEALTHY;
  }

  async #called(turn: Turn, { before, due, settings }: Calls): Promise<Round> {
    const { caller, clock, onCalled, random } = this.#ports;
    const results = await Promise.all(
      due.map(async (delivery) => {
        const result = await caller.call(delivery, settings);
        onCalled(result.kind);
        return { delivery, result };
      }),
    );
    const now = clock.now();
    const calling = extendPeriod(before, now);
    const kinds = results.map(({ result }) => result.kind);
    const health = afterRound(this.#healthOf(turn), kinds, now, random());
    if (health.failures === 0) this.#health.delete(turn.id);
    else this.#health.set(turn.id, health);
    const changes = results.map(({ delivery, result }) => {
      const outcome = webhookOutcome(
        { attempts: delivery.attempts, since: countTriesFrom(delivery, calling) },
        result,
        now,
        random(),
      );
      return { delivery, outcome, decision: webhookDecision(delivery, outcome, settings, now) };
    });
    return { changes, notBefore: health.pausedUntil, calling };
  }

  #ended(
    deliveries: readonly WebhookDelivery[],
    outcome: WebhookOutcome,
    settings: WebhookSettings | undefined,
  ): Round {
    const now = this.#ports.clock.now();
    return {
      changes: deliveries.map((delivery) => ({
        delivery,
        outcome,
        decision: webhookDecision(delivery, outcome, settings, now),
      })),
    };
  }

  /** Tries until it is written: otherwise all of it would be handed over again. */
  async #conclude(turn: Turn, { changes, ...end }: Round): Promise<void> {
    const { clock, onTrouble, pause, store } = this.#ports;
    for (;;) {
      try {
        await store.conclude(turn, changes, { now: clock.now(), ...end });
        return;
      } catch (error) {
        onTrouble(error);
        if (this.#stopping) return;
        await pause();
      }
    }
  }
}
