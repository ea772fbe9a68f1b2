import { z } from 'zod';
import { CreateNotificationStepBody, UpdateNotificationStepBody } from '@tocsin/contracts';
import { NotificationStep } from '../answers/notification-rules.ts';
import { Id, resultOf } from '../answers/shared.ts';
import type { Description, Descriptions } from '../description.ts';
import { OF_USER } from './paths.ts';

const id = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e33';
const body = {
  contact: { method: 'sms', to: '44-2079460000' },
  sendAfter: { timeAmount: 5, timeUnit: 'minutes' },
  enabled: true,
};
const step = { id, ...body, _parent: { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e32', name: 'Urgent at night' } };

const written = (result: string, status: 200 | 201) =>
  ({
    status,
    schema: resultOf(result).extend({ data: z.object({ id: Id }) }),
    example: { result, data: { id } },
  }) satisfies Description['success'];

/** Part 3, 4.4. */
export const NOTIFICATION_STEPS: Descriptions<
  | 'create-notification-step'
  | 'list-notification-steps'
  | 'get-notification-step'
  | 'update-notification-step'
  | 'delete-notification-step'
  | 'enable-notification-step'
  | 'disable-notification-step'
> = {
  'create-notification-step': {
    description:
      'The step uses one of the contacts of the user. In rules for created and assigned alerts `sendAfter` is needed.',
    path: OF_USER,
    body: { schema: CreateNotificationStepBody, example: body },
    success: written('Created', 201),
    refusals: [404],
  },
  'list-notification-steps': {
    path: OF_USER,
    success: { status: 200, schema: z.object({ data: z.array(NotificationStep) }), example: { data: [step] } },
    refusals: [404],
  },
  'get-notification-step': {
    path: OF_USER,
    success: { status: 200, schema: z.object({ data: NotificationStep }), example: { data: step } },
    refusals: [404],
  },
  'update-notification-step': {
    description: 'What the body leaves out stays as it is.',
    path: OF_USER,
    body: { schema: UpdateNotificationStepBody, example: { sendAfter: { timeAmount: 10 } } },
    success: written('Updated', 200),
    refusals: [404],
  },
  'delete-notification-step': {
    path: OF_USER,
    success: { status: 200, schema: resultOf('Deleted'), example: { result: 'Deleted' } },
    refusals: [404],
  },
  'enable-notification-step': { path: OF_USER, success: written('Enabled', 200), refusals: [404] },
  'disable-notification-step': { path: OF_USER, success: written('Disabled', 200), refusals: [404] },
};
