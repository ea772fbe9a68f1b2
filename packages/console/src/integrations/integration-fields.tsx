import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { teamsQuery } from '../people/queries.ts';
import { CheckField } from '../ui/check-field.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextArea, TextField } from '../ui/text-field.tsx';
import {
  type Faults,
  type IntegrationForm,
  hasCommandToken,
  hasOnCall,
  hasSigningSecret,
  LABELS,
  MENTIONS,
  needsServer,
  THREADS,
  TYPES,
} from './form.ts';
import { isPostedByUrl, kindOf } from './integration.ts';
import type { Integration } from './queries.ts';

interface IntegrationFieldsProps {
  readonly form: IntegrationForm;
  readonly faults: Faults;
  /** The integration to change; undefined for a new one. */
  readonly changed: Integration | undefined;
  readonly onType: (change: Partial<IntegrationForm>) => void;
}

export function IntegrationFields({ changed, faults, form, onType }: IntegrationFieldsProps): JSX.Element {
  const kind = kindOf(form.type);
  return (
    <>
      <TextField
        label={LABELS.name}
        value={form.name}
        maxLength={250}
        autoComplete="off"
        error={faults.name}
        onChange={({ target }) => {
          onType({ name: target.value });
        }}
      />
      {changed === undefined && (
        <SelectField
          label={LABELS.type}
          hint="It cannot be changed later. Webhooks, which post what happens to alerts, are made by the API."
          error={faults.type}
          value={form.type}
          options={TYPES}
          onValue={(type) => {
            onType({ type });
          }}
        />
      )}
      <TeamSelect form={form} faults={faults} changed={changed} onType={onType} />
      {kind === 'mail' && (
        <TextField
          label={LABELS.emailUsername}
          hint="Such as ops. Mail to this address becomes alerts."
          value={form.emailUsername}
          autoComplete="off"
          error={faults.emailUsername}
          onChange={({ target }) => {
            onType({ emailUsername: target.value });
          }}
        />
      )}
      {kind === 'chat' && isPostedByUrl(form.type) && <WebhookField form={form} faults={faults} onType={onType} />}
      {kind === 'chat' && !isPostedByUrl(form.type) && <BotFields form={form} faults={faults} onType={onType} />}
      {hasOnCall(form.type) && <MentionField form={form} faults={faults} onType={onType} />}
      {hasOnCall(form.type) && <OnCallField form={form} faults={faults} onType={onType} />}
      {kind === 'chat' && <ThreadField form={form} faults={faults} onType={onType} />}
      {kind === 'key' && (
        <CheckField
          label="Its key only sends requests of a tool, and reads nothing: for a tool that has the key in its URL"
          isChecked={form.onlySends !== ''}
          onChange={(isChecked) => {
            onType({ onlySends: isChecked ? 'yes' : '' });
          }}
        />
      )}
      {kind === 'key' && (
        <CheckField
          label="Its last requests of tools are kept for 7 days without their secrets, to be looked at and tried"
          isChecked={form.keepsSamples !== ''}
          onChange={(isChecked) => {
            onType({ keepsSamples: isChecked ? 'yes' : '' });
          }}
        />
      )}
      {kind === 'key' && form.onlySends === '' && (
        <CheckField
          label="Its key may change the configuration, as Terraform does"
          isChecked={form.mayConfigure !== ''}
          onChange={(isChecked) => {
            onType({ mayConfigure: isChecked ? 'yes' : '' });
          }}
        />
      )}
    </>
  );
}

type ChatFieldsProps = Omit<IntegrationFieldsProps, 'changed'>;

/** The webhook of a channel. */
const WebhookField = ({ faults, form, onType }: ChatFieldsProps): JSX.Element => (
  <TextField
    label={LABELS.url}
    hint={WEBHOOK_HINTS[form.type]}
    type="password"
    value={form.url}
    autoComplete="off"
    error={faults.url}
    onChange={({ target }) => {
      onType({ url: target.value });
    }}
  />
);

const TEAMS_HINT =
  'In Teams: Workflows of the channel, the template for webhook requests. It is a secret. Nothing is edited there: each event is a card of its own, and a deletion of an alert removes no card.';

const WEBHOOK_HINTS: Readonly<Record<string, string>> = {
  Discord:
    'In Discord: Edit Channel, Integrations, Webhooks, Copy Webhook URL. It is a secret. Replies are messages of their own.',
  MSTeams: TEAMS_HINT,
  MSTeamsV2: TEAMS_HINT,
  GoogleChat:
    'In Google Chat: Apps & integrations of the space, Webhooks. It is a secret. Nothing is edited there: each event is a message in the thread of its alert, and a deletion of an alert removes no message.',
};

/** Whom posts mention. */
const MentionField = ({ faults, form, onType }: ChatFieldsProps): JSX.Element => (
  <SelectField
    label={LABELS.mention}
    error={faults.mention}
    value={form.mention}
    options={MENTIONS}
    onValue={(mention) => {
      onType({ mention });
    }}
  />
);

/** What the channel shows of who is on call. */
const OnCallField = ({ faults, form, onType }: ChatFieldsProps): JSX.Element => (
  <TextArea
    label={LABELS.onCall}
    hint={`A line for each schedule, such as Database nights: topic, announce${needsServer(form.type) ? '' : ', S0123456789'}. The topic of the channel is replaced by who is on call, announce posts each change${needsServer(form.type) ? '' : ', and the user group of that id has the users on call as its members'}.`}
    rows={3}
    value={form.onCall}
    error={faults.onCall}
    onChange={({ target }) => {
      onType({ onCall: target.value });
    }}
  />
);

/** What gets a reply. */
const ThreadField = ({ faults, form, onType }: ChatFieldsProps): JSX.Element => (
  <SelectField
    label={LABELS.thread}
    error={faults.thread}
    value={form.thread}
    options={THREADS}
    onValue={(thread) => {
      onType({ thread });
    }}
  />
);

const IN_CHANNEL = 'The details of the channel show it. The bot has to be in the channel.';

/** Where a person finds the channel and the token of a product. */
const HINTS = {
  slack: { channel: IN_CHANNEL, token: 'The Bot User OAuth Token, xoxb-…' },
  mattermost: { channel: IN_CHANNEL, token: 'It was shown when the bot was made.' },
  telegram: {
    channel:
      'Such as -1001234567890, or @name of a public chat; of a topic -1001234567890:12. The bot has to be in the chat.',
    token: 'BotFather shows it, such as 123456:ABC-DEF.',
  },
};

function hintsOf(type: string) {
  if (needsServer(type)) return HINTS.mattermost;
  return hasSigningSecret(type) ? HINTS.slack : HINTS.telegram;
}

/** The channel of a chat, and the bot that posts there. */
function BotFields({ faults, form, onType }: ChatFieldsProps): JSX.Element {
  const hints = hintsOf(form.type);
  return (
    <>
      {needsServer(form.type) && (
        <TextField
          label={LABELS.url}
          hint="The address of the server, such as https://chat.example.com."
          type="url"
          value={form.url}
          autoComplete="off"
          error={faults.url}
          onChange={({ target }) => {
            onType({ url: target.value });
          }}
        />
      )}
      <TextField
        label={LABELS.channel}
        hint={hints.channel}
        value={form.channel}
        autoComplete="off"
        error={faults.channel}
        onChange={({ target }) => {
          onType({ channel: target.value });
        }}
      />
      <TextField
        label={LABELS.token}
        hint={hints.token}
        type="password"
        value={form.token}
        autoComplete="off"
        error={faults.token}
        onChange={({ target }) => {
          onType({ token: target.value });
        }}
      />
      {hasSigningSecret(form.type) && (
        <TextField
          label={LABELS.signingSecret}
          hint="Basic Information of the app shows it. Without it, and without a token of Socket Mode, posts have no buttons, and no command is taken."
          type="password"
          value={form.signingSecret}
          autoComplete="off"
          error={faults.signingSecret}
          onChange={({ target }) => {
            onType({ signingSecret: target.value });
          }}
        />
      )}
      {hasSigningSecret(form.type) && (
        <TextField
          label={LABELS.appToken}
          hint="Where Slack cannot reach Tocsin: Tocsin opens a connection to Slack. Basic Information of the app makes the token, with the scope connections:write."
          type="password"
          value={form.appToken}
          autoComplete="off"
          error={faults.appToken}
          onChange={({ target }) => {
            onType({ appToken: target.value });
          }}
        />
      )}
      {hasCommandToken(form.type) && (
        <TextField
          label={LABELS.commandToken}
          hint="Mattermost shows it when the command is saved. Without it no command is taken."
          type="password"
          value={form.commandToken}
          autoComplete="off"
          error={faults.commandToken}
          onChange={({ target }) => {
            onType({ commandToken: target.value });
          }}
        />
      )}
    </>
  );
}

function TeamSelect({ changed, faults, form, onType }: IntegrationFieldsProps): JSX.Element {
  const { data = [] } = useQuery(teamsQuery);
  const owner = changed?.ownerTeam;
  const isMissing = owner !== undefined && !data.some(({ id }) => id === owner.id);
  return (
    <SelectField
      label={LABELS.ownerTeam}
      hint="Its alerts go to this team. Without one they go to the responders that each of them names."
      error={faults.ownerTeam}
      value={form.ownerTeam}
      options={[
        { value: '', name: 'No team' },
        ...(isMissing ? [{ value: owner.id, name: owner.name ?? owner.id }] : []),
        ...data.map(({ id, name }) => ({ value: id, name })),
      ]}
      onValue={(ownerTeam) => {
        onType({ ownerTeam });
      }}
    />
  );
}
