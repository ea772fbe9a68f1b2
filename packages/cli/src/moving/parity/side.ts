import type { Layer, Span, Timeline } from '../../timeline.ts';
import { OldSideError } from '../answer.ts';
import { isJson, type Json, objectIn, objectsIn, textIn } from '../json.ts';
import type { OpsgenieClient } from '../opsgenie-client.ts';

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
export interface OnCallPlan {
  readonly final: Layer;
  readonly overrides: Layer;
  readonly forwarding: Layer;
}

/** Both sides answer the same API. */
export class ParitySide {
  readonly #client: Pick<OpsgenieClient, 'list' | 'object' | 'url'>;

  constructor(client: Pick<OpsgenieClient, 'list' | 'object' | 'url'>) {
    this.#client = client;
  }

  get url(): string {
    return this.#client.url;
  }

  /** @throws OldSideError */
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

  /** The plan of a schedule over a range. @throws OldSideError, also where the answers do not cover the range. */
  async plan(id: string, range: Span): Promise<OnCallPlan> {
    const windows: Timeline[] = [];
    let from = range.from;
    while (from < range.until) {
      const window = await this.#window(id, from);
      const [start, end] = [Date.parse(window.startDate), Date.parse(window.endDate)];
      // A window begins at midnight of the day, so it may begin earlier than asked for.
      if (!(start <= from && end > from) || windows.length >= MAX_WINDOWS)
        throw this.#unusable(`the timeline of ${new Date(from).toISOString()} with another range`);
      windows.push(window);
      from = end;
    }
    const layer = (name: 'finalTimeline' | 'overrideTimeline' | 'forwardingTimeline'): Layer => ({
      rotations: windows.flatMap((window) => window[name]?.rotations ?? []),
    });
    return {
      final: layer('finalTimeline'),
      overrides: layer('overrideTimeline'),
      forwarding: layer('forwardingTimeline'),
    };
  }

  /** The names of the users on call at an instant, sorted, by the id of the schedule. @throws OldSideError */
  async onCalls(at: number): Promise<ReadonlyMap<string, readonly string[]>> {
    const query = { flat: 'true', date: new Date(at).toISOString() };
    const all = await this.#client.list('/v2/schedules/on-calls', query);
    return new Map(all.map((each) => [this.#textIn(objectIn(each, '_parent'), 'id'), namesIn(each)]));
  }

  async #window(id: string, from: number): Promise<Timeline> {
    const data = await this.#client.object(`/v2/schedules/${encodeURIComponent(id)}/timeline`, {
      ...{ identifierType: 'id', expand: 'override,forwarding' },
      ...{ interval: WINDOW_MONTHS, intervalUnit: 'months', date: new Date(from).toISOString() },
    });
    if (isTimeline(data)) return data;
    throw this.#unusable('a timeline that cannot be read');
  }

  #textIn(item: Json | undefined, name: string): string {
    const text = textIn(item, name);
    if (text === undefined) throw this.#unusable(`a schedule without ${name}`);
    return text;
  }

  #unusable(what: string): OldSideError {
    return new OldSideError('answer', `${this.url} answered ${what}.`);
  }
}

const namesIn = (onCall: Json): readonly string[] => {
  const names = onCall['onCallRecipients'];
  const known = Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  return [...new Set(known.map((name) => name.toLowerCase()))].toSorted();
};

function isTimeline(data: unknown): data is Timeline {
  if (!isJson(data)) return false;
  const layers = ['finalTimeline', 'overrideTimeline', 'forwardingTimeline'].map((name) => data[name]);
  return (
    isInstant(data['startDate']) && isInstant(data['endDate']) && isJson(data['finalTimeline']) && layers.every(isLayer)
  );
}

/** Layers that were not asked for are missing. */
const isLayer = (layer: unknown): boolean =>
  (layer ?? undefined) === undefined ||
  objectsIn(layer, 'rotations').every((rotation) => objectsIn(rotation, 'periods').every(isPeriod));

const isPeriod = (period: Json): boolean =>
  isInstant(period['startDate']) && isInstant(period['endDate']) && textIn(period['recipient'], 'type') !== undefined;

const isInstant = (value: unknown): boolean => typeof value === 'string' && !Number.isNaN(Date.parse(value));
