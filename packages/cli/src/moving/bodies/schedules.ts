import { type Json, numberIn, objectIn, objectsIn, textIn } from '../json.ts';
import type { Thing } from '../kinds.ts';
import { canonical, type ImportBody, type Side } from './body.ts';
import { defined, Fields, flagIn, instant, minutes, minutesOf, reference, timeRestriction, typed } from './fields.ts';
import { type Lost, reportLeft } from './lost.ts';

const HALF_HOUR = 30;
const DAY_MINUTES = 1_440;
const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** A schedule with its rotations and overrides. */
export function schedule(id: string, { parts, value }: Thing, side: Side, lost: Lost): readonly ImportBody[] {
  const fields = new Fields(value, 'id');
  const [name, timezone] = [fields.text('name') ?? id, fields.text('timezone') ?? side.zone];
  const all = parts['overrides'] ?? [];
  const overrides = all.filter((each) => !endedBefore(each, side));
  if (overrides.length < all.length)
    lost(`Overrides that ended before are not moved: ${all.length - overrides.length} of ${all.length}.`);
  const body = defined({
    name,
    description: fields.text('description') ?? '',
    timezone,
    enabled: fields.flag('enabled', true),
    ownerTeam: reference(fields.object('ownerTeam')),
    rotations: fields.objects('rotations').map((each, at) => rotation(each, at, lost)),
    overrides: overrides.map(override),
  });
  reportLeft(fields, lost);
  return [{ kind: 'schedules', id, name, body }];
}

/** Whether something with an `endDate` is over on the day of the snapshot. */
export const endedBefore = (item: Json, { endedBefore: before }: Side): boolean =>
  Date.parse(instant(textIn(item, 'endDate')) ?? '') <= before;

function rotation(item: Json, at: number, lost: Lost): Json {
  const fields = new Fields(item, 'id', '_parent', 'order');
  const name = fields.text('name') ?? `Rot${at + 1}`;
  const restriction = timeRestriction(fields.object('timeRestriction'));
  const body = defined({
    id: textIn(item, 'id'),
    name,
    startDate: instant(fields.text('startDate')),
    endDate: instant(fields.text('endDate')),
    type: (fields.text('type') ?? 'weekly').toLowerCase(),
    length: fields.number('length') ?? 1,
    participants: fields.objects('participants').map((each) => typed(each)),
    timeRestriction: restriction === undefined ? undefined : snapped(restriction),
  });
  if (canonical(restriction) !== canonical(body['timeRestriction']))
    lost(
      `The time restriction of rotation [${name}] is moved to the nearest full or half hours: Tocsin has no others.`,
    );
  for (const field of fields.left()) lost(`[${field}] of rotation [${name}] is not moved: Tocsin has no such field.`);
  return body;
}

/** A time restriction whose minutes are 0 or 30, as those of rotations in Tocsin are. */
function snapped(restriction: Json): Json {
  const daily = objectIn(restriction, 'restriction');
  if (daily !== undefined) return { ...restriction, restriction: snappedSpan(daily) };
  return { ...restriction, restrictions: objectsIn(restriction, 'restrictions').map(snappedSpan) };
}

function snappedSpan(span: Json): Json {
  const end = (word: 'start' | 'end'): Json => {
    const minute = (numberIn(span, `${word}Hour`) ?? 0) * 60 + (numberIn(span, `${word}Min`) ?? 0);
    const nearest = Math.floor((minute + HALF_HOUR / 2) / HALF_HOUR) * HALF_HOUR;
    const day = WEEKDAYS.indexOf(textIn(span, `${word}Day`) ?? '');
    return {
      ...(day >= 0 && { [`${word}Day`]: WEEKDAYS[(day + Number(nearest >= DAY_MINUTES)) % WEEKDAYS.length] }),
      [`${word}Hour`]: Math.floor(nearest / 60) % 24,
      [`${word}Min`]: nearest % 60,
    };
  };
  return { ...end('start'), ...end('end') };
}

function override(item: Json): Json {
  const rotations = objectsIn(item, 'rotations');
  return defined({
    alias: textIn(item, 'alias'),
    user: typed(objectIn(item, 'user') ?? { type: 'none' }),
    startDate: instant(textIn(item, 'startDate')),
    endDate: instant(textIn(item, 'endDate')),
    rotations: rotations.length === 0 ? undefined : rotations.map((each) => reference(each)),
  });
}

export function escalation(id: string, { value }: Thing, lost: Lost): readonly ImportBody[] {
  const fields = new Fields(value, 'id');
  const name = fields.text('name') ?? id;
  const body = defined({
    name,
    description: fields.text('description') ?? '',
    ownerTeam: reference(fields.object('ownerTeam')),
    rules: fields.objects('rules').map((rule) => ({
      condition: (textIn(rule, 'condition') ?? 'if-not-acked').toLowerCase(),
      notifyType: (textIn(rule, 'notifyType') ?? 'default').toLowerCase(),
      delay: minutes(rule['delay'] ?? 0),
      recipient: typed(objectIn(rule, 'recipient') ?? {}),
    })),
    repeat: repeatOf(fields.object('repeat')),
  });
  reportLeft(fields, lost);
  return [{ kind: 'escalations', id, name, body }];
}

function repeatOf(value: Json | undefined): Json | undefined {
  const waitInterval = minutesOf(value?.['waitInterval'] ?? 0) ?? 0;
  if (waitInterval === 0) return undefined;
  return {
    waitInterval,
    count: numberIn(value, 'count') ?? 1,
    resetRecipientStates: flagIn(value, 'resetRecipientStates', false),
    closeAlertAfterAll: flagIn(value, 'closeAlertAfterAll', false),
  };
}

export function forwardingRule(id: string, { value }: Thing, side: Side, lost: Lost): readonly ImportBody[] {
  const fields = new Fields(value, 'id');
  const [fromUser, toUser, alias] = [fields.object('fromUser'), fields.object('toUser'), fields.text('alias')];
  const name = alias ?? `from ${textIn(fromUser, 'username') ?? ''} to ${textIn(toUser, 'username') ?? ''}`;
  const [startDate, endDate] = [instant(fields.text('startDate')), instant(fields.text('endDate'))];
  reportLeft(fields, lost);
  if (endedBefore(value, side)) {
    lost('The forwarding rule ended before, so it is not moved.');
    return [];
  }
  const body = defined({ alias, fromUser: reference(fromUser), toUser: reference(toUser), startDate, endDate });
  return [{ kind: 'forwarding-rules', id, name, body }];
}
