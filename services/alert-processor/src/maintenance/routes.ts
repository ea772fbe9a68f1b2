import { ImportMaintenanceBody, MaintenanceBody, MaintenanceEndDateBody, MaintenanceListQuery } from '@tocsin/api';
import { formatInstant } from '@tocsin/events';
import { defineRoute, importRoute, type Route } from '@tocsin/http';
import type { Maintenances, SeenMaintenance } from './operations.ts';

/** `/v1/maintenance` (part 1, 4.4; wire facts 5). */
export function maintenanceRoutes(maintenances: Maintenances): readonly Route[] {
  return [
    defineRoute({
      operation: 'create-maintenance',
      body: MaintenanceBody,
      handle: async ({ body, principal }) => {
        const created = await maintenances.create(body, principal);
        return { status: 201, body: { result: 'Created', data: maintenanceView(created) } };
      },
    }),
    defineRoute({
      operation: 'list-maintenances',
      query: MaintenanceListQuery,
      handle: async ({ query, principal }) => {
        const listed = await maintenances.list(query, principal);
        return { body: { data: listed.values().map(maintenanceView) } };
      },
    }),
    defineRoute({
      operation: 'get-maintenance',
      handle: async ({ params, principal }) => {
        const maintenance = await maintenances.get(idIn(params), principal);
        return { body: { data: { ...maintenanceView(maintenance), rules: maintenance.rules } } };
      },
    }),
    defineRoute({
      operation: 'update-maintenance',
      body: MaintenanceBody,
      handle: async ({ params, body, principal }) => updated(await maintenances.update(idIn(params), body, principal)),
    }),
    defineRoute({
      operation: 'change-maintenance-end-date',
      body: MaintenanceEndDateBody,
      handle: async ({ params, body: { endDate }, principal }) =>
        updated(await maintenances.changeEndDate(idIn(params), endDate, principal)),
    }),
    defineRoute({
      operation: 'cancel-maintenance',
      handle: async ({ params, principal }) => {
        await maintenances.cancel(idIn(params), principal);
        return { body: { result: 'Cancelled' } };
      },
    }),
    defineRoute({
      operation: 'delete-maintenance',
      handle: async ({ params, principal }) => {
        await maintenances.remove(idIn(params), principal);
        return { body: { result: 'Deleted' } };
      },
    }),
    importRoute({
      operation: 'import-maintenance',
      body: ImportMaintenanceBody,
      put: (id, body, principal) => maintenances.put(id, body, principal),
    }),
  ];
}

const idIn = (params: Readonly<Record<string, string>>): string => params['maintenanceId'] ?? '';

const updated = (maintenance: SeenMaintenance) => ({
  body: { result: 'Updated' as const, data: maintenanceView(maintenance) },
});

const maintenanceView = ({ id, status, type, startsAt, endsAt, description }: SeenMaintenance) => ({
  id,
  status,
  time: timeView({ type, startsAt, endsAt }),
  description,
});

/** Only a schedule shows dates: clients that compare the answer with their request would see other dates as a change. */
function timeView({ type, startsAt, endsAt }: Pick<SeenMaintenance, 'type' | 'startsAt' | 'endsAt'>) {
  if (type !== 'schedule') return { type };
  if (endsAt === undefined) return { type: 'indefinitely' as const };
  return { type, startDate: formatInstant(startsAt), endDate: formatInstant(endsAt) };
}
