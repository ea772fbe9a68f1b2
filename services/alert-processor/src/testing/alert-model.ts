import fc from 'fast-check';
import type { AlertCommand, Priority } from '@tocsin/contracts';
import {
  acknowledge,
  addNote,
  byAlias,
  close,
  create,
  order,
  resetRecipientStates,
  snoozeOver,
} from './commands-samples.ts';

/** What an alert of one alias is thought to be, in few words. */
export interface Model {
  state: 'none' | 'open' | 'acked';
  seen: boolean;
  /** Its end, in minutes; 0 without. */
  snooze: number;
  cycle: number;
  count: number;
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

export const FILES = ['f1', 'f2', 'f3'];

export const nothing = (): Model => ({
  state: 'none',
  seen: false,
  snooze: 0,
  cycle: 0,
  count: 0,
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
interface Moment {
  readonly alertId: string;
  readonly cycle: number;
  readonly minute: number;
  /** An instant so many minutes from the beginning. */
  readonly at: (minute: number) => string;
}

/** One command, and what it does to the model; only a create does anything where no alert is open. */
export interface Step {
  readonly name: string;
  readonly command: (moment: Moment) => AlertCommand;
  readonly meant: (model: Model, minute: number) => void;
}

const disk = byAlias('disk');
const step = (name: string, command: Step['command'], meant: Step['meant']): Step => ({ name, command, meant });
const named = (own: Parameters<typeof order>[1], meant: Step['meant'], of = ''): Step =>
  step(`${own.kind} ${of}`, ({ minute, at }) => order(disk, own, { at: at(minute) }), meant);

const end = (model: Model): void => {
  Object.assign(model, { state: 'none', snooze: 0 });
};
const restart = (model: Model): void => {
  Object.assign(model, { state: 'open', cycle: model.cycle + 1 });
};

function opened(model: Model): void {
  Object.assign(model, { state: 'open', seen: false, snooze: 0, cycle: 1, count: 0, notes: 0, owner: '' });
  Object.assign(model, { message: 'Disk full', description: '', priority: 'P3' });
  for (const held of [model.tags, model.details, model.responders, model.files]) held.clear();
}

function created(model: Model, file: string | undefined): void {
  if (model.state === 'none') opened(model);
  model.count += 1;
  if (file !== undefined && model.free.delete(file)) model.files.add(file);
}

const either = fc.constantFrom('a', 'b');
const always = (one: Step): fc.Arbitrary<Step> => fc.constant(one);

/** A step of each kind. A kind that is added to the contract and not here does not compile. */
export const STEPS: Readonly<Record<AlertCommand['kind'], fc.Arbitrary<Step>>> = {
  create: fc.option(fc.constantFrom(...FILES), { nil: undefined }).map((file) =>
    step(
      `create ${file ?? ''}`,
      ({ minute, at }) =>
        create('disk', { at: at(minute), alert: file === undefined ? {} : { attachments: [file, 'unknown'] } }),
      (model) => {
        created(model, file);
      },
    ),
  ),
  acknowledge: always(
    step(
      'acknowledge',
      ({ minute, at }) => acknowledge(disk, { at: at(minute), actor: 'ada' }),
      (model) => Object.assign(model, { state: 'acked', snooze: 0, seen: true, owner: model.owner || 'ada' }),
    ),
  ),
  unacknowledge: always(
    named({ kind: 'unacknowledge' }, (model) => {
      if (model.state === 'acked') restart(model);
    }),
  ),
  close: always(step('close', ({ minute, at }) => close(disk, { at: at(minute) }), end)),
  delete: always(named({ kind: 'delete' }, end)),
  snooze: fc.integer({ min: 1, max: 9 }).map((minutes) =>
    step(
      `snooze ${String(minutes)}`,
      ({ minute, at }) => order(disk, { kind: 'snooze', endTime: at(minute + minutes) }, { at: at(minute) }),
      (model, minute) => Object.assign(model, { snooze: minute + minutes }),
    ),
  ),
  timer: always(
    step(
      'timer',
      ({ alertId, minute, at }) => snoozeOver(alertId, minute, at(minute)),
      (model, minute) => {
        if (model.snooze === 0 || model.snooze > minute) return;
        restart(model);
        model.snooze = 0;
      },
    ),
  ),
  'reset-recipient-states': fc.integer({ min: 0, max: 1 }).map((late) =>
    step(
      `reset ${String(late)}`,
      ({ alertId, cycle, minute, at }) => resetRecipientStates(alertId, cycle - late, { at: at(minute) }),
      (model) => {
        if (late === 0) Object.assign(model, { state: 'open', seen: false });
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
