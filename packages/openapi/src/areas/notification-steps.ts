import { z } from 'zod';
import { CreateNotificationStepBody, UpdateNotificationStepBody } from '@tocsin/contracts';
import { NotificationStep } from '../answers/notification-rules.ts';
import { Id } from '../answers/shared.ts';
import { area } from '../description.ts';
import { changedAnswer, createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';
import { OF_USER } from './paths.ts';

const id = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e33';
const body = {
  contact: { method: 'sms', to: '44-2079460000' },
  sendAfter: { timeAmount: 5, timeUnit: 'minutes' },
  enabled: true,
};
const step = { id, ...body, _parent: { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e32', name: 'Urgent at night' } };

const changed = (result: string) => changedAnswer(result, z.object({ id: Id }), { id });

/** Part 3, 4.4. */
export const NOTIFICATION_STEPS = area({
  'create-notification-step': {
    description:
      'The step uses one of the contacts of the user. In rules for created and assigned alerts `sendAfter` is needed.',
    path: OF_USER,
    body: { schema: CreateNotificationStepBody, example: body },
    success: createdAnswer(z.object({ id: Id }), { id }),
    refusals: [404],
  },
  'list-notification-steps': {
    path: OF_USER,
    success: dataAnswer(z.array(NotificationStep), [step]),
    refusals: [404],
  },
  'get-notification-step': {
    path: OF_USER,
    success: dataAnswer(NotificationStep, step),
    refusals: [404],
  },
  'update-notification-step': {
    description: 'What the body leaves out stays as it is.',
    path: OF_USER,
    body: { schema: UpdateNotificationStepBody, example: { sendAfter: { timeAmount: 10 } } },
    success: changed('Updated'),
    refusals: [404],
  },
  'delete-notification-step': {
    path: OF_USER,
    success: doneAnswer('Deleted'),
    refusals: [404],
  },
  'enable-notification-step': { path: OF_USER, success: changed('Enabled'), refusals: [404] },
  'disable-notification-step': { path: OF_USER, success: changed('Disabled'), refusals: [404] },
});
