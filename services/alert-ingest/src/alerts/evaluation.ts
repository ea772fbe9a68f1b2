import { ACTION_GROUPS, type CreateAlertBody, type IntegrationActionsBody } from '@tocsin/api';
import { newAlert } from '@tocsin/rules';
import { evaluate, type Evaluated } from './evaluate.ts';
import { actionOf, arranged, type ActionGroups, type IntegrationAction } from '../integrations/action.ts';
import { NO_CONTENT } from '../integrations/content.ts';
import type { ResponderNames, Rules, SentAlert } from './sent-alert.ts';

const NO_NAMES: ResponderNames = { nameOf: () => undefined, idOf: () => undefined, everyone: () => [] };

/** The result of the actions for `body`, without recipients, computed in each call. `npm run bench -- actions` measures it. */
export function evaluation(actions: IntegrationActionsBody, body: CreateAlertBody): () => Evaluated {
  const made = ACTION_GROUPS.map((group): [string, IntegrationAction[]] => [
    group,
    actions[group].map((action, index) => actionOf(action, [], index)),
  ]);
  const rules: Rules = {
    name: 'Bench',
    actions: arranged(Object.fromEntries(made) as unknown as ActionGroups),
    content: NO_CONTENT,
    recipients: [],
    ignoreRecipients: false,
    ignoreTeams: false,
    ignoreResponders: false,
    suppressNotifications: false,
  };
  const sent: SentAlert = {
    alert: newAlert(body, { alertId: 'bench', ownerTeamId: undefined, cutExcess: false }),
    alias: body.alias ?? '',
    source: body.source ?? '',
    user: body.user ?? '',
    note: body.note ?? '',
    prioritized: body.priority !== undefined,
    teamKey: false,
  };
  return () => evaluate(rules, sent, NO_NAMES);
}
