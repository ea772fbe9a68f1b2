import fc from 'fast-check';
import type { ScheduledActionKind } from '../alerts/due.ts';
import { AT_ONCE, type FlowPlan } from '../policies/policy-result.ts';

/** A simple model of the flow of an alert; times are minutes. */
export interface FlowModel {
  state: 'none' | 'open' | 'acked';
  /** The end of the snooze; 0 if there is none. */
  snooze: number;
  cycle: number;
  /** Whether the flow never runs. */
  suppressed: boolean;
  /** Its hold. */
  hold: ModelHold | undefined;
  /** When the alert closes by itself; 0 if never. */
  closeAt: number;
  restart: { every: number; left: number; since: number };
  /** Each as `type:id`. */
  readonly responders: Set<string>;
}

/** A delay until a minute; or `count` occurrences within `within` minutes of each other, at `times` so far. */
type ModelHold = { isOver: boolean } & (
  { readonly until: number } | { readonly count: number; readonly within: number; times: number[] }
);

/** The plan of policies for a new alert, in minutes; 0 for none. */
export interface ModelPlan {
  /** Whether the alert has a responder from the beginning. */
  readonly paging: boolean;
  readonly suppressed: boolean;
  readonly delay: number;
  readonly count: number;
  readonly within: number;
  readonly closeAfter: number;
  readonly every: number;
  readonly times: number;
}

export const end = (model: FlowModel): void => {
  Object.assign(model, { state: 'none', snooze: 0 });
};
export const start = (model: FlowModel, minute: number): void => {
  Object.assign(model, { state: 'open', cycle: model.cycle + 1, hold: undefined });
  model.restart.since = minute;
};

/** Whether the flow may page a user. */
const runs = (model: FlowModel): boolean => mayStart(model) && !model.suppressed && model.responders.size > 0;

const mayStart = ({ hold, snooze, state }: FlowModel): boolean =>
  state === 'open' && snooze === 0 && hold === undefined;

/** A responder joins. */
export function joined({ responders, restart }: FlowModel, name: string, minute: number): void {
  if (responders.size === 0) restart.since = minute;
  responders.add(name);
}

/** Whether a hold is in force. A delay ends at its time, even if its end is processed later. */
export const isHeld = ({ hold }: FlowModel, minute: number): boolean =>
  hold?.isOver === false && !('until' in hold && hold.until <= minute);

/** The hold ends. */
const release = (model: FlowModel, minute: number): void => {
  if (model.state === 'open') start(model, minute);
  else if (model.hold !== undefined) model.hold.isOver = true;
};

function heldBy({ count, delay, suppressed, within }: ModelPlan, minute: number): ModelHold | undefined {
  if (suppressed) return undefined;
  if (delay > 0) return { until: minute + delay, isOver: false };
  return count > 0 ? { count, within, times: [], isOver: false } : undefined;
}

/** The alert is created. */
export function planned(model: FlowModel, plan: ModelPlan, minute: number): void {
  Object.assign(model, {
    suppressed: plan.suppressed,
    hold: heldBy(plan, minute),
  });
  planEnds(model, plan, minute);
}

function planEnds(model: FlowModel, { closeAfter, every, times }: ModelPlan, minute: number): void {
  model.closeAt = closeAfter > 0 ? minute + closeAfter : 0;
  model.restart = { every, left: times, since: minute };
}

/** The alert occurs, for the first time or again. */
export function occurred(model: FlowModel, minute: number): void {
  const { hold } = model;
  if (hold === undefined || !('times' in hold) || hold.isOver) return;
  hold.times.push(minute);
  if (isReached(hold, minute)) release(model, minute);
}

function isReached({ count, times, within }: Extract<ModelHold, { times: number[] }>, minute: number): boolean {
  const near = within === 0 ? times : times.filter((time) => time >= minute - within);
  return near.length >= count;
}

/** The hold of an alert that is raised at its `count`-th occurrence, of which the policy plans another. */
function heldAfter({ hold }: FlowModel, planned: ModelHold, count: number, minute: number): ModelHold | undefined {
  if ('until' in planned) return hold !== undefined && 'until' in hold ? hold : planned;
  if (hold === undefined || 'until' in hold)
    return countedHold({ ...planned, times: Array<number>(planned.within === 0 ? count : 1).fill(minute) }, minute);
  return countedHold({ ...hold, times: [...hold.times, minute] }, minute);
}

const countedHold = (hold: Extract<ModelHold, { times: number[] }>, minute: number): ModelHold | undefined =>
  isReached(hold, minute) ? undefined : hold;

/** The alert occurs again, for the `count`-th time, and is raised (Q9). */
export function raised(model: FlowModel, plan: ModelPlan, count: number, minute: number): void {
  const hasStarted = !model.suppressed && model.hold?.isOver !== false;
  const planned = hasStarted || model.snooze > 0 ? undefined : heldBy(plan, minute);
  model.suppressed = !hasStarted && plan.suppressed;
  model.hold = planned && heldAfter(model, planned, count, minute);
  planEnds(model, plan, minute);
  if (!plan.suppressed && mayStart(model)) start(model, minute);
}

export const plans: fc.Arbitrary<ModelPlan> = fc.oneof(
  fc.constant({ paging: false, suppressed: false, delay: 0, count: 0, within: 0, closeAfter: 0, every: 0, times: 0 }),
  fc.record({
    paging: fc.constantFrom(true, true, true, false),
    suppressed: fc.constantFrom(false, false, false, true),
    delay: fc.constantFrom(0, 0, 2, 5),
    count: fc.constantFrom(0, 2, 3),
    within: fc.constantFrom(0, 3),
    closeAfter: fc.constantFrom(0, 0, 6),
    every: fc.constantFrom(1, 3),
    times: fc.constantFrom(0, 1, 2),
  }),
);

const MINUTE_MS = 60_000;

/** The flow plan for an alert that is created in `minute`. */
export function planOf(
  { closeAfter, count, delay, every, suppressed, times, within }: ModelPlan,
  { at, minute }: { readonly at: (minute: number) => string; readonly minute: number },
): FlowPlan {
  const policy = '[P]';
  const repeats = {
    kind: 'deduplication',
    policy,
    count,
    withinMs: within > 0 ? within * MINUTE_MS : undefined,
  } as const;
  const byCount = count > 0 ? repeats : undefined;
  return {
    ...AT_ONCE,
    suppressed: suppressed ? 'Policy [P]' : undefined,
    hold: delay > 0 ? { kind: 'delay', policy, until: new Date(at(minute + delay)) } : byCount,
    autoClose: closeAfter > 0 ? { policy, afterMs: closeAfter * MINUTE_MS } : undefined,
    autoRestart: times > 0 ? { policy, everyMs: every * MINUTE_MS, times } : undefined,
  };
}

/** When each thing is due that an alert does by itself; 0 for never. Of due work in the same minute the first comes first. */
const DUE: Readonly<Record<Exclude<ScheduledActionKind, 'resolve'>, (model: FlowModel) => number>> = {
  'auto-close': ({ closeAt }) => closeAt,
  snooze: ({ snooze }) => snooze,
  hold: ({ hold }) => (hold !== undefined && 'until' in hold && !hold.isOver ? hold.until : 0),
  restart: (model) => (runs(model) && model.restart.left > 0 ? model.restart.since + model.restart.every : 0),
};

const EFFECTS: Readonly<Record<keyof typeof DUE, (model: FlowModel, minute: number) => void>> = {
  'auto-close': end,
  snooze: (model, minute) => {
    start(model, minute);
    model.snooze = 0;
  },
  hold: release,
  restart: (model, minute) => {
    start(model, minute);
    model.restart.left -= 1;
  },
};

/** Does the due work in `minute`, the longest due first. */
export function elapse(model: FlowModel, minute: number): void {
  while (model.state !== 'none') {
    const due = Object.entries(DUE)
      .map(([kind, at]) => ({ kind, at: at(model) }))
      .filter(({ at }) => at > 0 && at <= minute)
      .toSorted((a, b) => a.at - b.at);
    const [first] = due;
    if (first === undefined) return;
    EFFECTS[first.kind as keyof typeof DUE](model, minute);
  }
}
