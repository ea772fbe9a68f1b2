import type { EscalationState } from '@tocsin/contracts';
import type { Connection } from '@tocsin/persistence';
import { Schema, type Model } from 'mongoose';
import type { Escalation } from '../domain/escalation.ts';
import { escalationMessage } from '../domain/states.ts';
import { entityFields, MongoCatalogue, type Document } from './mongo-catalogue.ts';

const recipient = new Schema(
  { type: { type: String, required: true }, id: { type: String, required: true } },
  { _id: false, id: false },
);

const rule = new Schema(
  {
    condition: { type: String, required: true },
    notifyType: { type: String, required: true },
    delayMinutes: { type: Number, required: true },
    recipient: { type: recipient, required: true },
  },
  { _id: false },
);

const repeat = new Schema(
  {
    waitMinutes: { type: Number, required: true },
    count: { type: Number, required: true },
    resetRecipientStates: { type: Boolean, required: true },
    closeAlertAfterAll: { type: Boolean, required: true },
  },
  { _id: false },
);

// The unique index on `name` is made by the migration step, never by the model.
const escalation = new Schema({
  ...entityFields,
  name: { type: String, required: true },
  description: String,
  ownerTeamId: String,
  rules: [rule],
  repeat,
});

type EscalationDocument = Document<Escalation>;

/** The collection `escalations`, rules included. */
export function mongoEscalations(connection: Connection): MongoCatalogue<Escalation, EscalationState> {
  const model = connection.model('Escalation', escalation, 'escalations') as unknown as Model<EscalationDocument>;
  return new MongoCatalogue({ model, read, message: escalationMessage });
}

function read(document: EscalationDocument): Escalation {
  return {
    id: document._id,
    name: document.name,
    description: document.description,
    ownerTeamId: document.ownerTeamId,
    rules: document.rules,
    repeat: document.repeat,
    createdAt: document.createdAt,
    version: document.version,
  };
}
