import { CallError } from '../api/call-error.ts';
import { fieldText } from '../api/problem-text.ts';
import { isPostedByUrl, kindOf, onlySends, rightsText } from './integration.ts';
import { onCallOf, onCallText } from './on-call-lines.ts';
import type { Integration } from './queries.ts';

/** An integration as its form has it. */
export interface IntegrationForm extends Readonly<Record<string, string>> {
  readonly name: string;
  readonly type: string;
  /** The id of the team; empty for none. */
  readonly ownerTeam: string;
  /** Of type Email: the part of its address before the @. */
  readonly emailUsername: string;
  /** Of a chat: the id of the channel, the token of the bot, the server of Mattermost or the webhook of a channel, and what gets a reply. */
  readonly channel: string;
  readonly token: string;
  readonly url: string;
  readonly thread: string;
  /** Of Slack: empty where posts have no buttons. */
  readonly signingSecret: string;
  /** Of Slack: empty where reports come to a URL. */
  readonly appToken: string;
  /** Of Mattermost: empty where it takes no commands. */
  readonly commandToken: string;
  /** Of Slack and Mattermost: whom posts mention. */
  readonly mention: string;
  /** Of Slack and Mattermost: a line for each schedule of which the channel shows who is on call. */
  readonly onCall: string;
  /** Whether its last requests of tools are kept: `yes`, or empty. */
  readonly keepsSamples: string;
  /** Whether its key has neither read nor write access: `yes`, or empty. */
  readonly onlySends: string;
  /** Whether its key may change the configuration: `yes`, or empty. */
  readonly mayConfigure: string;
}

const MATTERMOST = 'Mattermost';

/** Whether the form asks for the address of a server. */
export const needsServer = (type: string): boolean => type.toLowerCase() === MATTERMOST.toLowerCase();

/** Whether the form asks for the secret by which the product signs its reports, and for the token that opens a connection for them. */
export const hasSigningSecret = (type: string): boolean => type.toLowerCase().startsWith('slack');

/** Whether the form asks for the token that the product has made for a command. */
export const hasCommandToken = (type: string): boolean => type.toLowerCase() === 'mattermost';

/** Whether the form asks for schedules of which the channel shows who is on call. */
export const hasOnCall = (type: string): boolean => hasSigningSecret(type) || needsServer(type);

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
  { value: 'SlackApp', name: 'Slack: posts alerts in a channel' },
  { value: MATTERMOST, name: 'Mattermost: posts alerts in a channel' },
  { value: 'Telegram', name: 'Telegram: posts alerts in a chat' },
  { value: 'Discord', name: 'Discord: posts alerts in a channel' },
  { value: 'MSTeamsV2', name: 'Microsoft Teams: posts alerts in a channel' },
  { value: 'GoogleChat', name: 'Google Chat: posts alerts in a space' },
] as const;

/** What gets a reply below the post of an alert (P22). */
export const THREADS = [
  { value: 'all', name: 'Everything that happens to the alert' },
  { value: 'state', name: 'What changes the state of the alert' },
  { value: 'none', name: 'Nothing' },
] as const;

/** Whom a post mentions (P22). */
export const MENTIONS = [
  { value: 'none', name: 'No user' },
  { value: 'responders', name: 'The responders that are users, and the users who come on call' },
] as const;

export const newForm = (teamId: string): IntegrationForm => ({
  name: '',
  type: 'API',
  ownerTeam: teamId,
  emailUsername: '',
  channel: '',
  token: '',
  url: '',
  thread: 'all',
  signingSecret: '',
  appToken: '',
  commandToken: '',
  mention: 'none',
  onCall: '',
  keepsSamples: 'yes',
  onlySends: '',
  mayConfigure: '',
});

const yesOf = (isSo: boolean): string => (isSo ? 'yes' : '');

const mentionOf = ({ mention = 'none' }: Integration): string => mention;

const secretsOf = ({ appToken = '', commandToken = '', signingSecret = '' }: Integration) => ({
  signingSecret,
  appToken,
  commandToken,
});

export const formOf = (integration: Integration): IntegrationForm => ({
  name: integration.name,
  type: integration.type,
  ownerTeam: integration.ownerTeam?.id ?? '',
  emailUsername: integration.emailUsername ?? '',
  channel: integration.channel ?? '',
  token: integration.token ?? '',
  url: integration.url ?? '',
  thread: integration.thread ?? 'all',
  mention: mentionOf(integration),
  onCall: onCallText(integration.onCall),
  ...secretsOf(integration),
  keepsSamples: yesOf(integration.keepSamples),
  onlySends: yesOf(onlySends(integration)),
  mayConfigure: yesOf(integration.allowConfigurationAccess),
});

/** The fields of a chat. Of Slack and Telegram the server knows the address. */
const chatFields = ({
  appToken,
  channel,
  commandToken,
  mention,
  onCall,
  signingSecret,
  thread,
  token,
  type,
  url,
}: IntegrationForm): object =>
  isPostedByUrl(type)
    ? { url: url.trim(), thread }
    : {
        channel: channel.trim(),
        token: token.trim(),
        thread,
        ...(needsServer(type) && { url: url.trim() }),
        ...(hasSigningSecret(type) && { signingSecret: signingSecret.trim(), appToken: appToken.trim() }),
        ...(hasCommandToken(type) && { commandToken: commandToken.trim() }),
        ...(hasOnCall(type) && { mention }),
        ...(hasOnCall(type) && onCall.trim() !== '' && { onCall: onCallOf(onCall) }),
      };

const CHAT_FIELDS = [
  'channel',
  'token',
  'url',
  'thread',
  'signingSecret',
  'appToken',
  'commandToken',
  'mention',
] as const;

/** The body that creates an integration. Its alerts go to its team. */
export function createBody(form: IntegrationForm): object {
  const { ownerTeam: id, type } = form;
  const kind = kindOf(type);
  return {
    type,
    name: form.name.trim(),
    ...(id !== '' && { ownerTeam: { id }, responders: [{ type: 'team', id }] }),
    ...(kind === 'mail' && { emailUsername: form.emailUsername.trim() }),
    ...(kind === 'chat' && chatFields(form)),
    ...(kind === 'key' && { ...rightsOf(form), keepSamples: form.keepsSamples !== '' }),
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
    ...Object.fromEntries(CHAT_FIELDS.filter(isChanged).map((field) => [field, form[field].trim()])),
    ...(isChanged('onCall') && { onCall: onCallOf(form.onCall, now.onCall) }),
    ...(isChanged('keepsSamples') && { keepSamples: form.keepsSamples !== '' }),
    ...(isChanged('mayConfigure') && { allowConfigurationAccess: form.mayConfigure !== '' }),
    ...(isChanged('onlySends') && rightsOf(form)),
  };
}

/** A key that only sends may not change the configuration either. */
const rightsOf = ({ mayConfigure, onlySends: sends }: IntegrationForm): object => ({
  allowReadAccess: sends === '',
  allowWriteAccess: sends === '',
  allowConfigurationAccess: sends === '' && mayConfigure !== '',
});

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
  channel: 'Id of the channel',
  token: 'Token of the bot',
  url: 'URL',
  thread: 'Replies below the post of an alert',
  signingSecret: 'Signing Secret of the app',
  appToken: 'App-level token of Socket Mode',
  commandToken: 'Token of the slash command',
  mention: 'Mentions',
  onCall: 'Who is on call',
} as const;
type FieldName = keyof typeof LABELS;
export type Faults = Partial<Record<FieldName, string>>;

/** What is wrong with a form before it is sent. */
export const faultsOf = (form: IntegrationForm): Faults => ({
  ...(form.name.trim() === '' && { name: 'Type a name.' }),
  ...(kindOf(form.type) === 'mail' &&
    form.emailUsername.trim() === '' && { emailUsername: 'Type the part of the address before the @.' }),
  ...(kindOf(form.type) === 'chat' && chatFaults(form)),
});

const chatFaults = (form: IntegrationForm): Faults =>
  isPostedByUrl(form.type)
    ? { ...(form.url.trim() === '' && { url: 'Paste the URL of the webhook.' }) }
    : botFaults(form);

const botFaults = ({ channel, onCall, token, type, url }: IntegrationForm): Faults => ({
  ...(channel.trim() === '' && { channel: 'Type the id of the channel.' }),
  ...(token.trim() === '' && { token: 'Type the token of the bot.' }),
  ...(needsServer(type) && url.trim() === '' && { url: 'Type the address of the server.' }),
  ...(hasOnCall(type) &&
    onCallOf(onCall) === undefined && {
      onCall: 'Type on each line a schedule, a colon, and topic, announce or the id of a user group.',
    }),
});

/** What the server refuses, at the field that it is about. */
export function refusedFields(error: unknown): Faults {
  if (!(error instanceof CallError)) return {};
  if (error.status === 409)
    return { [error.message.startsWith('Integration with emailUsername ') ? 'emailUsername' : 'name']: error.message };
  if (error.status === 404 && error.message.startsWith('Team ')) return { ownerTeam: error.message };
  if (error.status === 404 && error.message.startsWith('Schedule ')) return { onCall: error.message };
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
  'Its channel is': integration.channel ?? 'none',
  'Its key may': rightsText(integration),
  'Its last requests are': integration.keepSamples ? 'kept' : 'not kept',
});

/** What another person changed of what the form shows, a sentence each. All else stays as it is when the form is saved. */
export function changesBetween(before: Integration, now: Integration): readonly string[] {
  const was = facts(before);
  return Object.entries(facts(now)).flatMap(([what, text]) =>
    was[what] === text ? [] : [`${what} ${text} now. Before: ${was[what] ?? ''}.`],
  );
}
