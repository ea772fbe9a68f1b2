import { type AnswerOf, CreateEscalationBody, IdentifierQuery, minutesView, UpdateEscalationBody } from '@tocsin/api';
import type { EscalationRepeat } from '@tocsin/events';
import { defineRoute, importedAs, importRoute, type Route } from '@tocsin/http';
import { identifierOf } from '../configuration/reference-operations.ts';
import type { Snapshots } from '../configuration/snapshot-operations.ts';
import type { Snapshot } from '../configuration/snapshot.ts';
import { mentionView, ownerView } from '../configuration/views.ts';
import type { Escalation } from './escalation.ts';
import type { Escalations } from './operations.ts';

const idAndName = ({ id, name }: Escalation) => ({ id, name });

/** Part 2, 4.6a, and the escalations of one user (part 3, 4.1). */
export function escalationRoutes(escalations: Escalations, snapshots: Snapshots): readonly Route[] {
  return [
    defineRoute({
      operation: 'create-escalation',
      body: CreateEscalationBody,
      handle: async ({ body, principal }) => {
        const created = await escalations.create(body, principal);
        return { status: 201, body: { result: 'Created', data: idAndName(created) } };
      },
    }),
    defineRoute({
      operation: 'get-escalation',
      query: IdentifierQuery,
      handle: async ({ params, query, principal }) => {
        const escalation = await escalations.get(identifierOf(params['identifier'], query), principal);
        return { body: { data: escalationView(escalation, await snapshots.withNamesIn([escalation])) } };
      },
    }),
    defineRoute({
      operation: 'list-escalations',
      handle: async ({ principal }) => listAnswer(await escalations.list(principal), snapshots),
    }),
    defineRoute({
      operation: 'list-user-escalations',
      handle: async ({ params, principal }) =>
        listAnswer(await escalations.ofUser(params['identifier'] ?? '', principal), snapshots),
    }),
    defineRoute({
      operation: 'update-escalation',
      query: IdentifierQuery,
      body: UpdateEscalationBody,
      handle: async ({ params, query, body, principal }) => {
        const updated = await escalations.update(identifierOf(params['identifier'], query), body, principal);
        return { body: { result: 'Updated', data: idAndName(updated) } };
      },
    }),
    defineRoute({
      operation: 'delete-escalation',
      query: IdentifierQuery,
      handle: async ({ params, query, principal }) => {
        await escalations.delete(identifierOf(params['identifier'], query), principal);
        return { body: { result: 'Deleted' } };
      },
    }),
    importRoute({
      operation: 'import-escalation',
      body: CreateEscalationBody,
      put: async (id, body, caller) => importedAs(await escalations.put(id, body, caller)),
    }),
  ];
}

async function listAnswer(escalations: readonly Escalation[], snapshots: Snapshots) {
  const snapshot = await snapshots.withNamesIn(escalations);
  return { body: { data: escalations.values().map((escalation) => escalationView(escalation, snapshot)) } };
}

/** An escalation as GET and the list show it (part 2, 2.9); without `repeat` where it does not repeat (wire facts 10.1). */
function escalationView(escalation: Escalation, snapshot: Snapshot): AnswerOf<'get-escalation'>['data'] {
  const { id, name, description, rules, repeat } = escalation;
  return {
    id,
    name,
    description,
    ...ownerView(escalation.ownerTeamId, snapshot),
    rules: rules.map(({ condition, notifyType, delayMinutes, recipient }) => ({
      condition,
      notifyType,
      delay: minutesView(delayMinutes),
      recipient: mentionView(recipient, snapshot),
    })),
    ...(repeat && { repeat: repeatView(repeat) }),
  };
}

const repeatView = ({ waitMinutes, count, resetRecipientStates, closeAlertAfterAll }: EscalationRepeat) => ({
  waitInterval: waitMinutes,
  count,
  resetRecipientStates,
  closeAlertAfterAll,
});
