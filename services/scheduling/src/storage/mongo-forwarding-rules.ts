import type { Connection } from '@tocsin/persistence';
import { Schema, type Model } from 'mongoose';
import type { ForwardingRule } from '../domain/forwarding.ts';
import { entityFields, MongoDocuments, type Document } from './mongo-catalogue.ts';

// The unique index on `alias` is made by the migration step, never by the model.
const forwardingRule = new Schema({
  ...entityFields,
  alias: String,
  fromUserId: { type: String, required: true },
  toUserId: { type: String, required: true },
  startAt: { type: Date, required: true },
  endAt: { type: Date, required: true },
});

type ForwardingRuleDocument = Document<ForwardingRule>;

/** The collection `forwarding_rules`. */
export function mongoForwardingRules(connection: Connection): MongoDocuments<ForwardingRule> {
  const model = connection.model('ForwardingRule', forwardingRule, 'forwarding_rules') as unknown;
  return new MongoDocuments({ model: model as Model<ForwardingRuleDocument>, read });
}

function read(document: ForwardingRuleDocument): ForwardingRule {
  return {
    id: document._id,
    alias: document.alias,
    fromUserId: document.fromUserId,
    toUserId: document.toUserId,
    startAt: document.startAt,
    endAt: document.endAt,
    createdAt: document.createdAt,
    version: document.version,
  };
}
