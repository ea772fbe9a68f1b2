import type { ScheduleState } from '@tocsin/contracts';
import type { Connection } from '@tocsin/persistence';
import { Schema, type Model } from 'mongoose';
import type { Rotation, Schedule } from '../domain/schedule.ts';
import { scheduleMessage } from '../domain/states.ts';
import { MongoCatalogue, type Document } from './mongo-catalogue.ts';

const participant = new Schema({ type: { type: String, required: true }, id: String }, { _id: false, id: false });

const rotation = new Schema(
  {
    id: { type: String, required: true },
    name: { type: String, required: true },
    type: { type: String, required: true },
    length: { type: Number, required: true },
    startAt: { type: Date, required: true },
    endAt: Date,
    participants: [participant],
  },
  { _id: false, id: false },
);

// The unique index on `name` is made by the migration step, never by the model.
const schedule = new Schema({
  _id: { type: String, required: true },
  name: { type: String, required: true },
  description: String,
  timezone: { type: String, required: true },
  enabled: { type: Boolean, required: true },
  ownerTeamId: String,
  rotations: [rotation],
  createdAt: { type: Date, required: true },
  version: { epoch: { type: Number, required: true }, n: { type: Number, required: true } },
});

type ScheduleDocument = Document<Schedule>;

/** The collection `schedules`, rotations included. */
export function mongoSchedules(connection: Connection): MongoCatalogue<Schedule, ScheduleState> {
  const model = connection.model('Schedule', schedule, 'schedules') as unknown as Model<ScheduleDocument>;
  return new MongoCatalogue({ model, read, message: scheduleMessage });
}

function read(document: ScheduleDocument): Schedule {
  return {
    id: document._id,
    name: document.name,
    description: document.description,
    timezone: document.timezone,
    enabled: document.enabled,
    ownerTeamId: document.ownerTeamId,
    rotations: document.rotations.map(readRotation),
    createdAt: document.createdAt,
    version: document.version,
  };
}

function readRotation({ id, name, type, length, startAt, endAt, participants }: Rotation): Rotation {
  return { id, name, type, length, startAt, endAt, participants };
}
