import { serverNow } from '../api/server-clock.ts';
import { instantsOf, wallOf, type WallTime } from './zone.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${name} ${options.timeZone ?? ''}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat(undefined, options);
  formats.set(key, made);
  return made;
}

const DATE = { weekday: 'short', day: 'numeric', month: 'short' } as const;
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/**
 * Day and time in a zone, such as `Sun 29 Mar, 03:00`; with the year where `now` is in another one, and of a time that the clocks show
 * twice with its offset.
 */
export function timeText(at: number, zone: string, now = serverNow()): string {
  const wall = wallOf(at, zone);
  const isThisYear = yearOf(wall) === yearOf(wallOf(now, zone));
  const text = isThisYear
    ? formatOf('time', { ...DATE, ...CLOCK, timeZone: zone }).format(at)
    : formatOf('time of a year', { ...DATE, year: 'numeric', ...CLOCK, timeZone: zone }).format(at);
  return instantsOf(wall, zone).length > 1 ? `${text} (${offsetText(at, zone)})` : text;
}

const yearOf = (wall: WallTime): number => new Date(wall).getUTCFullYear();

/** The offset of a zone at an instant, such as `GMT+2`. */
function offsetText(at: number, zone: string): string {
  const parts = formatOf('offset', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** The day in a zone, such as `Sun 29 Mar`. */
export const dayText = (at: number, zone: string): string => formatOf('day', { ...DATE, timeZone: zone }).format(at);

/** Without its month, such as `Sun 29`. */
export const shortDayText = (at: number, zone: string): string =>
  formatOf('short day', { weekday: 'short', day: 'numeric', timeZone: zone }).format(at);

/** The time of the day in a zone, such as `03:00`. */
export const clockText = (at: number, zone: string): string =>
  formatOf('clock', { ...CLOCK, timeZone: zone }).format(at);

/** The hour in a zone, such as `03`. */
export const hourText = (at: number, zone: string): string => clockText(at, zone).slice(0, 2);

/** The zone of this device. */
export const localZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;
