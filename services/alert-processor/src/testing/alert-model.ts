import fc from 'fast-check';
import type { AlertCommand, Priority } from '@tocsin/events';
import type { FlowPlan } from '../policies/policy-result.ts';
import { acknowledge, addNote, byAlias, close, create, DUTY, order, resetRecipientStates } from './commands-samples.ts';
import {
  elapse,
  end,
  isHeld,
  joined,
  occurred,
  planned,
  planOf,
  plans,
  raised,
  start,
  type FlowModel,
  type ModelPlan,
} from './flow-model.ts';

/** A simple model of the alert of one alias. */
export interface Model extends FlowModel {
  seen: boolean;
  count: number;
  notes: number;
  owner: string;
  message: string;
  description: string;
  priority: Priority;
  /** The most urgent that it has had. */
  highest: Priority;
  readonly tags: Set<string>;
  readonly details: Map<string, string>;
  readonly files: Set<string>;
  /** The files that no alert has. */
  readonly free: Set<string>;
}

export const FILES = ['f1', 'f2', 'f3'];

export const nothing = (): Model => ({
  state: 'none',
  seen: false,
  snooze: 0,
  cycle: 0,
  suppressed: false,
  count: 0,
  hold: undefined,
  closeAt: 0,
  restart: { every: 0, left: 0, since: 0 },
  notes: 0,
  owner: '',
  message: '',
  description: '',
  priority: 'P3',
  highest: 'P3',
  tags: new Set(),
  details: new Map(),
  responders: new Set(),
  files: new Set(),
  free: new Set(FILES),
});

/** The context of a command: the open alert, if there is one, and the time. */
export interface Moment {
  readonly alertId: string;
  readonly cycle: number;
  readonly minute: number;
  /** The instant this many minutes after the start of the test. */
  readonly at: (minute: number) => string;
}

/** One command and its effect on the model. Without an open alert only a create has an effect. */
export interface Step {
  readonly name: string;
  /** Undefined: the due work is done. */
  readonly command: ((moment: Moment) => AlertCommand) | undefined;
  readonly meant: (model: Model, minute: number) => void;
  /** Of a create: the plan of its policies. */
  readonly flow?: (moment: Moment) => FlowPlan;
}

const disk = byAlias('disk');
const step = (name: string, command: Step['command'], meant: Step['meant']): Step => ({ name, command, meant });
const named = (own: Parameters<typeof order>[1], meant: Step['meant'], suffix = ''): Step =>
  step(`${own.kind} ${suffix}`, ({ minute, at }) => order(disk, own, { at: at(minute) }), meant);

function opened(model: Model, { plan, priority }: Occurrence, minute: number): void {
  Object.assign(model, { state: 'open', seen: false, snooze: 0, cycle: 1, count: 0, notes: 0, owner: '' });
  planned(model, plan, minute);
  Object.assign(model, { message: 'Disk full', description: '', priority, highest: priority });
  for (const held of [model.tags, model.details, model.responders, model.files]) held.clear();
  if (plan.paging) model.responders.add(`${DUTY.type}:${DUTY.id}`);
}

interface Occurrence {
  readonly plan: ModelPlan;
  readonly file: string | undefined;
  readonly priority: Priority;
  /** Whether a tool sends it. */
  readonly isOfTool: boolean;
}

function created(model: Model, occurrence: Occurrence, minute: number): void {
  const { file, isOfTool, plan, priority } = occurrence;
  const raises = model.state !== 'none' && isOfTool && priority < model.highest;
  if (model.state === 'none') opened(model, occurrence, minute);
  model.count += 1;
  if (raises) {
    Object.assign(model, { priority, highest: priority });
    if (plan.paging) model.responders.add(`${DUTY.type}:${DUTY.id}`);
    raised(model, plan, model.count, minute);
  } else occurred(model, minute);
  if (file !== undefined && model.free.delete(file)) model.files.add(file);
}

const either = fc.constantFrom('a', 'b');
const always = (one: Step): fc.Arbitrary<Step> => fc.constant(one);

/** The due work is done. */
export const ELAPSE: fc.Arbitrary<Step> = always(step('elapse', undefined, elapse));

/** A step of each kind. This does not compile if the contract has a kind that is missing here. */
export const STEPS: Readonly<Record<AlertCommand['kind'], fc.Arbitrary<Step>>> = {
  create: fc
    .record<Occurrence>({
      file: fc.option(fc.constantFrom(...FILES), { nil: undefined }),
      plan: plans,
      priority: fc.constantFrom('P1', 'P2', 'P3', 'P4'),
      isOfTool: fc.boolean(),
    })
    .map((occurrence) => {
      const { file, isOfTool, plan, priority } = occurrence;
      return {
        ...step(
          `create ${JSON.stringify(occurrence)}`,
          ({ minute, at }) =>
            create('disk', {
              at: at(minute),
              ...(isOfTool && { hook: { preset: 'alertmanager' } }),
              alert: {
                ...(file !== undefined && { attachments: [file, 'unknown'] }),
                responders: plan.paging ? [DUTY] : [],
                priority,
              },
            }),
          (model, minute) => {
            created(model, occurrence, minute);
          },
        ),
        flow: (moment: Moment) => planOf(plan, moment),
      };
    }),
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
      if (model.snooze > 0 || isHeld(model, minute)) model.state = 'open';
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
        if (model.hold !== undefined && !isHeld(model, minute)) start(model, minute);
      },
    ),
  ),
  assign: either.map((id) => named({ kind: 'assign', owner: { type: 'user', id } }, (m) => (m.owner = id), id)),
  'add-responder': either.map((id) =>
    named(
      { kind: 'add-responder', responder: { type: 'user', id } },
      (model, minute) => {
        joined(model, `user:${id}`, minute);
      },
      id,
    ),
  ),
  'add-team': either.map((id) =>
    named(
      { kind: 'add-team', responder: { type: 'team', id } },
      (model, minute) => {
        joined(model, `team:${id}`, minute);
      },
      id,
    ),
  ),
  escalate: always(
    named({ kind: 'escalate', escalation: { type: 'escalation', id: 'e' } }, (model, minute) => {
      if (model.responders.size === 0 && !model.suppressed) joined(model, 'escalation:e', minute);
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
  'update-priority': fc.constantFrom<Priority>('P1', 'P5').map((priority) =>
    named({ kind: 'update-priority', priority }, (model) => {
      model.priority = priority;
      if (priority < model.highest) model.highest = priority;
    }),
  ),
};
