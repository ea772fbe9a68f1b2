import { type Layer, type Span, spanOf } from '../../timeline.ts';
import { ApiReadError } from '../answer.ts';
import { type Json, objectIn, objectsIn, textIn } from '../json.ts';
import type { OpsgenieClient } from '../opsgenie-client.ts';
import { type ReadTimeline, timelineIn } from '../timeline.ts';

/** The longest timeline that is asked for at once. */
const WINDOW_MONTHS = 6;
/** A range of 13 months has three windows; one that does not go on would be asked for without end. */
const MAX_WINDOWS = 40;

/** A schedule of a side, with its rotations as the side defines them. */
export interface ParitySchedule {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly zone: string;
  readonly rotations: readonly Json[];
}

/** Who is on call in a schedule over a range, and where overrides and forwarding changed it. */
export type OnCallPlan = Pick<ReadTimeline, 'final' | 'overrides' | 'forwarding'>;

/** Both sides answer the same API. */
export class ParitySide {
  readonly #client: Pick<OpsgenieClient, 'list' | 'object' | 'url'>;

  constructor(client: Pick<OpsgenieClient, 'list' | 'object' | 'url'>) {
    this.#client = client;
  }

  get url(): string {
    return this.#client.url;
  }

  /** @throws ApiReadError */
  async schedules(): Promise<readonly ParitySchedule[]> {
    const items = await this.#client.list('/v2/schedules', { expand: 'rotation' });
    return items.map((item) => ({
      id: this.#textIn(item, 'id'),
      name: this.#textIn(item, 'name'),
      enabled: item['enabled'] !== false,
      zone: this.#textIn(item, 'timezone'),
      rotations: objectsIn(item, 'rotations'),
    }));
  }

  /** The plan of a schedule over a range. @throws ApiReadError, also where the answers do not cover the range. */
  async plan(id: string, range: Span): Promise<OnCallPlan> {
    const windows: ReadTimeline[] = [];
    let from = range.from;
    while (from < range.until) {
      const window = await this.#window(id, from);
      // A window begins at midnight of the day in a zone of the side, so it may begin before its predecessor ends.
      if (!(window.from <= from && window.until > from) || windows.length >= MAX_WINDOWS)
        throw this.#unusable(`the timeline of ${new Date(from).toISOString()} with another range`);
      windows.push({ ...window, from });
      from = window.until;
    }
    const layer = (name: keyof OnCallPlan): Layer => ({
      rotations: windows.flatMap((window) => within(window[name], window).rotations),
    });
    return { final: layer('final'), overrides: layer('overrides'), forwarding: layer('forwarding') };
  }

  /** The names of the users on call at an instant, sorted, by the id of the schedule. @throws ApiReadError */
  async onCalls(at: number): Promise<ReadonlyMap<string, readonly string[]>> {
    const query = { flat: 'true', date: new Date(at).toISOString() };
    const all = await this.#client.list('/v2/schedules/on-calls', query);
    return new Map(all.map((each) => [this.#textIn(objectIn(each, '_parent'), 'id'), this.#namesIn(each)]));
  }

  async #window(id: string, from: number): Promise<ReadTimeline> {
    const data = await this.#client.object(`/v2/schedules/${encodeURIComponent(id)}/timeline`, {
      ...{ identifierType: 'id', expand: 'override,forwarding' },
      ...{ interval: WINDOW_MONTHS, intervalUnit: 'months', date: new Date(from).toISOString() },
    });
    const timeline = timelineIn(data);
    if (timeline === undefined) throw this.#unusable('a timeline that cannot be read');
    return timeline;
  }

  #namesIn(onCall: Json): readonly string[] {
    const names: unknown = onCall['onCallRecipients'] === null ? [] : onCall['onCallRecipients'];
    if (!Array.isArray(names) || !names.every((name) => typeof name === 'string'))
      throw this.#unusable('a schedule without the names of the users on call');
    return [...new Set(names.map((name) => name.toLowerCase()))].toSorted();
  }

  #textIn(item: Json | undefined, name: string): string {
    const text = textIn(item, name);
    if (text === undefined) throw this.#unusable(`a schedule without ${name}`);
    return text;
  }

  #unusable(what: string): ApiReadError {
    return new ApiReadError('answer', `${this.url} answered ${what}.`);
  }
}

/** The parts of the periods of a layer that lie in a range. */
const within = ({ rotations }: Layer, range: Span): Layer => ({
  rotations: rotations.map((rotation) => ({
    ...rotation,
    periods: rotation.periods.flatMap((period) => {
      const { from, until } = spanOf(period);
      const [start, end] = [Math.max(from, range.from), Math.min(until, range.until)];
      return start < end
        ? [{ ...period, startDate: new Date(start).toISOString(), endDate: new Date(end).toISOString() }]
        : [];
    }),
  })),
});
