/** Times as one person reads them: in one zone, which is named where the time stands alone. */
export class Moments {
  readonly zone: string;
  readonly #parts: Intl.DateTimeFormat;
  readonly #offset: Intl.DateTimeFormat;

  constructor(zone: string) {
    this.zone = zone;
    const numbers = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
    this.#parts = new Intl.DateTimeFormat('en', { ...numbers, hourCycle: 'h23', timeZone: zone });
    this.#offset = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset', timeZone: zone });
  }

  /** `2026-03-02 01:00`, for columns whose heading names the zone. */
  short(instant: string | number): string {
    const parts = new Map(this.#parts.formatToParts(new Date(instant)).map(({ type, value }) => [type, value]));
    const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
    return `${of('year')}-${of('month')}-${of('day')} ${of('hour')}:${of('minute')}`;
  }

  /** `2026-03-02 01:00:07`, for what happens within a minute. */
  exact(instant: string | number): string {
    const seconds = new Date(instant).getUTCSeconds();
    return `${this.short(instant)}:${String(seconds).padStart(2, '0')}`;
  }

  /** `2026-03-02 01:00 GMT+1`; in UTC `2026-03-02 00:00 UTC`. */
  long(instant: string | number): string {
    const offset = this.#offset.formatToParts(new Date(instant)).find(({ type }) => type === 'timeZoneName')?.value;
    return `${this.short(instant)} ${this.zone === 'UTC' || offset === undefined ? 'UTC' : offset}`;
  }
}

/** The zone of the machine. Where `TZ` names none that is known, as `TZ=` and `TZ=XYZ-5`, Node itself reckons with a fixed offset. */
export function machineZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions() as { readonly timeZone?: string };
  if (timeZone !== undefined && timeZone !== 'Etc/Unknown') return timeZone;
  const minutes = -new Date().getTimezoneOffset();
  const digits = (count: number) => String(count).padStart(2, '0');
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return minutes === 0 ? 'UTC' : `${minutes < 0 ? '-' : '+'}${digits(hours)}:${digits(rest)}`;
}
