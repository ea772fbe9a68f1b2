import { type Json, numberIn, objectIn, objectsIn, textIn } from '../json.ts';
import type { Thing } from '../kinds.ts';
import type { ImportBody, Side } from './body.ts';
import {
  defined,
  duration,
  Fields,
  instant,
  placedCriteria,
  reference,
  saysNothing,
  timeRestriction,
  typed,
} from './fields.ts';
import { type Lost, reportLeft } from './lost.ts';
import { endedBefore } from './schedules.ts';

/** A policy of version 2. */
export function policy(id: string, { value }: Thing, lost: Lost): readonly ImportBody[] {
  const fields = new Fields(value, 'id');
  const type = (fields.text('type') ?? 'alert').toLowerCase();
  const common = commonOf(fields, type, id);
  const effects = type === 'alert' ? modificationOf(fields, false) : notificationOf(fields);
  const body = defined({ ...common, teamId: fields.text('teamId'), order: fields.number('order'), ...effects });
  reportLeft(fields, lost);
  return [{ kind: 'policies', id, name: String(common['name']), body }];
}

/** A policy of version 1 that version 2 does not show. */
export function oldPolicy(id: string, { value }: Thing, side: Side, lost: Lost): readonly ImportBody[] {
  if (side.policies.has(id)) return [];
  const fields = new Fields(value, 'id', 'teamId');
  const type = (fields.text('type') ?? '').toLowerCase();
  const common = commonOf(fields, type, id);
  const body = defined({ ...common, order: fields.number('order'), ...oldEffects(fields, type) });
  reportLeft(fields, lost);
  return [{ kind: 'policies-v1', id, name: String(common['name']), body }];
}

function oldEffects(fields: Fields, type: string): Json {
  const { value } = fields;
  switch (type) {
    case 'modify':
      return modificationOf(fields, true);
    case 'notification-delay':
      return readAs(fields, delayOf(value), DELAY);
    case 'notification-deduplication':
      return readAs(fields, deduplicationOf(value), DEDUPLICATION);
    case 'auto-close':
      return readAs(fields, { duration: duration(value['duration']) }, ['duration']);
    case 'auto-restart-notifications':
      return readAs(fields, restartOf(value), ['duration', 'maxRepeatCount']);
    default:
      return {};
  }
}

function readAs(fields: Fields, effects: Json, names: readonly string[]): Json {
  for (const name of names) fields.text(name);
  return effects;
}

function commonOf(fields: Fields, type: string, id: string): Json {
  const filter = fields.object('filter');
  const [plural, singular] = [fields.object('timeRestrictions'), fields.object('timeRestriction')];
  return {
    type,
    name: fields.text('name') ?? id,
    enabled: fields.flag('enabled', true),
    policyDescription: fields.text('policyDescription') ?? '',
    filter: filter === undefined ? undefined : placedCriteria(filter),
    timeRestrictions: timeRestriction(plural) ?? timeRestriction(singular),
  };
}

const template = (fields: Fields, name: string): string => fields.text(name) ?? `{{${name}}}`;

/** What an alert policy changes. Version 1 has other names for some of it. */
function modificationOf(fields: Fields, isOld: boolean): Json {
  const [description, alertDescription] = [fields.text('description'), fields.text('alertDescription')];
  const [actions, alertActions] = [fields.texts('actions'), fields.texts('alertActions')];
  const recipients = fields.objects(isOld ? 'recipients' : 'responders');
  const ignored = isOld
    ? ['ignoreOriginalAlertActions', 'ignoreOriginalRecipients', 'ignoreOriginalTeams']
    : ['ignoreOriginalActions', 'ignoreOriginalResponders'];
  return {
    message: template(fields, 'message'),
    continue: fields.flag('continue', false),
    alias: template(fields, 'alias'),
    entity: template(fields, 'entity'),
    source: template(fields, 'source'),
    [isOld ? 'description' : 'alertDescription']: alertDescription ?? description ?? '{{description}}',
    ...Object.fromEntries(
      [...ignored, 'ignoreOriginalDetails', 'ignoreOriginalTags'].map((name) => [name, fields.flag(name, false)]),
    ),
    details: detailsOf(fields),
    tags: fields.texts('tags'),
    priority: fields.text('priority'),
    [isOld ? 'alertActions' : 'actions']: alertActions.length > 0 ? alertActions : actions,
    [isOld ? 'recipients' : 'responders']: recipients.map((each) => typed(each)),
  };
}

/** Details are a map, or a list of `{key, value}`. */
function detailsOf(fields: Fields): Json {
  const list = fields.objects('details').map((each) => [textIn(each, 'key') ?? '', textIn(each, 'value') ?? '']);
  const map = Object.entries(fields.object('details') ?? {}).map(([name, each]) => [name, String(each)]);
  return Object.fromEntries([...list, ...map]) as Json;
}

const DELAY = ['delayOption', 'untilHour', 'untilMinute', 'duration'];

function delayOf(value: Json): Json {
  const delayOption = textIn(value, 'delayOption');
  if (delayOption === 'for-duration') return { delayOption, duration: duration(value['duration']) };
  return {
    delayOption,
    untilHour: numberIn(value, 'untilHour') ?? 0,
    untilMinute: numberIn(value, 'untilMinute') ?? 0,
  };
}

const DEDUPLICATION = ['deduplicationActionType', 'deduplicationType', 'count', 'duration'];

function deduplicationOf(value: Json): Json {
  const type = textIn(value, 'deduplicationActionType') ?? textIn(value, 'deduplicationType');
  return defined({
    deduplicationActionType: type,
    count: numberIn(value, 'count'),
    duration: type === 'frequency-based' ? duration(value['duration']) : undefined,
  });
}

const restartOf = (value: Json): Json => ({
  duration: duration(value['duration']),
  maxRepeatCount: numberIn(value, 'maxRepeatCount') ?? 0,
});

function notificationOf(fields: Fields): Json {
  const effect = (names: readonly string[], read: (value: Json) => Json): Json | undefined => {
    const found = names.map((name) => fields.object(name)).find((each) => !saysNothing(each));
    return found === undefined ? undefined : read(found);
  };
  return {
    suppress: fields.flag('suppress', false),
    delayAction: effect(['delayAction'], delayOf),
    deduplicationAction: effect(['deduplicationAction', 'deduplicationActionAction'], deduplicationOf),
    autoCloseAction: effect(['autoCloseAction'], (value) => ({ duration: duration(value['duration']) })),
    autoRestartAction: effect(['autoRestartAction'], restartOf),
  };
}

/** A window, with its end as an instant. */
export function maintenance(id: string, { value }: Thing, side: Side, lost: Lost): readonly ImportBody[] {
  const fields = new Fields(value, 'id', 'status');
  const description = fields.text('description') ?? '';
  const written = fields.object('time') ?? {};
  const time = windowTime(written);
  const rules = fields.objects('rules').map((rule) => ({
    entity: { type: textIn(objectIn(rule, 'entity'), 'type'), id: textIn(objectIn(rule, 'entity'), 'id') },
    state: (textIn(rule, 'state') ?? 'disabled').toLowerCase(),
  }));
  reportLeft(fields, lost);
  const notMoved = (why: string): readonly ImportBody[] => {
    lost(why);
    return [];
  };
  if (['past', 'cancelled'].includes(textIn(value, 'status') ?? '') || endedBefore(written, side)) {
    return notMoved('The window is over, so it is not moved.');
  }
  if (!['schedule', 'indefinitely'].includes(String(time['type'])))
    return notMoved('The API does not show when the window ends, so it is not moved: create it in Tocsin.');
  return [{ kind: 'maintenance', id, name: description === '' ? id : description, body: { description, time, rules } }];
}

function windowTime(time: Json): Json {
  const [startDate, endDate] = [instant(textIn(time, 'startDate')), instant(textIn(time, 'endDate'))];
  if (startDate !== undefined && endDate !== undefined) return { type: 'schedule', startDate, endDate };
  return { type: (textIn(time, 'type') ?? 'schedule').toLowerCase() };
}

/** A heartbeat, which is disabled until the cut-over: its pings still go to Opsgenie. */
export function heartbeat(id: string, { value }: Thing, side: Side, lost: Lost): readonly ImportBody[] {
  const fields = new Fields(value, 'expired', 'lastPingTime', 'id', 'status');
  const name = fields.text('name') ?? id;
  const isEnabled = fields.flag('enabled', false);
  if (isEnabled && !side.isTocsin)
    lost('The heartbeat is moved disabled, because its pings still go to Opsgenie. Enable it at the cut-over.');
  const body = defined({
    name,
    description: fields.text('description') ?? '',
    interval: fields.number('interval'),
    intervalUnit: (fields.text('intervalUnit') ?? 'minutes').toLowerCase(),
    enabled: side.isTocsin && isEnabled,
    ownerTeam: reference(fields.object('ownerTeam')),
    alertMessage: fields.text('alertMessage'),
    alertTags: fields.texts('alertTags'),
    alertPriority: fields.text('alertPriority'),
  });
  reportLeft(fields, lost);
  return [{ kind: 'heartbeats', id: name, name, body }];
}

export function savedSearch(id: string, { value }: Thing, lost: Lost): readonly ImportBody[] {
  const fields = new Fields(value, 'id', 'createdAt', 'updatedAt', 'createdBy');
  const name = fields.text('name') ?? id;
  const body = defined({
    name,
    query: fields.text('query'),
    owner: reference(fields.object('owner')),
    description: fields.text('description') ?? '',
    teams: objectsIn(value, 'teams').map((each) => reference(each)),
  });
  fields.objects('teams');
  reportLeft(fields, lost);
  return [{ kind: 'saved-searches', id, name, body }];
}
