import type {
  AlertEvent,
  BuriedRecord,
  ConsumedBatch,
  ContactMethod,
  Decision,
  NoticeCommand,
  Page,
  Settlement,
  ShiftNotice,
  VerificationEvent,
} from '@tocsin/contracts';
import { begunAtInsertion, dueOfIdle } from '../application/begun-at-insertion.ts';
import { begunMessages, takenOf } from '../application/taken-deliveries.ts';
import { decideTogether } from '../domain/bundle.ts';
import { attemptIdOf, begunTogether, chooseNext, hasReachedNobody, type BundleLimits } from '../domain/next-message.ts';
import { subjectOf } from '../domain/delivery-subject.ts';
import { holds } from '../domain/attempts.ts';
import { isFinal, isPage, type Delivery } from '../domain/delivery.ts';
import { later, methodOfTurn, turnOf } from '../domain/turn.ts';
import type { Repetition } from '../domain/repetition.ts';
import { mayEndPages, standingAfter, standingOf, type AlertStanding } from '../domain/wanted.ts';
import type { AlertStandings, KnownStandings } from '../ports/alert-standings.ts';
import type { Burials } from '../ports/burials.ts';
import {
  noSlots,
  type Concluded,
  type Conclusion,
  type Decide,
  type DeliveryChange,
  type DeliveryStore,
  type Slots,
  type TakenDelivery,
  type Turn,
} from '../ports/delivery-store.ts';
import type { ReceiptChange, ReceiptStore } from '../ports/receipt-store.ts';
import { MemoryTurns } from './memory-turns.ts';
import type { ExpandedNotice, ExpandedPage, ExpandRepetition, FlowStore } from '../ports/flow-store.ts';

const DONE: Settlement = { outcome: 'done' };

/** Keeps everything in memory, for component tests. */
export class MemoryNotificationStore
  implements FlowStore, DeliveryStore, AlertStandings, KnownStandings, Burials, ReceiptStore
{
  readonly deliveries = new Map<string, Delivery>();
  readonly decisions: Decision[] = [];
  readonly verifications: VerificationEvent[] = [];
  readonly turns = new MemoryTurns(this.deliveries);
  /** The next repetition of each page that has one. */
  readonly repetitions = new Map<string, Repetition>();
  readonly #orders = new Set<string>();
  readonly #standings = new Map<string, AlertStanding>();
  readonly #bundles: BundleLimits;

  constructor(bundles: BundleLimits = new Map()) {
    this.#bundles = bundles;
  }

  settlePages(
    batches: readonly ConsumedBatch<Page>[],
    expand: (page: Page) => ExpandedPage,
    slots: Slots,
  ): Promise<Settlement> {
    const pages = batches.flatMap(({ records }) => records.map(({ value }) => value));
    return settled(pages, expand, (all) => {
      const fresh = all.filter(([{ pageId }]) => this.#isNew(`page ${pageId}`));
      for (const [{ pageId }, { next }] of fresh) this.#setNext(pageId, next);
      this.#add(
        fresh.map(([, expanded]) => expanded),
        slots,
      );
    });
  }

  settleNotices<N extends NoticeCommand | ShiftNotice>(
    batch: ConsumedBatch<N>,
    expand: (notice: N) => ExpandedNotice,
    slots: Slots,
  ): Promise<Settlement> {
    const unknown = batch.records.map(({ value }) => value).filter(({ noticeId }) => this.#isNew(`notice ${noticeId}`));
    return settled(unknown, expand, (all) => {
      this.#add(
        all.map(([, expanded]) => expanded),
        slots,
      );
    });
  }

  /** Takes repetitions that are due a step on. */
  repeat(due: readonly Repetition[], expand: ExpandRepetition, now: Date): void {
    const expanded = due.map((repetition) => {
      const { alertId, pageId } = repetition.page;
      const repeated = expand(repetition, this.#standings.get(alertId));
      this.#setNext(pageId, repeated.next);
      return repeated;
    });
    this.#add(expanded, noSlots(now));
  }

  /** What is due at `at` or before. */
  dueRepetitions(at: Date): readonly Repetition[] {
    return [...this.repetitions.values()].filter(({ dueAt }) => dueAt <= at);
  }

  of(alertIds: readonly string[]): Promise<ReadonlyMap<string, AlertStanding>> {
    return Promise.resolve(new Map([...this.#standings].filter(([alertId]) => alertIds.includes(alertId))));
  }

  settleAlerts(batches: readonly ConsumedBatch<AlertEvent>[]): Promise<Settlement> {
    for (const { value: event } of batches.flatMap(({ records }) => records)) {
      if (!mayEndPages(event)) continue;
      const standing = standingAfter(this.#standings.get(event.alertId), event);
      this.#standings.set(event.alertId, standing);
      if (standing.status === 'deleted') this.#erase(event.alertId);
    }
    return Promise.resolve(DONE);
  }

  bury(_: BuriedRecord, decision: Decision | undefined): Promise<Settlement> {
    if (decision !== undefined) this.decisions.push(decision);
    return Promise.resolve(DONE);
  }

  claim(now: Date, most: number, except: readonly ContactMethod[] = []): Promise<readonly Turn[]> {
    return Promise.resolve(this.turns.claim(now, most, except));
  }

  keep(): Promise<boolean> {
    return Promise.resolve(false);
  }

  mayStart(turn: Turn): boolean {
    return this.turns.isHeld(turn);
  }

  release(turns: readonly Turn[]): Promise<void> {
    for (const turn of turns) this.turns.release(turn);
    return Promise.resolve();
  }

  begin(turns: readonly Turn[], now: Date, decide: Decide): Promise<readonly TakenDelivery[]> {
    return Promise.resolve(this.#goOnOrEnd(turns, now, decide));
  }

  conclude(conclusions: readonly Conclusion[], now: Date, decide?: Decide): Promise<Concluded> {
    const taken = conclusions.filter((conclusion) => {
      const results = [conclusion, ...(conclusion.others ?? [])].filter(({ delivery }) => {
        const held = this.deliveries.get(delivery.deliveryId);
        return held !== undefined && holds(held, delivery);
      });
      for (const change of results) {
        if (hasReachedNobody(change.delivery)) this.turns.forget(conclusion.turn, attemptIdOf(change.delivery));
        this.#write(change);
        if (change.successor !== undefined) this.#insert(change.successor, now);
      }
      return results.length > 0;
    });
    const turns = taken.map(({ turn }) => turn);
    return Promise.resolve({ taken, next: this.#goOnOrEnd(turns, now, decide) });
  }

  receive<C extends ReceiptChange>(id: string, now: Date, decide: (delivery: Delivery) => C): Promise<readonly C[]> {
    const of = [...this.deliveries.values()].filter(({ bundle, deliveryId }) => deliveryId === id || bundle?.id === id);
    const changes = of.map(decide);
    for (const { decision, delivery, successor } of changes) {
      if (delivery !== undefined) this.#write({ delivery });
      if (successor !== undefined) this.#insert(successor, now);
      if (decision !== undefined) this.decisions.push(decision);
    }
    return Promise.resolve(changes);
  }

  forget(until: Date): Promise<number> {
    for (const { keptUntil, ...delivery } of this.deliveries.values())
      if (keptUntil !== undefined && keptUntil <= until) this.#write({ delivery });
    return Promise.resolve(0);
  }

  /**
   * Begins the next message of turns that are held, as many as one transaction begins; the others are given back. A turn of which
   * nothing is sent ends, as all do without `decide`.
   */
  #goOnOrEnd(turns: readonly Turn[], now: Date, decide: Decide | undefined): readonly TakenDelivery[] {
    const held = turns.filter((turn) => this.turns.isHeld(turn));
    if (decide === undefined) {
      for (const turn of held) this.turns.end(turn, now, undefined);
      return [];
    }
    const choices = begunTogether(held.map((turn) => ({ turn, ...this.#choose(turn, now) })));
    const taken = choices.flatMap(({ chosen, heldUntil, turn }) => {
      const changes = decideTogether(chosen, (each) => decide(each, standingOf(each, this.#standings)));
      for (const change of changes) this.#write(change);
      if (changes.every(({ delivery }) => isFinal(delivery))) this.turns.end(turn, now, heldUntil);
      return takenOf(turn, changes);
    });
    this.#remember(taken, now);
    const begun = new Set(choices.map(({ turn }) => turn));
    for (const turn of held) if (!begun.has(turn)) this.turns.release(turn);
    return taken;
  }

  #choose(turn: Turn, now: Date) {
    const due = this.turns.dueIn(turn, now);
    const waiting = this.#bundles.has(methodOfTurn(turn.id)) ? due : due.slice(0, 1);
    const wasHeld = this.turns.wasHeld(turn.id);
    return chooseNext(waiting, { recent: this.turns.recent(turn.id), wasHeld, limits: this.#bundles, now });
  }

  #remember(taken: readonly TakenDelivery[], now: Date): void {
    const begun = taken.filter(({ delivery }) => !isFinal(delivery));
    for (const [id, message] of begunMessages(begun, this.#bundles, now)) this.turns.remember(id, message);
  }

  #erase(alertId: string): void {
    for (const [id, delivery] of this.deliveries)
      if (isPage(delivery) && delivery.page.alertId === alertId) {
        this.deliveries.delete(id);
        this.turns.waiting.delete(id);
      }
    for (const [id, { page }] of this.repetitions) if (page.alertId === alertId) this.repetitions.delete(id);
  }

  #isNew(order: string): boolean {
    const isNew = !this.#orders.has(order);
    this.#orders.add(order);
    return isNew;
  }

  #setNext(pageId: string, next: Repetition | undefined): void {
    if (next === undefined) this.repetitions.delete(pageId);
    else this.repetitions.set(pageId, next);
  }

  #add(expanded: readonly (ExpandedPage | ExpandedNotice)[], slots: Slots): void {
    const deliveries = expanded.flatMap((each): readonly Delivery[] => each.deliveries);
    this.decisions.push(...expanded.flatMap(({ decision }) => decision ?? []));
    const recent = this.turns.idle(deliveries.map(turnOf), slots.now);
    const context = { standings: this.#standings, recent, limits: this.#bundles };
    const begun = begunAtInsertion(dueOfIdle(deliveries, recent, slots.now), context, slots);
    for (const delivery of deliveries) this.#insert(delivery, slots.now);
    const taken = [...begun].flatMap(([id, changes]) => {
      for (const change of changes) this.#write(change);
      const isBegun = changes.some(({ delivery }) => !isFinal(delivery));
      return takenOf(isBegun ? this.turns.hold(id) : { id, token: '' }, changes);
    });
    this.#remember(taken, slots.now);
    slots.start(taken);
  }

  #insert(delivery: Delivery, now: Date): void {
    this.deliveries.set(delivery.deliveryId, delivery);
    this.turns.waiting.set(delivery.deliveryId, delivery.dueAt);
    this.turns.enqueue(turnOf(delivery), later(delivery.dueAt, now));
  }

  #write({ decision, delivery, retryAt, verification }: DeliveryChange): void {
    const isKept = !isFinal(delivery) || delivery.keptUntil !== undefined;
    const kept = isKept ? delivery : { ...delivery, ...subjectOf(delivery) };
    this.deliveries.set(delivery.deliveryId, kept);
    if (decision !== undefined) this.decisions.push(decision);
    if (verification !== undefined) this.verifications.push(verification);
    if (retryAt !== undefined) this.turns.waiting.set(delivery.deliveryId, retryAt);
    else if (isFinal(delivery)) this.turns.waiting.delete(delivery.deliveryId);
  }
}

/** All or none, as a transaction does it. */
function settled<T, E>(
  values: readonly T[],
  expand: (value: T) => E,
  take: (all: readonly (readonly [T, E])[]) => void,
) {
  try {
    take(values.map((value) => [value, expand(value)] as const));
    return Promise.resolve(DONE);
  } catch (error) {
    return Promise.resolve<Settlement>({ outcome: 'refused', reason: String(error) });
  }
}
