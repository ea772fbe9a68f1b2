/** A day on the calendar, in no zone. */
export interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const HOUR_MS = 3_600_000;
/** Zones are at most this far from UTC. */
const FARTHEST_MS = 15 * HOUR_MS;
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

const asUtc = ({ year, month, day }: Day): number => Date.UTC(year, month - 1, day);

/** The calendar of one zone: which instants are which day, also where the clocks change. */
export class ZoneCalendar {
  readonly #parts: Intl.DateTimeFormat;

  /** @throws RangeError for a zone that is not known. */
  constructor(zone: string) {
    const date = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
    const time = { hour: 'numeric', minute: 'numeric', hourCycle: 'h23' } as const;
    this.#parts = new Intl.DateTimeFormat('en', { ...date, ...time, timeZone: zone, calendar: 'gregory' });
  }

  /** The day in which an instant lies. */
  dayOf(instant: number): Day {
    const { year, month, day } = this.#read(instant);
    return { year, month, day };
  }

  /** The first instant of a day: midnight, or the first one after it where the clocks skip midnight. */
  startOf(day: Day): number {
    const wanted = asUtc(day);
    let [before, within] = [wanted - FARTHEST_MS, wanted + FARTHEST_MS];
    while (within - before > 1) {
      const middle = Math.floor((before + within) / 2);
      if (asUtc(this.dayOf(middle)) < wanted) before = middle;
      else within = middle;
    }
    return within;
  }

  /** `Tue 24 Mar 08:00`. */
  moment(instant: number): string {
    return `${headingOf(this.dayOf(instant))} ${this.time(instant)}`;
  }

  /** `08:00`. */
  time(instant: number): string {
    const { hour, minute } = this.#read(instant);
    return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
  }

  #read(instant: number): Day & { readonly hour: number; readonly minute: number } {
    const parts = new Map(this.#parts.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    return { year: of('year'), month: of('month'), day: of('day'), hour: of('hour'), minute: of('minute') };
  }
}

/** The day that is `days` after another. */
export function plusDays(day: Day, days: number): Day {
  const date = new Date(asUtc(day) + days * 24 * HOUR_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** `Tue 24 Mar`. */
export function headingOf(day: Day): string {
  return `${WEEKDAYS[new Date(asUtc(day)).getUTCDay()] ?? ''} ${day.day} ${MONTHS[day.month - 1] ?? ''}`;
}

/** `2 d 3 h 30 min`; a change of the clocks is not in it. */
export function lengthText(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  const parts = [
    [Math.floor(minutes / 1_440), 'd'],
    [Math.floor(minutes / 60) % 24, 'h'],
    [minutes % 60, 'min'],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`);
  return said.length === 0 ? 'less than a minute' : said.join(' ');
}
