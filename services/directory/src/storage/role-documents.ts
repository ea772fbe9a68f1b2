import { Schema, type Connection, type Model } from 'mongoose';
import type { CustomRole } from '../domain/role.ts';
import { ROLES } from './index-plans.ts';

/** A custom role as MongoDB holds one. */
export type RoleDocument = Omit<CustomRole, 'id'> & { readonly _id: string };

// Indexes are made by the migration step, never by the model.
const roleSchema = new Schema<RoleDocument>(
  {
    _id: { type: String, required: true },
    name: { type: String, required: true },
    extendedRole: { type: String, required: true },
    grantedRights: [String],
    disallowedRights: [String],
    createdAt: { type: Date, required: true },
  },
  { collection: ROLES, versionKey: false, id: false },
);

/** The model of custom roles on a connection; asked again, the same one. */
export function roleModel(connection: Connection): Model<RoleDocument> {
  return (connection.models['Role'] as Model<RoleDocument> | undefined) ?? connection.model('Role', roleSchema);
}

export const roleDocument = ({ id, ...rest }: CustomRole): RoleDocument => ({ _id: id, ...rest });

export const roleFrom = ({ _id, ...rest }: RoleDocument): CustomRole => ({ id: _id, ...rest });
