import { z } from 'zod';
import { Id } from '../answers/shared.ts';
import { MEDIUM_BODY, NO_RULES, resource, SMALL_BODY } from '../operation.ts';
import { changedAnswer, createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';
import { CreateNotificationStepBody, UpdateNotificationStepBody } from './notification-rule-bodies.ts';
import { NotificationStep } from './notification-rules.ts';
import { OF_USER } from './paths.ts';

const read = { right: 'read-configuration', domain: 'configuration', owner: 'directory' } as const;
/** People belong to the account, so no team key changes them, their contacts or their rules (K8). */
const write = {
  right: 'write-configuration',
  domain: 'configuration',
  owner: 'directory',
  teamKeys: 'refused',
  people: 'self',
} as const;
const ALL = '/v2/users/{userIdentifier}/notification-rules';
const RULE = `${ALL}/{ruleId}`;
const STEPS = `${RULE}/steps`;
const STEP = `${STEPS}/{stepId}`;

const id = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e33';
const body = {
  contact: { method: 'sms', to: '44-2079460000' },
  sendAfter: { timeAmount: 5, timeUnit: 'minutes' },
  enabled: true,
};
const step = { id, ...body, _parent: { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e32', name: 'Urgent at night' } };

const changed = (result: string) => changedAnswer(result, z.object({ id: Id }), { id });

/** Part 3, 4.4. */
export const NOTIFICATION_STEPS = resource('Notification steps', NO_RULES, {
  'create-notification-step': {
    ...write,
    ...MEDIUM_BODY,
    method: 'POST',
    path: STEPS,
    summary: 'Adds a step to a rule',
    description:
      'The step uses one of the contacts of the user. In rules for created and assigned alerts `sendAfter` is needed.',
    params: OF_USER,
    body: { schema: CreateNotificationStepBody, example: body },
    success: createdAnswer(z.object({ id: Id }), { id }),
    refusals: [404],
  },
  'list-notification-steps': {
    ...read,
    method: 'GET',
    path: STEPS,
    summary: 'Lists the steps of a rule',
    params: OF_USER,
    success: dataAnswer(z.array(NotificationStep), [step]),
    refusals: [404],
  },
  'get-notification-step': {
    ...read,
    method: 'GET',
    path: STEP,
    summary: 'Reads a step',
    params: OF_USER,
    success: dataAnswer(NotificationStep, step),
    refusals: [404],
  },
  'update-notification-step': {
    ...write,
    ...MEDIUM_BODY,
    method: 'PATCH',
    path: STEP,
    summary: 'Changes a step',
    description: 'What the body leaves out stays as it is.',
    params: OF_USER,
    body: { schema: UpdateNotificationStepBody, example: { sendAfter: { timeAmount: 10 } } },
    success: changed('Updated'),
    refusals: [404],
  },
  'delete-notification-step': {
    ...write,
    ...SMALL_BODY,
    method: 'DELETE',
    path: STEP,
    summary: 'Deletes a step',
    params: OF_USER,
    success: doneAnswer('Deleted'),
    refusals: [404],
  },
  'enable-notification-step': {
    ...write,
    ...SMALL_BODY,
    method: 'POST',
    path: `${STEP}/enable`,
    summary: 'Enables a step',
    params: OF_USER,
    success: changed('Enabled'),
    refusals: [404],
  },
  'disable-notification-step': {
    ...write,
    ...SMALL_BODY,
    method: 'POST',
    path: `${STEP}/disable`,
    summary: 'Disables a step',
    params: OF_USER,
    success: changed('Disabled'),
    refusals: [404],
  },
});
