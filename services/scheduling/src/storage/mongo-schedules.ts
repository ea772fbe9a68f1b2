import type { ScheduleState } from '@tocsin/contracts';
import type { Connection } from '@tocsin/persistence';
import { Schema, type Model } from 'mongoose';
import type { Override } from '../domain/override.ts';
import type { Rotation, Schedule } from '../domain/schedule.ts';
import { scheduleMessage } from '../domain/states.ts';
import { entityFields, MongoCatalogue, type Document } from './mongo-catalogue.ts';

const participant = new Schema({ type: { type: String, required: true }, id: String }, { _id: false, id: false });

const timeOfDay = {
  startHour: { type: Number, required: true },
  startMin: { type: Number, required: true },
  endHour: { type: Number, required: true },
  endMin: { type: Number, required: true },
};

const weekSpan = { startDay: { type: String, required: true }, endDay: { type: String, required: true }, ...timeOfDay };

// Each form has one of the two; a list without a default is absent rather than empty.
const timeRestriction = new Schema(
  {
    type: { type: String, required: true },
    restriction: new Schema(timeOfDay, { _id: false }),
    restrictions: { type: [new Schema(weekSpan, { _id: false })], default: undefined },
  },
  { _id: false },
);

const override = new Schema(
  {
    alias: { type: String, required: true },
    user: { type: participant, required: true },
    startAt: { type: Date, required: true },
    endAt: { type: Date, required: true },
    rotationIds: { type: [String], default: undefined },
  },
  { _id: false },
);

const rotation = new Schema(
  {
    id: { type: String, required: true },
    name: { type: String, required: true },
    type: { type: String, required: true },
    length: { type: Number, required: true },
    startAt: { type: Date, required: true },
    endAt: Date,
    participants: [participant],
    timeRestriction,
  },
  { _id: false, id: false },
);

// The unique index on `name` is made by the migration step, never by the model.
const schedule = new Schema({
  ...entityFields,
  name: { type: String, required: true },
  description: String,
  timezone: { type: String, required: true },
  enabled: { type: Boolean, required: true },
  ownerTeamId: String,
  rotations: [rotation],
  overrides: [override],
});

type ScheduleDocument = Document<Schedule>;

/** What was written before there were overrides has none. */
type AnyScheduleDocument = Omit<ScheduleDocument, 'overrides'> & Partial<Pick<Schedule, 'overrides'>>;

/** The collection `schedules`, rotations included. */
export function mongoSchedules(connection: Connection): MongoCatalogue<Schedule, ScheduleState> {
  const model = connection.model('Schedule', schedule, 'schedules') as unknown as Model<ScheduleDocument>;
  return new MongoCatalogue({ model, read, message: scheduleMessage });
}

function read(document: AnyScheduleDocument): Schedule {
  return {
    id: document._id,
    name: document.name,
    description: document.description,
    timezone: document.timezone,
    enabled: document.enabled,
    ownerTeamId: document.ownerTeamId,
    rotations: document.rotations.map(readRotation),
    overrides: (document.overrides ?? []).map(readOverride),
    createdAt: document.createdAt,
    version: document.version,
  };
}

function readRotation({ id, name, type, length, startAt, endAt, participants, timeRestriction }: Rotation): Rotation {
  return { id, name, type, length, startAt, endAt, participants, timeRestriction };
}

function readOverride({ alias, user, startAt, endAt, rotationIds }: Override): Override {
  return { alias, user, startAt, endAt, rotationIds };
}
