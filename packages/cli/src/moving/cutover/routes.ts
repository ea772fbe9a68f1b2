import { mapConcurrent } from '../../map-concurrent.ts';
import { routingRuleName } from '../findings/routing.ts';
import { objectIn, objectsIn, textIn } from '../json.ts';
import { CONCURRENT_REQUESTS, unlessDeleted } from '../kinds.ts';
import type { OpsgenieClient } from '../opsgenie-client.ts';
import type { ComparedAlert } from '../shadow/compared-file.ts';
import { KeptFile } from '../shadow/kept-file.ts';

/** A routing rule of Tocsin that notifies a recipient. */
export interface Route {
  readonly ruleId: string;
  /** As it stands in a sentence. */
  readonly name: string;
}

/** How many alerts were compared, and which routing rules took one of them. */
export interface Coverage {
  readonly compared: number;
  readonly routes: readonly Route[];
  readonly taken: ReadonlySet<string>;
}

/** The routing rules that took an alert. */
interface AlertRoutes {
  /** The id of the alert in Opsgenie. */
  readonly id: string;
  readonly ruleIds: readonly string[];
}

/** The routing rules of alerts that change no more, so that none is asked for again. */
export class RoutesFile extends KeptFile<AlertRoutes> {
  /** @throws as KeptFile. */
  constructor(folder: string) {
    super(folder, 'routes.jsonl');
  }
}

/** The routing rules of all teams that notify a recipient. @throws ApiReadError */
export async function routesOf(tocsin: OpsgenieClient): Promise<readonly Route[]> {
  const teams = await tocsin.list('/v2/teams');
  const rules = await mapConcurrent(CONCURRENT_REQUESTS, teams, async (team) => {
    const id = textIn(team, 'id') ?? '';
    const asked = { teamIdentifierType: 'id' };
    const ofTeam = await tocsin.list(`/v2/teams/${encodeURIComponent(id)}/routing-rules`, asked);
    return ofTeam
      .filter((rule) => (textIn(objectIn(rule, 'notify'), 'type') ?? 'none') !== 'none')
      .map((rule) => ({
        ruleId: textIn(rule, 'id') ?? '',
        name: `${routingRuleName(rule)} of team [${textIn(team, 'name') ?? id}]`,
      }));
  });
  return rules.flat();
}

/** A compared alert, and whether it can change no more. */
export interface Compared extends Pick<ComparedAlert, 'id' | 'tocsinId'> {
  readonly isFinal: boolean;
}

/** The ids of the routing rules that took one of the alerts, by the logs of Tocsin. What changes no more is kept. @throws ApiReadError */
export async function takenBy(
  tocsin: OpsgenieClient,
  alerts: readonly Compared[],
  kept: Pick<RoutesFile, 'has' | 'append' | 'all'>,
): Promise<ReadonlySet<string>> {
  const taken = new Set<string>();
  const left = alerts.filter(({ id }) => !kept.has(id));
  await mapConcurrent(CONCURRENT_REQUESTS, left, async ({ id, isFinal, tocsinId }) => {
    const ruleIds = await ruleIdsOf(tocsin, tocsinId ?? id);
    if (isFinal) kept.append({ id, ruleIds });
    for (const ruleId of ruleIds) taken.add(ruleId);
  });
  for (const { ruleIds } of kept.all()) for (const ruleId of ruleIds) taken.add(ruleId);
  return taken;
}

async function ruleIdsOf(tocsin: OpsgenieClient, id: string): Promise<readonly string[]> {
  const path = `/v2/alerts/${encodeURIComponent(id)}/explanation`;
  const explained = await unlessDeleted(() => tocsin.object(path, { identifierType: 'id' }));
  const steps = objectsIn(explained, 'steps').filter(
    (step) => textIn(step, 'subject') === 'routing-rule' && textIn(step, 'outcome') === 'matched',
  );
  return steps.flatMap((step) => textIn(objectIn(step, 'facts'), 'ruleId') ?? []);
}
