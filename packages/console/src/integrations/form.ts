import { CallError } from '../api/call-error.ts';
import { fieldText } from '../api/problem-text.ts';
import { kindOf } from './integration.ts';
import type { Integration } from './queries.ts';

/** An integration as its form has it. */
export interface IntegrationForm extends Readonly<Record<string, string>> {
  readonly name: string;
  readonly type: string;
  /** The id of the team; empty for none. */
  readonly ownerTeam: string;
  /** Of type Email: the part of its address before the @. */
  readonly emailUsername: string;
  /** Whether its key may change the configuration: `yes`, or empty. */
  readonly mayConfigure: string;
}

/** The types that the form offers. The API knows more, which behave as `API` does. */
export const TYPES = [
  { value: 'API', name: 'API: scripts, Terraform and other tools' },
  { value: 'Prometheus', name: 'Prometheus: Alertmanager' },
  { value: 'Grafana', name: 'Grafana' },
  { value: 'Zabbix', name: 'Zabbix' },
  { value: 'Nagios', name: 'Nagios' },
  { value: 'Datadog', name: 'Datadog' },
  { value: 'CloudWatch', name: 'CloudWatch' },
  { value: 'Email', name: 'Email: mail to an address of its own' },
] as const;

export const newForm = (teamId: string): IntegrationForm => ({
  name: '',
  type: 'API',
  ownerTeam: teamId,
  emailUsername: '',
  mayConfigure: '',
});

export const formOf = (integration: Integration): IntegrationForm => ({
  name: integration.name,
  type: integration.type,
  ownerTeam: integration.ownerTeam?.id ?? '',
  emailUsername: integration.emailUsername ?? '',
  mayConfigure: integration.allowConfigurationAccess ? 'yes' : '',
});

/** The body that creates an integration. Its alerts go to its team. */
export function createBody(form: IntegrationForm): object {
  const { ownerTeam: id, type } = form;
  const kind = kindOf(type);
  return {
    type,
    name: form.name.trim(),
    ...(id !== '' && { ownerTeam: { id }, responders: [{ type: 'team', id }] }),
    ...(kind === 'mail' && { emailUsername: form.emailUsername.trim() }),
    ...(kind === 'key' && { allowConfigurationAccess: form.mayConfigure !== '' }),
  };
}

/**
 * The body that replaces an integration with what a person changed in its form; all else is as it is now. Where it gets another team, its
 * alerts go to that team in place of the team before. `filled` is what the form was filled from.
 */
export function replacementBody(form: IntegrationForm, filled: Integration, now: Integration): object {
  // `recipients` are the same as `responders`, and what is left out cannot be written.
  const { _readOnly, behavesAs, emailAddress, id, isAdvanced, isGlobal, recipients, ...kept } = now;
  const before = formOf(filled);
  const isChanged = (field: keyof IntegrationForm) => form[field]?.trim() !== before[field]?.trim();
  return {
    ...kept,
    ...(isChanged('ownerTeam') && movedTeam(kept, before.ownerTeam, form.ownerTeam)),
    ...(isChanged('name') && { name: form.name.trim() }),
    ...(isChanged('emailUsername') && { emailUsername: form.emailUsername.trim() }),
    ...(isChanged('mayConfigure') && { allowConfigurationAccess: form.mayConfigure !== '' }),
  };
}

/** What another team changes: it takes the place of the one before, also among those to which alerts go. */
function movedTeam(
  { assignedTeam, responders }: Pick<Integration, 'assignedTeam' | 'responders'>,
  before: string,
  next: string,
): object {
  const team = next === '' ? undefined : { id: next };
  const others = responders.filter((each) => each.type !== 'team' || (each.id !== before && each.id !== next));
  return {
    ownerTeam: team,
    assignedTeam: assignedTeam?.id === before ? team : assignedTeam,
    responders: [...(team === undefined ? [] : [{ type: 'team', ...team }]), ...others],
  };
}

export const LABELS = {
  name: 'Name',
  type: 'Type',
  ownerTeam: 'Team',
  emailUsername: 'Address before the @',
} as const;
type FieldName = keyof typeof LABELS;
export type Faults = Partial<Record<FieldName, string>>;

/** What is wrong with a form before it is sent. */
export const faultsOf = (form: IntegrationForm): Faults => ({
  ...(form.name.trim() === '' && { name: 'Type a name.' }),
  ...(kindOf(form.type) === 'mail' &&
    form.emailUsername.trim() === '' && { emailUsername: 'Type the part of the address before the @.' }),
});

/** What the server refuses, at the field that it is about. */
export function refusedFields(error: unknown): Faults {
  if (!(error instanceof CallError)) return {};
  if (error.status === 409)
    return { [error.message.startsWith('Integration with emailUsername ') ? 'emailUsername' : 'name']: error.message };
  if (error.status === 404 && error.message.startsWith('Team ')) return { ownerTeam: error.message };
  return Object.fromEntries(
    Object.entries(error.fields).flatMap(([name, fault]) => {
      const field = name.split(/[.[]/, 1)[0] ?? '';
      return Object.hasOwn(LABELS, field) ? [[field, fieldText(LABELS[field as FieldName], fault)]] : [];
    }),
  );
}

const facts = (integration: Integration): Readonly<Record<string, string>> => ({
  'Its name is': `“${integration.name}”`,
  'Its team is': integration.ownerTeam?.name ?? 'none',
  'It is': integration.enabled ? 'enabled' : 'disabled',
  'Its address is': integration.emailAddress ?? 'none',
  'Its key may': integration.allowConfigurationAccess ? 'change the configuration' : 'not change the configuration',
});

/** What another person changed of what the form shows, a sentence each. All else stays as it is when the form is saved. */
export function changesBetween(before: Integration, now: Integration): readonly string[] {
  const was = facts(before);
  return Object.entries(facts(now)).flatMap(([what, text]) =>
    was[what] === text ? [] : [`${what} ${text} now. Before: ${was[what] ?? ''}.`],
  );
}
