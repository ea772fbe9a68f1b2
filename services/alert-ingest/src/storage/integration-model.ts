import { Schema, type Connection, type Model } from 'mongoose';
import type { IndexPlan } from '@tocsin/persistence';
import type { Integration } from '../domain/integration.ts';
import type { ActionGroups } from '../domain/integration-action.ts';
import { NO_CONTENT, type IntegrationContent } from '../domain/integration-content.ts';

export const INTEGRATIONS = 'integrations';
/** The name of the index by which a mail address is unique. */
export const EMAIL_USERNAME = 'emailUsername';

/** Actions and content are kept as JSON: their names and keys are anybody's. */
export type IntegrationDocument = Omit<Integration, 'id' | 'actions' | 'content'> & {
  readonly _id: string;
  readonly actions: string;
  /** Absent in what was written before integrations had any. */
  readonly content?: string | undefined;
};

export const integrationIndexes: readonly IndexPlan[] = [
  {
    collection: INTEGRATIONS,
    keys: { name: 1 },
    options: { unique: true, name: 'name' },
    serves: 'one integration per name, exact comparison (E14)',
  },
  {
    collection: INTEGRATIONS,
    keys: { 'key.hash': 1 },
    options: { unique: true, sparse: true, name: 'key' },
    serves: 'the gateway, which asks for the holder of a key that it does not know yet',
  },
  {
    collection: INTEGRATIONS,
    keys: { 'retiringKeys.keyHash': 1 },
    options: { sparse: true },
    serves: 'the same, for a key that was replaced a while ago',
  },
  {
    collection: INTEGRATIONS,
    keys: { emailUsername: 1 },
    options: { unique: true, sparse: true, name: EMAIL_USERNAME, collation: { locale: 'en', strength: 2 } },
    serves: 'one integration per mail address, without regard to case (P10)',
  },
  {
    collection: INTEGRATIONS,
    keys: { 'ownerTeam.id': 1, createdAt: 1, _id: 1 },
    serves: 'the list of one team, in the order of creation',
  },
  { collection: INTEGRATIONS, keys: { createdAt: 1, _id: 1 }, serves: 'the list in the order of creation' },
];

const reference = {
  type: { id: { type: String, required: true }, name: { type: String, required: true } },
  _id: false,
};

// Indexes are made by the migration step, never by the model.
const schema = new Schema<IntegrationDocument>(
  {
    _id: { type: String, required: true },
    version: { type: { epoch: Number, n: Number }, required: true, _id: false },
    createdAt: { type: Date, required: true },
    name: { type: String, required: true },
    type: { type: String, required: true },
    enabled: { type: Boolean, required: true },
    ownerTeam: reference,
    allowWriteAccess: { type: Boolean, required: true },
    allowConfigurationAccess: { type: Boolean, required: true },
    ignoreRecipients: { type: Boolean, required: true },
    ignoreTeams: { type: Boolean, required: true },
    ignoreResponders: { type: Boolean, required: true },
    suppressNotifications: { type: Boolean, required: true },
    recipients: [{ type: { type: String, required: true }, target: reference, _id: false }],
    sendAlertActions: { type: Boolean, required: true },
    alertActions: [String],
    alertFilter: { type: Schema.Types.Mixed, required: true },
    emailUsername: String,
    webhook: Schema.Types.Mixed,
    key: { type: { hash: { type: String, required: true }, lastFour: { type: String, required: true } }, _id: false },
    actions: { type: String, required: true },
    content: String,
    retiringKeys: [
      { keyHash: { type: String, required: true }, validUntil: { type: Date, required: true }, _id: false },
    ],
  },
  { collection: INTEGRATIONS, versionKey: false },
);

export type IntegrationModel = Model<IntegrationDocument>;

/** The model of one connection. */
export function integrationModel(connection: Connection): IntegrationModel {
  return connection.model<IntegrationDocument>('Integration', schema);
}

export function toDocument({ id, actions, content, ...rest }: Integration): IntegrationDocument {
  return { _id: id, ...rest, actions: JSON.stringify(actions), content: JSON.stringify(content) };
}

export function toIntegration({ _id, ...rest }: IntegrationDocument): Integration {
  return {
    ...rest,
    id: _id,
    actions: JSON.parse(rest.actions) as ActionGroups,
    content: rest.content === undefined ? NO_CONTENT : (JSON.parse(rest.content) as IntegrationContent),
    ownerTeam: rest.ownerTeam ?? undefined,
    recipients: rest.recipients.map(({ type, target }) => ({ type, target })),
    emailUsername: rest.emailUsername ?? undefined,
    webhook: rest.webhook ?? undefined,
    key: rest.key ?? undefined,
  };
}
