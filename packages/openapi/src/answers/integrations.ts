import { z } from 'zod';
import { AlertAction, Priority } from '@tocsin/contracts';
import { WrittenCondition } from './conditions.ts';
import { Id, Instant, OwnerTeam } from './shared.ts';

/** An integration as lists show it (part 1, 2.4). */
export const IntegrationItem = z
  .object({
    id: Id,
    name: z.string(),
    enabled: z.boolean(),
    type: z.string(),
    teamId: Id.optional().meta({ description: 'The team that owns it; absent where it is account-wide.' }),
  })
  .meta({ id: 'IntegrationItem' });

const emailAddress = z.string().optional().meta({ description: 'Of type Email: where mail goes to.' });

/** An integration that was written. */
export const WrittenIntegration = z
  .object({ ...IntegrationItem.shape, emailAddress })
  .meta({ id: 'WrittenIntegration' });

/** An integration that was made. */
export const CreatedIntegration = z
  .object({
    ...WrittenIntegration.shape,
    apiKey: z.uuid().optional().meta({ description: 'Told this once. Absent where there is none: type Email.' }),
  })
  .meta({ id: 'CreatedIntegration' });

/** A key that was replaced. */
export const RotatedKey = z
  .object({
    ...IntegrationItem.shape,
    apiKey: z.uuid().meta({ description: 'Told this once.' }),
    previousKeyValidUntil: Instant,
  })
  .meta({ id: 'RotatedKey' });

const Recipient = z.union([
  z.object({ type: z.enum(['all', 'none']) }),
  z.object({ type: z.literal('user'), id: Id, username: z.string() }),
  z.object({ type: z.enum(['team', 'escalation', 'schedule']), id: Id, name: z.string() }),
]);

/** What an action or a webhook is for (P2). */
const Filter = z
  .object({ conditionMatchType: z.string(), conditions: z.array(WrittenCondition) })
  .meta({ id: 'IntegrationFilter', description: 'In the spelling in which it was written.' });

/** What integrations and their create actions have alike. */
const content = {
  priority: Priority.optional(),
  customPriority: z.string().optional(),
  tags: z.array(z.string()),
  extraProperties: z.record(z.string(), z.string()),
  recipients: z.array(Recipient),
  responders: z.array(Recipient).meta({ description: 'The same as `recipients`.' }),
  ignoreRecipientsFromPayload: z.boolean(),
  ignoreTeamsFromPayload: z.boolean(),
  ignoreRespondersFromPayload: z.boolean().meta({ description: 'Both of the others.' }),
  ignoreTagsFromPayload: z.boolean(),
  ignoreExtraPropertiesFromPayload: z.boolean(),
};

/** An integration as it is read (part 1, 2.4; P12). */
export const Integration = z
  .object({
    id: Id,
    name: z.string(),
    type: z.string(),
    enabled: z.boolean(),
    ownerTeam: OwnerTeam.optional(),
    isGlobal: z.boolean().meta({ description: 'No team owns it.' }),
    isAdvanced: z.boolean().meta({ description: 'Its actions are not those of a new integration.' }),
    _readOnly: z.array(z.enum(['isAdvanced', 'isGlobal'])),
    allowWriteAccess: z.boolean(),
    allowConfigurationAccess: z.boolean(),
    suppressNotifications: z.boolean(),
    assignedTeam: OwnerTeam.optional(),
    ...content,
    sendAlertActions: z.boolean(),
    alertActions: z.array(AlertAction),
    alertFilter: Filter,
    emailUsername: z.string().optional(),
    emailAddress,
    url: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    addAlertDetails: z.boolean().optional(),
    addAlertDescription: z.boolean().optional(),
  })
  .meta({ id: 'Integration' });

const action = {
  name: z.string(),
  order: z.int().min(0),
  filter: Filter,
  alias: z.string(),
  user: z.string(),
  note: z.string(),
};

const Action = <T extends string>(type: T) => z.object({ type: z.literal(type), ...action });

const CreateAction = Action('create').extend({
  source: z.string(),
  message: z.string(),
  description: z.string(),
  entity: z.string(),
  appendAttachments: z.boolean(),
  alertActions: z.array(z.string()),
  ignoreAlertActionsFromPayload: z.boolean(),
  ...content,
});

/** The actions of an integration by group, each in the order in which it is tried (part 1, 2.5; P1). */
export const IntegrationActions = z
  .object({
    _parent: z.object({ id: Id, name: z.string(), enabled: z.boolean(), type: z.string() }),
    ignore: z.array(Action('ignore')),
    create: z.array(CreateAction),
    close: z.array(Action('close')),
    acknowledge: z.array(Action('acknowledge')),
    addNote: z.array(Action('addNote')),
  })
  .meta({ id: 'IntegrationActions' });
