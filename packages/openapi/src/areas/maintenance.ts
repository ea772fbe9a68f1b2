import { z } from 'zod';
import { MaintenanceBody, MaintenanceEndDateBody, MaintenanceListQuery } from '@tocsin/contracts';
import { Maintenance, MaintenanceWithRules } from '../answers/maintenance.ts';
import { area } from '../description.ts';
import { changedAnswer, createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';

const content = {
  description: 'Database upgrade',
  time: { type: 'schedule', startDate: '2026-01-31T20:00:00Z', endDate: '2026-01-31T22:00:00Z' },
};
const rules = [{ entity: { type: 'integration', id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e23' }, state: 'disabled' }];
const window = { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e22', status: 'planned', ...content };

/** Part 1, 4.4 and wire facts 5. */
export const MAINTENANCE = area({
  'create-maintenance': {
    description:
      'A window of another type than `schedule` begins now. While it lasts an integration that it disables makes no alerts, and a policy has the state that it says.',
    body: { schema: MaintenanceBody, example: { ...content, rules } },
    success: createdAnswer(Maintenance, window),
    refusals: [404],
  },
  'list-maintenances': {
    query: MaintenanceListQuery,
    success: dataAnswer(z.array(Maintenance), [window]),
  },
  'get-maintenance': {
    success: dataAnswer(MaintenanceWithRules, { ...window, rules }),
    refusals: [404],
  },
  'update-maintenance': {
    description: 'Refused with 422 unless the window is planned.',
    body: { schema: MaintenanceBody, example: { ...content, rules } },
    success: changedAnswer('Updated', Maintenance, window),
    refusals: [404],
  },
  'change-maintenance-end-date': {
    description:
      'Refused with 422 unless the window is active and the date to come. It becomes one of type `schedule`.',
    body: { schema: MaintenanceEndDateBody, example: { endDate: content.time.endDate } },
    success: changedAnswer('Updated', Maintenance, { ...window, status: 'active' }),
    refusals: [404],
  },
  'cancel-maintenance': {
    description: 'It ends for good. Refused with 422 unless the window is planned or active.',
    success: doneAnswer('Cancelled'),
    refusals: [404],
  },
  'delete-maintenance': {
    description: 'An active window ends with it.',
    success: doneAnswer('Deleted'),
    refusals: [404],
  },
});
