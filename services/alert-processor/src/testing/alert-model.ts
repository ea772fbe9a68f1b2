import fc from 'fast-check';
import type { AlertCommand, Priority } from '@tocsin/contracts';
import type { AlarmKind, Alert } from '../domain/alert.ts';
import { AT_ONCE, type FlowPlan } from '../domain/policies/judgement.ts';
import {
  acknowledge,
  addNote,
  byAlias,
  close,
  create,
  order,
  resetRecipientStates,
  timerOf,
} from './commands-samples.ts';

/** What an alert of one alias is thought to be, in few words. */
export interface Model {
  state: 'none' | 'open' | 'acked';
  seen: boolean;
  /** Its end, in minutes; 0 without. */
  snooze: number;
  cycle: number;
  count: number;
  /** What holds its flow back. */
  hold: ModelHold | undefined;
  /** When it closes by itself, in minutes; 0 without. */
  closeAt: number;
  restart: { every: number; left: number; since: number };
  notes: number;
  owner: string;
  message: string;
  description: string;
  priority: Priority;
  readonly tags: Set<string>;
  readonly details: Map<string, string>;
  /** As `type:id`. */
  readonly responders: Set<string>;
  readonly files: Set<string>;
  /** The files that belong to no alert. */
  readonly free: Set<string>;
}

/** A delay to a minute, or the times of the occurrences of which some are to lie within some minutes of each other. */
type ModelHold = { isOver: boolean } & (
  { readonly until: number } | { readonly count: number; readonly within: number; times: number[] }
);

/** What policies want of an alert that is made, in minutes; 0 where they want nothing. */
interface ModelPlan {
  readonly delay: number;
  readonly count: number;
  readonly within: number;
  readonly closeAfter: number;
  readonly every: number;
  readonly times: number;
}

export const FILES = ['f1', 'f2', 'f3'];

export const nothing = (): Model => ({
  state: 'none',
  seen: false,
  snooze: 0,
  cycle: 0,
  count: 0,
  hold: undefined,
  closeAt: 0,
  restart: { every: 0, left: 0, since: 0 },
  notes: 0,
  owner: '',
  message: '',
  description: '',
  priority: 'P3',
  tags: new Set(),
  details: new Map(),
  responders: new Set(),
  files: new Set(),
  free: new Set(FILES),
});

/** What a command is given: the alert that is open, if one is, and the time. */
export interface Moment {
  readonly alertId: string;
  readonly cycle: number;
  readonly alarms: Alert['alarms'];
  readonly minute: number;
  /** An instant so many minutes from the beginning. */
  readonly at: (minute: number) => string;
}

/** One command, and what it does to the model; only a create does anything where no alert is open. */
export interface Step {
  readonly name: string;
  readonly command: (moment: Moment) => AlertCommand;
  readonly meant: (model: Model, minute: number) => void;
  /** Of a create: what its judgement is. */
  readonly flow?: (moment: Moment) => FlowPlan;
}

const disk = byAlias('disk');
const step = (name: string, command: Step['command'], meant: Step['meant']): Step => ({ name, command, meant });
const named = (own: Parameters<typeof order>[1], meant: Step['meant'], of = ''): Step =>
  step(`${own.kind} ${of}`, ({ minute, at }) => order(disk, own, { at: at(minute) }), meant);

const end = (model: Model): void => {
  Object.assign(model, { state: 'none', snooze: 0 });
};
const start = (model: Model, minute: number): void => {
  Object.assign(model, { state: 'open', cycle: model.cycle + 1, hold: undefined });
  model.restart.since = minute;
};

/** What the flow waited for has come. */
const release = (model: Model, minute: number): void => {
  if (model.state === 'open') start(model, minute);
  else if (model.hold !== undefined) model.hold.isOver = true;
};

function heldBy({ count, delay, within }: ModelPlan, minute: number): ModelHold | undefined {
  if (delay > 0) return { until: minute + delay, isOver: false };
  return count > 0 ? { count, within, times: [], isOver: false } : undefined;
}

function opened(model: Model, plan: ModelPlan, minute: number): void {
  Object.assign(model, { state: 'open', seen: false, snooze: 0, cycle: 1, count: 0, notes: 0, owner: '' });
  Object.assign(model, {
    hold: heldBy(plan, minute),
    closeAt: plan.closeAfter > 0 ? minute + plan.closeAfter : 0,
    restart: { every: plan.every, left: plan.times, since: minute },
  });
  Object.assign(model, { message: 'Disk full', description: '', priority: 'P3' });
  for (const held of [model.tags, model.details, model.responders, model.files]) held.clear();
}

function created(model: Model, file: string | undefined, plan: ModelPlan, minute: number): void {
  if (model.state === 'none') opened(model, plan, minute);
  model.count += 1;
  const { hold } = model;
  if (hold !== undefined && 'times' in hold && !hold.isOver) {
    hold.times.push(minute);
    const near = hold.within === 0 ? hold.times : hold.times.filter((time) => time >= minute - hold.within);
    if (near.length >= hold.count) release(model, minute);
  }
  if (file !== undefined && model.free.delete(file)) model.files.add(file);
}

const plans: fc.Arbitrary<ModelPlan> = fc.oneof(
  fc.constant({ delay: 0, count: 0, within: 0, closeAfter: 0, every: 0, times: 0 }),
  fc.record({
    delay: fc.constantFrom(0, 0, 2, 5),
    count: fc.constantFrom(0, 2, 3),
    within: fc.constantFrom(0, 3),
    closeAfter: fc.constantFrom(0, 0, 6),
    every: fc.constantFrom(1, 3),
    times: fc.constantFrom(0, 1, 2),
  }),
);

const MINUTE_MS = 60_000;

function planOf({ closeAfter, count, delay, every, times, within }: ModelPlan, { at, minute }: Moment): FlowPlan {
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
    hold: delay > 0 ? { kind: 'delay', policy, until: new Date(at(minute + delay)) } : byCount,
    autoClose: closeAfter > 0 ? { policy, afterMs: closeAfter * MINUTE_MS } : undefined,
    autoRestart: times > 0 ? { policy, everyMs: every * MINUTE_MS, times } : undefined,
  };
}

const either = fc.constantFrom('a', 'b');
const always = (one: Step): fc.Arbitrary<Step> => fc.constant(one);

const due = (at: number, minute: number): boolean => at > 0 && at <= minute;

/** What comes of each alarm that is due. An alarm that is added and not here does not compile. */
const GOES_OFF: Readonly<Record<AlarmKind, Step['meant']>> = {
  snooze: (model, minute) => {
    if (!due(model.snooze, minute)) return;
    start(model, minute);
    model.snooze = 0;
  },
  resolve: () => undefined,
  hold: (model, minute) => {
    const { hold } = model;
    if (hold !== undefined && 'until' in hold && !hold.isOver && due(hold.until, minute)) release(model, minute);
  },
  'auto-close': (model, minute) => {
    if (due(model.closeAt, minute)) end(model);
  },
  restart: (model, minute) => {
    const { every, left, since } = model.restart;
    const runs = model.state === 'open' && model.snooze === 0 && model.hold === undefined;
    if (!runs || left === 0 || !due(since + every, minute)) return;
    start(model, minute);
    model.restart.left -= 1;
  },
};

/** A timer of each kind: that of the present alarm where it is due, else one of a former alarm. */
const TIMERS = (Object.keys(GOES_OFF) as readonly AlarmKind[]).map((kind) =>
  step(
    `timer ${kind}`,
    ({ alarms, alertId, at, minute }) => {
      const alarm = alarms[kind];
      const isDue = alarm !== undefined && alarm.dueAt <= new Date(at(minute));
      return timerOf(kind, alertId, isDue ? alarm.fence : 0, at(minute));
    },
    GOES_OFF[kind],
  ),
);

/** A step of each kind. A kind that is added to the contract and not here does not compile. */
export const STEPS: Readonly<Record<AlertCommand['kind'], fc.Arbitrary<Step>>> = {
  create: fc.tuple(fc.option(fc.constantFrom(...FILES), { nil: undefined }), plans).map(([file, plan]) => ({
    ...step(
      `create ${file ?? ''} ${JSON.stringify(plan)}`,
      ({ minute, at }) =>
        create('disk', { at: at(minute), alert: file === undefined ? {} : { attachments: [file, 'unknown'] } }),
      (model, minute) => {
        created(model, file, plan, minute);
      },
    ),
    flow: (moment: Moment) => planOf(plan, moment),
  })),
  acknowledge: always(
    step(
      'acknowledge',
      ({ minute, at }) => acknowledge(disk, { at: at(minute), actor: 'ada' }),
      (model) => Object.assign(model, { state: 'acked', snooze: 0, seen: true, owner: model.owner || 'ada' }),
    ),
  ),
  unacknowledge: always(
    named({ kind: 'unacknowledge' }, (model, minute) => {
      if (model.state !== 'acked') return;
      if (model.hold?.isOver === false) model.state = 'open';
      else start(model, minute);
    }),
  ),
  close: always(step('close', ({ minute, at }) => close(disk, { at: at(minute) }), end)),
  delete: always(named({ kind: 'delete' }, end)),
  snooze: fc.integer({ min: 1, max: 9 }).map((minutes) =>
    step(
      `snooze ${String(minutes)}`,
      ({ minute, at }) => order(disk, { kind: 'snooze', endTime: at(minute + minutes) }, { at: at(minute) }),
      (model, minute) => Object.assign(model, { snooze: minute + minutes, hold: undefined }),
    ),
  ),
  timer: fc.constantFrom(...TIMERS),
  'reset-recipient-states': fc.integer({ min: 0, max: 1 }).map((late) =>
    step(
      `reset ${String(late)}`,
      ({ alertId, cycle, minute, at }) => resetRecipientStates(alertId, cycle - late, { at: at(minute) }),
      (model, minute) => {
        if (late > 0) return;
        model.seen = false;
        if (model.state !== 'acked') return;
        model.state = 'open';
        model.restart.since = minute;
        if (model.hold?.isOver === true) start(model, minute);
      },
    ),
  ),
  assign: either.map((id) => named({ kind: 'assign', owner: { type: 'user', id } }, (m) => (m.owner = id), id)),
  'add-responder': either.map((id) =>
    named(
      { kind: 'add-responder', responder: { type: 'user', id } },
      ({ responders }) => responders.add(`user:${id}`),
      id,
    ),
  ),
  'add-team': either.map((id) =>
    named({ kind: 'add-team', responder: { type: 'team', id } }, ({ responders }) => responders.add(`team:${id}`), id),
  ),
  escalate: always(
    named({ kind: 'escalate', escalation: { type: 'escalation', id: 'e' } }, ({ responders }) => {
      if (responders.size === 0) responders.add('escalation:e');
    }),
  ),
  'add-note': always(
    step(
      'note',
      ({ minute, at }) => addNote(disk, 'n', { at: at(minute) }),
      (model) => (model.notes += 1),
    ),
  ),
  'add-tags': either.map((tag) => named({ kind: 'add-tags', tags: [tag] }, ({ tags }) => tags.add(tag), tag)),
  'remove-tags': either.map((tag) => named({ kind: 'remove-tags', tags: [tag] }, ({ tags }) => tags.delete(tag), tag)),
  'add-details': fc
    .tuple(either, either)
    .map(([key, value]) =>
      named(
        { kind: 'add-details', details: { [key]: value } },
        ({ details }) => details.set(key, value),
        `${key}=${value}`,
      ),
    ),
  'remove-details': either.map((key) =>
    named({ kind: 'remove-details', keys: [key] }, ({ details }) => details.delete(key), key),
  ),
  'execute-action': always(named({ kind: 'execute-action', action: 'Restart' }, () => undefined)),
  'update-message': either.map((message) => named({ kind: 'update-message', message }, (m) => (m.message = message))),
  'update-description': either.map((description) =>
    named({ kind: 'update-description', description }, (model) => (model.description = description)),
  ),
  'update-priority': fc
    .constantFrom<Priority>('P1', 'P5')
    .map((priority) => named({ kind: 'update-priority', priority }, (model) => (model.priority = priority))),
};
