import { ALERT_LIMITS, type CreateAlertBody, type NewAlert, type ResponderReference } from '@tocsin/contracts';
import { InvalidError } from '@tocsin/errors';
import { clipped, fittingDetails, fittingWords, type Fit } from './excess.ts';

export interface AlertOrigin {
  readonly alertId: string;
  /** The team that owns the key: its alerts go to that team, whoever the body names (K4; part 1, section 5). */
  readonly ownerTeamId: string | undefined;
  /** Whether what is over a limit is cut instead of refused (E8). */
  readonly cutExcess: boolean;
}

/**
 * The alert that `body` asks for: the alias defaults to the id, the priority to P3 (A1, A3), and responders are the union
 * of `responders` and `teams`, each once (A10).
 *
 * @throws InvalidError when that union is over the limit and nothing is to be cut.
 */
export function newAlert(body: CreateAlertBody, { alertId, ownerTeamId, cutExcess }: AlertOrigin): NewAlert {
  const responders = respondersOf(body, ownerTeamId);
  if (!cutExcess) refuseExcess(responders);
  const lists = {
    responders: clipped('responders', responders, ALERT_LIMITS.responders),
    visibleTo: clipped('visibleTo', once(body.visibleTo), ALERT_LIMITS.visibleTo),
    actions: fittingWords('actions', body.actions, ALERT_LIMITS.actions, ALERT_LIMITS.actionLength),
    tags: fittingWords('tags', body.tags, ALERT_LIMITS.tags, ALERT_LIMITS.tagLength),
    details: fittingDetails(body.details ?? {}, ALERT_LIMITS.details),
  };
  const cut = Object.values<Fit<unknown>>(lists).flatMap((fit) => fit.cut);
  return {
    alertId,
    alias: body.alias ?? alertId,
    message: body.message,
    description: body.description ?? '',
    responders: lists.responders.kept,
    visibleTo: lists.visibleTo.kept,
    actions: lists.actions.kept,
    tags: lists.tags.kept,
    details: lists.details.kept,
    entity: body.entity ?? '',
    priority: body.priority ?? 'P3',
    ...(cut.length > 0 && { cut }),
  };
}

function respondersOf(body: CreateAlertBody, ownerTeamId: string | undefined): ResponderReference[] {
  if (ownerTeamId !== undefined) return [{ type: 'team', id: ownerTeamId }];
  return once([...body.responders, ...body.teams]);
}

function refuseExcess(responders: readonly ResponderReference[]): void {
  if (responders.length <= ALERT_LIMITS.responders) return;
  throw InvalidError.ofFields({
    responders: `should have at most ${ALERT_LIMITS.responders} items, teams among them`,
  });
}

/** Each reference once, where it was named first. */
function once(references: readonly ResponderReference[]): ResponderReference[] {
  if (references.length < 2) return [...references];
  const firsts = new Map<string, ResponderReference>();
  for (const item of references) {
    const name = `${item.type} ${item.id ?? ''} ${item.name ?? ''}`;
    if (!firsts.has(name)) firsts.set(name, item);
  }
  return [...firsts.values()];
}
