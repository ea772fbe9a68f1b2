import { type Json, objectIn, objectsIn, textIn } from '../json.ts';

/** A write to an alert of Tocsin. */
export interface AlertWrite {
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly body: Json;
}

/** The source of all writes, which the log of the alert shows. */
const SOURCE = 'Opsgenie';
/** A snooze lasts at most seven days. */
const MAX_SNOOZE_MS = 7 * 86_400_000;
/** A snooze that ends sooner is over before it is processed. */
const MIN_SNOOZE_MS = 1_000;

/** The alias in Tocsin of an alert of Opsgenie: its id there, so that each alert has one, whatever their aliases are. */
export const aliasOf = (theirs: Json): string => textIn(theirs, 'id') ?? '';

/**
 * The create of an alert as Opsgenie shows it. Where it names no responder, that is the team that owns it. `idOf` gives the id in Tocsin of
 * a user, team, schedule or escalation of Opsgenie.
 */
export function createOf(theirs: Json, idOf: (id: string) => string): AlertWrite {
  const responders = objectsIn(theirs, 'responders').flatMap((responder) => {
    const id = textIn(responder, 'id');
    return id === undefined ? [] : [{ id: idOf(id), type: responder['type'] }];
  });
  const team = textIn(theirs, 'ownerTeamId');
  const owner = team === undefined ? [] : [{ type: 'team', id: idOf(team) }];
  const { actions, description, details, entity, message, priority, tags } = theirs;
  const body = {
    ...{ message, alias: aliasOf(theirs), description, tags, details, entity, priority, actions },
    ...{ source: textIn(theirs, 'source'), responders: responders.length > 0 ? responders : owner },
  };
  return { method: 'POST', path: '/v2/alerts', body };
}

/** What an alert that {@link createOf} made shows at first. */
export const asCreated = ({ priority }: Json): Json => ({
  ...{ status: 'open', acknowledged: false, snoozed: false, priority },
});

/** The writes that make our alert like that of Opsgenie, in their order; none where it is. One that we have closed stays closed. */
export function writesFor(theirs: Json, ours: Json, now: Date): readonly AlertWrite[] {
  if (ours['status'] === 'closed') return [];
  const write = (action: string, body: Json = {}, method: AlertWrite['method'] = 'POST'): AlertWrite => ({
    ...{ method, path: `/v2/alerts/${encodeURIComponent(aliasOf(theirs))}/${action}?identifierType=alias` },
    body: { source: SOURCE, ...body },
  });
  const isClosed = theirs['status'] === 'closed';
  const priority = theirs['priority'];
  const endTime = isClosed || ours['snoozed'] === true ? undefined : snoozedUntil(theirs, now);
  return [
    ...(priority === ours['priority'] ? [] : [write('priority', { priority }, 'PUT')]),
    ...acknowledgement(theirs, ours).map(({ action, user }) => write(action, { user })),
    ...(isClosed ? [write('close', { user: reported(theirs, 'closedBy') })] : []),
    ...(endTime === undefined ? [] : [write('snooze', { endTime })]),
  ];
}

/** A close ends an acknowledgement that was taken back as well. */
function acknowledgement(
  theirs: Json,
  ours: Json,
): readonly { readonly action: string; readonly user?: string | undefined }[] {
  const [is, was] = [theirs['acknowledged'] === true, ours['acknowledged'] === true];
  if (is && !was)
    return [{ action: 'acknowledge', user: reported(theirs, 'acknowledgedBy') ?? textIn(theirs, 'owner') }];
  return was && !is && theirs['status'] !== 'closed' ? [{ action: 'unacknowledge' }] : [];
}

const reported = (theirs: Json, field: string): string | undefined => textIn(objectIn(theirs, 'report'), field);

function snoozedUntil(theirs: Json, now: Date): string | undefined {
  const endMs = theirs['snoozed'] === true ? Date.parse(textIn(theirs, 'snoozedUntil') ?? '') : NaN;
  if (!(endMs > now.getTime() + MIN_SNOOZE_MS)) return undefined;
  return new Date(Math.min(endMs, now.getTime() + MAX_SNOOZE_MS - MIN_SNOOZE_MS)).toISOString();
}
