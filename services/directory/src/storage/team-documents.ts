import { Schema, type Connection, type Model } from 'mongoose';
import type { Team } from '../domain/team.ts';
import { TEAMS } from './index-plans.ts';

/** A team as MongoDB holds one. */
export type TeamDocument = Omit<Team, 'id' | 'defaults'> & {
  readonly _id: string;
  readonly defaults?: NonNullable<Team['defaults']>;
  /** When the team entered its phase or was taken over, by the database's clock. */
  readonly phaseAt: Date;
};

const memberSchema = new Schema({ userId: String, role: String }, { _id: false });
const defaultsSchema = new Schema({ scheduleId: String, escalationId: String }, { _id: false });
const versionSchema = new Schema({ epoch: Number, n: Number }, { _id: false });

// Indexes are made by the migration step, never by the model.
const teamSchema = new Schema<TeamDocument>(
  {
    _id: { type: String, required: true },
    name: { type: String, required: true },
    description: { type: String, default: '' },
    members: [memberSchema],
    routingRules: [Schema.Types.Mixed],
    roles: [Schema.Types.Mixed],
    defaults: defaultsSchema,
    phase: { type: String, required: true },
    phaseAt: { type: Date, required: true },
    attempt: { type: String, required: true },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    version: { type: versionSchema, required: true },
  },
  { collection: TEAMS, minimize: false, versionKey: false, id: false },
);

/** The model of teams on a connection; asked again, the same one. */
export function teamModel(connection: Connection): Model<TeamDocument> {
  return (connection.models['Team'] as Model<TeamDocument> | undefined) ?? connection.model('Team', teamSchema);
}

export function teamFrom(document: TeamDocument): Team {
  const { _id, name, description, members, routingRules, roles, defaults } = document;
  const { phase, attempt, createdBy, createdAt, version } = document;
  const life = { phase, attempt, createdBy, createdAt, version };
  return { id: _id, name, description, members, routingRules, roles, defaults, ...life };
}
