import { type Json, objectIn, objectsIn, numberIn, textIn } from '../json.ts';
import type { Thing } from '../kinds.ts';
import { MASK } from '../snapshot/mask.ts';
import type { ImportBody, Side } from './body.ts';
import { criteria, defined, Fields, flagIn, reference, saysNothing, textsIn, typed } from './fields.ts';
import { type Lost, reportLeft } from './lost.ts';

/** Fields that are only shown, by Opsgenie or by Tocsin, or that are read by themselves. */
const SHOWN = [
  ...['id', 'isGlobal', 'isAdvanced', '_readOnly', 'behavesAs', 'emailAddress', 'teamId', 'apiKey', 'recipients'],
  ...['allowDeleteAccess', 'headers'],
];
const TEXTS = ['priority', 'customPriority', 'emailUsername', 'channel', 'token', 'thread', 'mention'];
const SECRETS = ['signingSecret', 'commandToken', 'appToken'];
const IGNORED = [
  'ignoreRecipientsFromPayload',
  'ignoreTeamsFromPayload',
  'ignoreRespondersFromPayload',
  'ignoreTagsFromPayload',
  'ignoreExtraPropertiesFromPayload',
];
const MATCH_TYPE = 'conditionMatchType';

/** An integration with its actions. Its key is not shown: it is moved by itself. */
export function integration(id: string, thing: Thing, side: Side, lost: Lost): readonly ImportBody[] {
  const { parts, value } = thing;
  const fields = new Fields(value, ...SHOWN, ...IGNORED);
  const name = fields.text('name') ?? id;
  const written = fields.text('type') ?? 'API';
  const isUnknown = side.unknownTypes.has(written.toLowerCase());
  if (isUnknown)
    lost(
      `Tocsin has no integrations of type [${written}]: it becomes one of type API with the same id, and takes alerts by its key.`,
    );
  const type = isUnknown ? 'API' : written;
  const ownerTeam = reference(fields.object('ownerTeam')) ?? reference({ id: textIn(value, 'teamId') });
  const body = defined({
    type,
    name,
    ownerTeam,
    ...switchesOf(fields),
    ...contentOf(fields),
    assignedTeam: reference(fields.object('assignedTeam')),
    sendAlertActions: fields.flag('sendAlertActions', false),
    alertActions: fields.texts('alertActions'),
    alertFilter: criteria(fields.object('alertFilter'), MATCH_TYPE),
    url: fields.text('url'),
    headers: headersOf(fields.value, lost),
    onCall: fields.objects('onCall').length > 0 ? fields.objects('onCall').map(onCall) : undefined,
    ...sendingOf(fields, type),
    ...Object.fromEntries([...TEXTS, ...SECRETS].map((field) => [field, fields.text(field)])),
    actions: actionsOf(value, parts['actions'] ?? []),
  });
  reportLeft(fields, lost);
  return [{ kind: 'integrations', id, name, body }];
}

const switchesOf = (fields: Fields): Json => ({
  enabled: fields.flag('enabled', true),
  allowReadAccess: fields.flag('allowReadAccess', true),
  allowWriteAccess: fields.flag('allowWriteAccess', true),
  allowConfigurationAccess: fields.flag('allowConfigurationAccess', false),
  suppressNotifications: fields.flag('suppressNotifications', false),
  keepSamples: fields.flag('keepSamples', true),
});

/** The content that integrations and their create actions add to alerts. */
function contentOf(fields: Fields): Json {
  const [responders, recipients] = [fields.objects('responders'), fields.objects('recipients')];
  return {
    tags: fields.texts('tags'),
    extraProperties: propertiesOf(fields.object('extraProperties')),
    responders: (responders.length > 0 ? responders : recipients).map((each) => typed(each)),
    ...ignoring(fields.value),
  };
}

function ignoring(value: Json): Json {
  const both = flagIn(value, 'ignoreRespondersFromPayload', false);
  const [recipients, teams] = ['ignoreRecipientsFromPayload', 'ignoreTeamsFromPayload'].map((name) =>
    flagIn(value, name, both),
  );
  return {
    ignoreRecipientsFromPayload: recipients,
    ignoreTeamsFromPayload: teams,
    ignoreRespondersFromPayload: recipients === true && teams === true,
    ignoreTagsFromPayload: flagIn(value, 'ignoreTagsFromPayload', false),
    ignoreExtraPropertiesFromPayload: flagIn(value, 'ignoreExtraPropertiesFromPayload', false),
  };
}

const propertiesOf = (value: Json = {}): Json =>
  Object.fromEntries(Object.entries(value).map(([name, each]) => [name, String(each)]));

/** Webhooks add nothing to their posts by default. */
function sendingOf(fields: Fields, type: string): Json {
  const isWebhook = type.toLowerCase() === 'webhook';
  const names = ['addAlertDetails', 'addAlertDescription'];
  return Object.fromEntries(
    names.map((name) => {
      const isStated = fields.value[name] !== undefined && fields.value[name] !== null;
      return [name, isStated || isWebhook ? fields.flag(name, false) : undefined];
    }),
  );
}

/** Headers by their names, also of a list of `{name, value}`. */
function headersOf(value: Json, lost: Lost): Json | undefined {
  const headers = value['headers'];
  if (saysNothing(headers)) return undefined;
  const found: Json = Array.isArray(headers)
    ? Object.fromEntries(
        objectsIn(value, 'headers').map((each) => [
          textIn(each, 'name') ?? textIn(each, 'key') ?? '',
          textIn(each, 'value') ?? '',
        ]),
      )
    : (objectIn(value, 'headers') ?? {});
  if (Object.values(found).some((each) => String(each).includes(MASK)))
    lost(
      'Headers are masked in the snapshot, so they are not moved: fetch with --with-secrets, or enter them in Tocsin.',
    );
  return found;
}

const onCall = (item: Json): Json =>
  defined({
    schedule: reference(objectIn(item, 'schedule')),
    userGroup: textIn(item, 'userGroup'),
    topic: flagIn(item, 'topic', false),
    announce: flagIn(item, 'announce', false),
  });

const GROUPS = ['ignore', 'create', 'close', 'acknowledge', 'addNote'];

/** Undefined where no user wrote any: Tocsin reads requests of tools by their presets then. */
function actionsOf(value: Json, parts: readonly Json[]): Json | undefined {
  const groups = GROUPS.map((group) => [group, objectsIn(parts[0], group)] as const);
  const isOwn = value['isAdvanced'] !== false && groups.some(([, actions]) => actions.length > 0);
  if (!isOwn) return undefined;
  return Object.fromEntries(
    groups.map(([group, actions]) => [group, actions.map((each, at) => action(each, group, at))]),
  );
}

const TEMPLATES = ['alias', 'user', 'note'];
const CREATE_TEMPLATES = ['source', 'message', 'description', 'entity'];

function action(item: Json, group: string, at: number): Json {
  const fields = new Fields(item);
  const templates = group === 'create' ? [...TEMPLATES, ...CREATE_TEMPLATES] : TEMPLATES;
  return defined({
    name: fields.text('name'),
    order: numberIn(item, 'order') ?? at,
    filter: criteria(fields.object('filter'), MATCH_TYPE),
    ...Object.fromEntries(templates.map((name) => [name, fields.text(name) ?? `{{${name}}}`])),
    ...(group === 'create' && {
      priority: fields.text('priority'),
      customPriority: fields.text('customPriority'),
      appendAttachments: fields.flag('appendAttachments', true),
      alertActions: textsIn(item, 'alertActions'),
      ignoreAlertActionsFromPayload: fields.flag('ignoreAlertActionsFromPayload', false),
      ...contentOf(fields),
    }),
  });
}
