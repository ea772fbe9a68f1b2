import { ALERT_LIMITS, type NewAlert, type ResponderReference } from '@tocsin/events';
import { clipped, fittingDetails, fittingWords, type Fit } from './excess.ts';

/** The fields of a new alert that can be over a limit. */
export type AlertLists = Pick<NewAlert, 'responders' | 'visibleTo' | 'actions' | 'tags' | 'details'>;

/** Cuts `asked` to the limits, with a sentence for each part that was cut (E8). */
export function fitting({
  responders,
  visibleTo,
  actions,
  tags,
  details,
}: AlertLists): AlertLists & Pick<NewAlert, 'remarks'> {
  const fits = {
    responders: clipped('responders', responders, ALERT_LIMITS.responders),
    visibleTo: clipped('visibleTo', visibleTo, ALERT_LIMITS.visibleTo),
    actions: fittingWords('actions', actions, ALERT_LIMITS.actions, ALERT_LIMITS.actionLength),
    tags: fittingWords('tags', tags, ALERT_LIMITS.tags, ALERT_LIMITS.tagLength),
    details: fittingDetails(details, ALERT_LIMITS.details),
  };
  const remarks = Object.values<Fit<unknown>>(fits).flatMap((fit) => fit.cut);
  return {
    responders: fits.responders.kept,
    visibleTo: fits.visibleTo.kept,
    actions: fits.actions.kept,
    tags: fits.tags.kept,
    details: fits.details.kept,
    ...(remarks.length > 0 && { remarks }),
  };
}

/** Each reference once, at its first place. The id counts before the name. */
export function once(references: readonly ResponderReference[]): ResponderReference[] {
  if (references.length < 2) return [...references];
  const firsts = new Map<string, ResponderReference>();
  for (const item of references) {
    const name = item.id === undefined ? `${item.type}/${item.name ?? ''}` : `${item.type}:${item.id}`;
    if (!firsts.has(name)) firsts.set(name, item);
  }
  return [...firsts.values()];
}
