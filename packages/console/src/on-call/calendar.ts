// cspell:ignore DTSTART DTEND -- names of iCalendar
import type { Span } from '../schedules/zone.ts';

/** A time in which a user is on call in a schedule. */
export interface CalendarShift extends Span {
  /** The name of the schedule. */
  readonly schedule: string;
}

/** Between the name of a user and that of a schedule in the title of an event (S8). */
const TITLE_PART = ' on call: ';

/** The shifts of a calendar that the API exports, in the order in which they begin. Those of a schedule that touch are one. */
export function shiftsIn(calendar: string): readonly CalendarShift[] {
  const events = calendar
    .replaceAll(/\r?\n[ \t]/g, '')
    .split('BEGIN:VEVENT')
    .slice(1);
  return joined(events.flatMap(shiftOf)).sort((one, other) => one.from - other.from || one.until - other.until);
}

function shiftOf(event: string): readonly CalendarShift[] {
  const [from, until] = [instantOf(valueOf(event, 'DTSTART')), instantOf(valueOf(event, 'DTEND'))];
  const title = unescaped(valueOf(event, 'SUMMARY'));
  const place = title.indexOf(TITLE_PART);
  if (Number.isNaN(from) || Number.isNaN(until) || place < 0) return [];
  return [{ schedule: title.slice(place + TITLE_PART.length), from, until }];
}

const valueOf = (event: string, name: string): string =>
  new RegExp(`^${name}(?:;[^:\r\n]*)?:(.*)$`, 'm').exec(event)?.[1]?.trimEnd() ?? '';

/** All instants are in UTC, such as `20260201T060000Z`. */
const instantOf = (value: string): number =>
  Date.parse(value.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

const unescaped = (value: string): string =>
  value.replaceAll(/\\([\\;,nN])/g, (_, sign: string) => (sign.toLowerCase() === 'n' ? '\n' : sign));

function joined(shifts: readonly CalendarShift[]): CalendarShift[] {
  const bySchedule = Map.groupBy(shifts, ({ schedule }) => schedule);
  return [...bySchedule.values()].flatMap((ofSchedule) => {
    const joinedShifts: CalendarShift[] = [];
    for (const shift of ofSchedule.toSorted((one, other) => one.from - other.from)) {
      const last = joinedShifts.at(-1);
      if (last === undefined || last.until < shift.from) joinedShifts.push(shift);
      else joinedShifts[joinedShifts.length - 1] = { ...last, until: Math.max(last.until, shift.until) };
    }
    return joinedShifts;
  });
}
