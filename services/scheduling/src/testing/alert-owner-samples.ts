import type { AlertEvent, AlertFact, AlertState, Responder } from '@tocsin/events';
import { diskFull } from './alert-samples.ts';

export const T0 = new Date('2026-01-01T00:00:00Z');

/** An action of a user on an alert. */
export type Step =
  | {
      readonly kind:
        'acknowledge' | 'unacknowledge' | 'snooze' | 'end-snooze' | 'release' | 'restart' | 'note' | 'close' | 'delete';
    }
  | { readonly kind: 'add' | 'escalate'; readonly which: Responder };

interface AlertAction {
  readonly change: Partial<AlertState>;
  readonly fact: Pick<AlertFact, 'kind' | 'responder'>;
  /** The flow starts again. */
  readonly starts?: true;
}

const ACTIVE = { kind: 'active' } as const;

/** The change of an alert by each step; undefined where it changes nothing. */
const DOES: Readonly<Record<Exclude<Step['kind'], 'add' | 'escalate'>, (state: AlertState) => AlertAction | false>> = {
  acknowledge: ({ acknowledged, snoozed }) =>
    (!acknowledged || snoozed) && {
      change: { snoozed: false, acknowledged: true },
      fact: { kind: 'acknowledged' },
    },
  // A held alert stays held (P16), and a snoozed one snoozed (A5).
  unacknowledge: ({ acknowledged, snoozed, notifications }) =>
    acknowledged && {
      change: { acknowledged: false },
      fact: { kind: 'unacknowledged' },
      ...(notifications.kind !== 'delayed' && !snoozed && { starts: true }),
    },
  // It replaces a hold (P16).
  snooze: ({ notifications }) => ({
    change: { snoozed: true, notifications: notifications.kind === 'delayed' ? ACTIVE : notifications },
    fact: { kind: 'snoozed' },
  }),
  'end-snooze': ({ snoozed }) =>
    snoozed && { change: { snoozed: false, acknowledged: false }, fact: { kind: 'snooze-ended' }, starts: true },
  // Past the time of an acknowledged one, the unacknowledgement starts it.
  release: ({ acknowledged, notifications }) =>
    notifications.kind === 'delayed' && {
      change: { notifications: ACTIVE, acknowledged: false },
      fact: { kind: acknowledged ? 'unacknowledged' : 'released' },
      starts: true,
    },
  restart: ({ acknowledged, snoozed, notifications }) =>
    notifications.kind === 'active' &&
    !acknowledged &&
    !snoozed && { change: {}, fact: { kind: 'restarted' }, starts: true },
  note: () => ({ change: {}, fact: { kind: 'noted' } }),
  close: () => ({ change: { status: 'closed', snoozed: false }, fact: { kind: 'closed' } }),
  delete: () => ({ change: { status: 'deleted' }, fact: { kind: 'deleted' } }),
};

/** An alert as alert-processor keeps it, and its events, in their order. */
export class AlertOwner {
  readonly events: AlertEvent[] = [];
  #state: AlertState;

  constructor(responders: readonly Responder[], held: boolean) {
    this.#state = {
      ...diskFull,
      cycle: 0,
      responders: [...responders],
      notifications: held ? { kind: 'delayed' } : ACTIVE,
    };
    this.#addEvent({ change: {}, fact: { kind: 'created' }, starts: true });
  }

  get state(): AlertState {
    return this.#state;
  }

  /** A step has no effect on a closed or deleted alert, or on an alert that has the state already. */
  take(step: Step): void {
    if (this.#state.status !== 'open') return;
    const action =
      step.kind === 'add'
        ? this.#add(step)
        : step.kind === 'escalate'
          ? this.#escalate(step)
          : DOES[step.kind](this.#state);
    if (action !== false) this.#addEvent(action);
  }

  #add({ which: responder }: { readonly which: Responder }): AlertAction | false {
    const { responders } = this.#state;
    if (responders.some(({ id }) => id === responder.id)) return false;
    return { change: { responders: [...responders, responder] }, fact: { kind: 'responder-added', responder } };
  }

  #escalate({ which: responder }: { readonly which: Responder }): AlertAction | false {
    const { responders } = this.#state;
    const change = responders.length === 0 ? { responders: [responder] } : {};
    return { change, fact: { kind: 'escalated', responder } };
  }

  #addEvent({ change, fact, starts }: AlertAction): void {
    const version = this.events.length + 1;
    const state = { ...this.#state, ...change };
    const flow = { responders: state.responders.length };
    this.#state = starts ? { ...state, cycle: state.cycle + 1, flow } : state;
    const facts = [{ factId: `f${String(version)}`, actor: 'a0@example.com', at: T0.toISOString(), ...fact }];
    this.events.push({ alertId: 'a1', version, state: this.#state, facts, acceptedAt: T0.toISOString() });
  }
}
