import type { Layer, Period, Span } from '../timeline.ts';
import { isJson, type Json, textIn } from './json.ts';

/** A timeline of the API: its range, who is on call, and where overrides and forwarding changed that. */
export interface ReadTimeline extends Span {
  readonly final: Layer;
  readonly overrides: Layer;
  readonly forwarding: Layer;
}

const NO_PERIODS: Layer = { rotations: [] };

/**
 * The timeline in `data`. Lists may be null, rotations may have no periods, and layers that were not asked for are missing.
 *
 * @returns undefined where a part is not of the documented form: no part is left out.
 */
export function timelineIn(data: Json | undefined): ReadTimeline | undefined {
  const [from, until] = [instantIn(data, 'startDate'), instantIn(data, 'endDate')];
  const final = layerIn(data?.['finalTimeline']);
  const [overrides, forwarding] = ['overrideTimeline', 'forwardingTimeline'].map((name) => {
    const layer = data?.[name] ?? undefined;
    return layer === undefined ? NO_PERIODS : layerIn(layer);
  });
  const isWhole = !Number.isNaN(from) && !Number.isNaN(until);
  if (!isWhole || final === undefined || overrides === undefined || forwarding === undefined) return undefined;
  return { from, until, final, overrides, forwarding };
}

const instantIn = (item: unknown, name: string): number => Date.parse(textIn(item, name) ?? '');

function layerIn(layer: unknown): Layer | undefined {
  const rotations = isJson(layer) && 'rotations' in layer ? objectsOrNull(layer['rotations']) : undefined;
  const read = rotations?.map((rotation) => ({
    name: textIn(rotation, 'name') ?? '',
    periods: objectsOrNull(rotation['periods'] ?? null),
  }));
  const isWhole = read?.every(({ periods }) => periods?.every(isPeriod) ?? false) ?? false;
  return isWhole ? { rotations: read as unknown as Layer['rotations'] } : undefined;
}

/** Undefined for what is neither a list of objects nor null. */
function objectsOrNull(value: unknown): readonly Json[] | undefined {
  if (value === null) return [];
  return Array.isArray(value) && value.every(isJson) ? value : undefined;
}

const isPeriod = (period: Json): period is Json & Period =>
  !Number.isNaN(instantIn(period, 'startDate')) &&
  !Number.isNaN(instantIn(period, 'endDate')) &&
  textIn(period['recipient'], 'type') !== undefined;
