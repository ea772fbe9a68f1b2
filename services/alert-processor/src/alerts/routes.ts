import { AlertIdentifierQuery, CountAlertsQuery, ListAlertsQuery, type AnswerOf, type ItemOf } from '@tocsin/api';
import { CommandTrial, formatInstant } from '@tocsin/events';
import {
  type Admission,
  defineInternalRoute,
  defineRoute,
  type InternalRoute,
  pageUrls,
  type Route,
  boundTeam,
  type KeyPrincipal,
} from '@tocsin/http';
import type { Recipient } from '../alert-log/recipients.ts';
import { type Alert, type AlertReport, teamsSeeing } from './alert.ts';
import type { ReadAlerts } from './operations.ts';
import type { CommandTrials } from './trial-operations.ts';

/** Part 1, 4.1: one alert, its recipients, the list of alerts and their count. */
export function alertRoutes(alerts: ReadAlerts, searches: Admission): readonly Route[] {
  return [
    defineRoute({
      operation: 'get-alert',
      query: AlertIdentifierQuery,
      handle: async ({ params, query, principal }) => {
        const identifier = { type: query.identifierType, value: params['identifier'] ?? '' };
        return { body: { data: alertJson(await alerts.get(identifier, principal)) } };
      },
    }),
    defineRoute({
      operation: 'list-alert-recipients',
      query: AlertIdentifierQuery,
      handle: async ({ params, query, principal }) => {
        const identifier = { type: query.identifierType, value: params['identifier'] ?? '' };
        const recipients = await alerts.recipients(identifier, principal);
        return { body: { data: recipients.values().map(recipientJson) } };
      },
    }),
    defineRoute({
      operation: 'list-alerts',
      pool: searches,
      query: ListAlertsQuery,
      handle: async ({ query, principal, publicUrl }) => {
        const page = await alerts.list(query, boundTeam(principal));
        const { offset, limit, ...asked } = query;
        const paging = pageUrls({
          publicUrl,
          path: '/v2/alerts',
          query: asked.searchIdentifier === undefined ? { ...asked, searchIdentifierType: undefined } : asked,
          offset,
          limit,
          total: page.total,
        });
        return { body: { data: page.alerts.values().map(alertItem), paging } };
      },
    }),
    defineRoute({
      operation: 'count-alerts',
      pool: searches,
      query: CountAlertsQuery,
      handle: async ({ query, principal }) => ({
        body: { data: { count: await alerts.count(query, boundTeam(principal)) } },
      }),
    }),
  ];
}

/** The notifier reads every alert, and changes none. */
const NOTIFIER: KeyPrincipal = {
  kind: 'key',
  integrationId: 'notifier',
  integrationName: 'notifier',
  integrationType: 'System',
  teamId: undefined,
  mayRead: true,
  mayWrite: false,
  mayConfigure: false,
};

/** The alert for the page of an acknowledge link, and for the check whether an answer to a message changes anything (U9). */
export const internalAlertRoute = (alerts: Pick<ReadAlerts, 'get'>): InternalRoute =>
  defineInternalRoute({
    method: 'GET',
    path: '/internal/alerts/:alertId',
    handle: async ({ params }) => {
      const alert = await alerts.get({ type: 'id', value: params['alertId'] ?? '' }, NOTIFIER);
      const { acknowledged, message, snoozed, status } = alert;
      return { body: { data: { message, status, acknowledged, snoozed, teamIds: teamsSeeing(alert) } } };
    },
  });

/** What the commands of a trial would come to (Q5). Its policies are evaluated, so it takes part in the `pool` of evaluations. */
export const commandTrialRoute = (trials: CommandTrials, pool: Admission): InternalRoute =>
  defineInternalRoute({
    method: 'POST',
    path: '/internal/command-trials',
    body: CommandTrial,
    handle: async ({ body }) => ({ body: { data: await pool.run(body.holder, () => trials.try(body)) } }),
  });

type AlertItem = Omit<AlertView, 'actions' | 'entity' | 'description' | 'details'>;
type AlertView = AnswerOf<'get-alert'>['data'];

/** An alert as an item of a list (part 1, 2.2; wire facts 4.1), with empty values but without absent dates. */
function alertItem(alert: Alert): AlertItem {
  const { id, alias, message, status, acknowledged, seen, tags, snoozed, count } = alert;
  const { source, owner, priority, responders, integration, report } = alert;
  return {
    id,
    tinyId: String(alert.tinyId),
    alias,
    message,
    status,
    acknowledged,
    isSeen: seen,
    seen,
    tags,
    snoozed,
    count,
    ...(alert.snoozedUntil !== undefined && { snoozedUntil: formatInstant(alert.snoozedUntil) }),
    lastOccurredAt: formatInstant(alert.lastOccurredAt),
    createdAt: formatInstant(alert.createdAt),
    updatedAt: formatInstant(alert.updatedAt),
    source,
    owner,
    ownerTeamId: alert.ownerTeamId ?? '',
    priority,
    teams: responders.filter(({ type }) => type === 'team').map((team) => ({ id: team.id })),
    responders: responders.map(({ type, id: responderId }) => ({ type, id: responderId })),
    integration: { id: integration.id, name: integration.name, type: integration.type },
    ...(report !== undefined && { report: reportJson(report) }),
  };
}

/** A single alert: the list item plus the fields that lists leave out. */
function alertJson(alert: Alert): AlertView {
  const { actions, entity, description, details } = alert;
  return { ...alertItem(alert), actions, entity, description, details };
}

function reportJson({ ackTimeMs, closeTimeMs, acknowledgedBy, closedBy }: AlertReport) {
  return {
    ...(ackTimeMs !== undefined && { ackTime: ackTimeMs }),
    ...(closeTimeMs !== undefined && { closeTime: closeTimeMs }),
    ...(acknowledgedBy !== undefined && { acknowledgedBy }),
    ...(closedBy !== undefined && { closedBy }),
  };
}

type RecipientView = ItemOf<AnswerOf<'list-alert-recipients'>['data']>;

/** Wire facts, section 4. */
function recipientJson({ userId: id, username, state, method, createdAt, updatedAt }: Recipient): RecipientView {
  const times = { createdAt: formatInstant(createdAt), updatedAt: formatInstant(updatedAt) };
  return { user: { id, username }, state, method, ...times };
}
