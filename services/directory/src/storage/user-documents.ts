import { Schema, type Connection, type Model } from 'mongoose';
import { searchable, type Searchable } from '../domain/user-search.ts';
import type { User } from '../domain/user.ts';
import type { ListedUser } from '../ports/user-store.ts';
import { USERS } from './index-plans.ts';

/** A user as MongoDB holds one. */
export type UserDocument = Omit<User, 'id' | 'skypeUsername'> & {
  readonly _id: string;
  readonly skypeUsername?: string;
  /** What searches compare: always written, made of the rest, and left out where users are read. */
  readonly search?: Searchable;
};

/** A user without the notification rules. */
export type ListedUserDocument = Omit<UserDocument, 'notificationRules'>;

const roleSchema = new Schema({ id: String, name: String }, { _id: false, id: false });
const contactSchema = new Schema(
  {
    id: String,
    method: String,
    to: String,
    enabled: Boolean,
    verification: Schema.Types.Mixed,
    device: Schema.Types.Mixed,
  },
  { _id: false, id: false, minimize: false },
);
const versionSchema = new Schema({ epoch: Number, n: Number }, { _id: false });

// Indexes are made by the migration step, never by the model. Empty maps and strings are kept as they are.
const userSchema = new Schema<UserDocument>(
  {
    _id: { type: String, required: true },
    username: { type: String, required: true },
    fullName: { type: String, required: true },
    role: { type: roleSchema, required: true },
    skypeUsername: String,
    userAddress: { type: Schema.Types.Mixed, required: true },
    tags: [String],
    details: { type: Schema.Types.Mixed, required: true },
    timeZone: { type: String, required: true },
    locale: { type: String, required: true },
    invitationDisabled: { type: Boolean, required: true },
    blocked: { type: Boolean, required: true },
    verified: { type: Boolean, required: true },
    mutedUntil: Date,
    createdAt: { type: Date, required: true },
    contacts: [contactSchema],
    codesSent: Schema.Types.Mixed,
    notificationRules: [Schema.Types.Mixed],
    version: { type: versionSchema, required: true },
    search: { type: Schema.Types.Mixed, required: true, select: false },
  },
  { collection: USERS, minimize: false, versionKey: false, id: false },
);

/** The model of users on a connection; asked again, the same one. */
export function userModel(connection: Connection): Model<UserDocument> {
  return (connection.models['User'] as Model<UserDocument> | undefined) ?? connection.model('User', userSchema);
}

export function userDocument(user: User): UserDocument {
  const { id, skypeUsername, ...rest } = user;
  return { _id: id, ...rest, ...(skypeUsername === undefined ? {} : { skypeUsername }), search: searchable(user) };
}

export function userFrom({ _id, ...rest }: UserDocument): User {
  return { id: _id, skypeUsername: undefined, ...rest };
}

export function listedUserFrom({ _id, ...rest }: ListedUserDocument): ListedUser {
  return { id: _id, skypeUsername: undefined, ...rest };
}
