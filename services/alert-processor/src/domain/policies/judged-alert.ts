import type { CreateAlert, Responder, ResponderReference, TemplateFields } from '@tocsin/contracts';
import { alertSubject, type ConditionSubject } from '@tocsin/rules';
import { sortedOut } from '../responders.ts';
import type { JudgementContext } from './judgement.ts';

interface NamedResponder extends Responder {
  readonly name: string | undefined;
}

/** What conditions of policies see of the alert that `command` asks for: responders by id and by name, as far as known (P3). */
export function subjectOf(command: CreateAlert, context: JudgementContext): ConditionSubject {
  const { alert, source } = command;
  const responders = alert.responders.map((reference) => describedBy(reference, context));
  return alertSubject({ ...alert, source, responders }, ({ name }: NamedResponder) => name);
}

function describedBy(reference: ResponderReference, { resolve, nameOf }: JudgementContext): NamedResponder {
  const { type, id, name } = reference;
  const found = resolve(reference);
  if (found.kind === 'known') return { type, id: found.id, name: found.name };
  return { type, id: id ?? name ?? '', name: id === undefined ? undefined : (name ?? nameOf(type, id)) };
}

/** What templates of policies see of it, under the names that templates of integrations know (P4). */
export function templateFieldsOf(command: CreateAlert, subject: ConditionSubject): TemplateFields {
  const { alert, source, actor, note = '' } = command;
  const { message, alias, description, entity, priority, tags, actions, details } = alert;
  const listed = (field: string) => subject[field] as readonly string[];
  return {
    ...{ message, alias, description, source, entity, priority, tags, actions, details },
    user: actor,
    note,
    extraProperties: details,
    extra_properties: details,
    teams: listed('teams'),
    recipients: listed('recipients'),
    responders: listed('responders'),
  };
}

/**
 * The team whose policies it is for: the owner of the integration, else, of an integration of the whole account, the only
 * responder where that is a team (P5). So no team can touch what is another team's as well.
 */
export function teamOf({ integration, alert }: CreateAlert, context: JudgementContext): string | undefined {
  if (integration.ownerTeamId !== undefined) return integration.ownerTeamId;
  const { known, unreachable } = sortedOut(alert.responders, (reference) => resolved(reference, context));
  const [only] = known;
  return known.length + unreachable.length === 1 && only?.type === 'team' ? only.id : undefined;
}

/** Whom a policy added is taken by its id: it was looked up when the policy was written. */
function resolved(
  reference: ResponderReference,
  { resolve }: JudgementContext,
): ReturnType<JudgementContext['resolve']> {
  const found = resolve(reference);
  return found.kind === 'unreachable' && reference.id !== undefined
    ? { kind: 'known', id: reference.id, name: '' }
    : found;
}
