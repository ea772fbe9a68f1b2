import type { CreateAlert, Responder, ResponderReference, TemplateFields } from '@tocsin/events';
import { alertSubject, type ConditionSubject } from '@tocsin/rules';
import { sortedOut } from '../alerts/responders.ts';
import type { PolicyContext } from './policy-result.ts';

interface NamedResponder extends Responder {
  readonly name: string | undefined;
}

/** The alert of a create as conditions of policies see it: responders by id, and by name if that is known (P3). */
export function subjectOf(command: CreateAlert, context: PolicyContext): ConditionSubject {
  const { alert, source } = command;
  return alertSubject(
    { ...alert, source, responders: respondersOf(command, context) },
    ({ name }: NamedResponder) => name,
  );
}

function respondersOf({ alert }: CreateAlert, context: PolicyContext): readonly NamedResponder[] {
  return alert.responders.map((reference) => describedBy(reference, context));
}

function describedBy(reference: ResponderReference, { resolve, nameOf }: PolicyContext): NamedResponder {
  const { type, id, name } = reference;
  const found = resolve(reference);
  if (found.kind === 'known') return { type, id: found.id, name: found.name };
  return { type, id: id ?? name ?? '', name: id === undefined ? undefined : (name ?? nameOf(type, id)) };
}

/**
 * The alert of a create as templates of policies see it, under the same names as in templates of integrations. A responder is
 * written by name, or by id if the name is unknown (P4).
 */
export function templateFieldsOf(command: CreateAlert, context: PolicyContext): TemplateFields {
  const { alert, source, actor, note = '' } = command;
  const { message, alias, description, entity, priority, tags, actions, details } = alert;
  const responders = respondersOf(command, context);
  const shown = (some: readonly NamedResponder[]) => some.map(({ id, name }) => name ?? id);
  const teams = shown(responders.filter(({ type }) => type === 'team'));
  const recipients = shown(responders.filter(({ type }) => type !== 'team'));
  return {
    ...{ message, alias, description, source, entity, priority, tags, actions, details },
    user: actor,
    note,
    extraProperties: details,
    extra_properties: details,
    teams,
    recipients,
    responders: [...recipients, ...teams],
  };
}

/**
 * The team whose policies apply: the owner of the integration; for an account-wide integration, the only responder if that is a team
 * (P5). So no team can change an alert that also belongs to another team.
 */
export function teamOf({ integration, alert }: CreateAlert, context: PolicyContext): string | undefined {
  if (integration.ownerTeamId !== undefined) return integration.ownerTeamId;
  const { known, unreachable } = sortedOut(alert.responders, (reference) => resolved(reference, context));
  const [only] = known;
  return known.length + unreachable.length === 1 && only?.type === 'team' ? only.id : undefined;
}

/** An unreachable reference with an id counts as known: policies add such, and they were looked up when written. */
function resolved(reference: ResponderReference, { resolve }: PolicyContext): ReturnType<PolicyContext['resolve']> {
  const found = resolve(reference);
  return found.kind === 'unreachable' && reference.id !== undefined
    ? { kind: 'known', id: reference.id, name: '' }
    : found;
}
