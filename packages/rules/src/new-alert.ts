import type { CreateAlertBody } from '@tocsin/api';
import { ALERT_LIMITS, type NewAlert, type ResponderReference } from '@tocsin/events';
import { InvalidError } from '@tocsin/core';
import { fitting, once, type AlertLists } from './fitting.ts';

export interface AlertOrigin {
  readonly alertId: string;
  /** The team of the key. Its alerts go to that team, whatever the body names (K4; part 1, section 5). */
  readonly ownerTeamId: string | undefined;
  /** Whether values over a limit are cut instead of refused (E8). */
  readonly cutExcess: boolean;
}

/**
 * The alert that `body` asks for: the alias defaults to the id, the priority to P3 (A1, A3), and responders are the union
 * of `responders` and `teams`, each once (A10).
 *
 * @throws InvalidError when that union is over the limit and nothing is to be cut.
 */
export function newAlert(body: CreateAlertBody, { alertId, ownerTeamId, cutExcess }: AlertOrigin): NewAlert {
  const asked: AlertLists = {
    responders: respondersOf(body, ownerTeamId),
    visibleTo: once(body.visibleTo),
    actions: [...body.actions],
    tags: [...body.tags],
    details: { ...body.details },
  };
  return {
    alertId,
    alias: body.alias ?? alertId,
    message: body.message,
    description: body.description ?? '',
    ...(cutExcess ? fitting(asked) : withinLimit(asked)),
    entity: body.entity ?? '',
    priority: body.priority ?? 'P3',
  };
}

/** Each field is within its limit, because the body was validated. The union of two fields may not be. */
function withinLimit(lists: AlertLists): AlertLists {
  if (lists.responders.length <= ALERT_LIMITS.responders) return lists;
  throw InvalidError.ofFields({
    responders: `should have at most ${ALERT_LIMITS.responders} items, teams among them`,
  });
}

function respondersOf(body: CreateAlertBody, ownerTeamId: string | undefined): ResponderReference[] {
  if (ownerTeamId !== undefined) return [{ type: 'team', id: ownerTeamId }];
  return once([...body.responders, ...body.teams]);
}
