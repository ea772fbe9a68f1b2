import { z } from 'zod';
import { CreateEscalationBody, IdentifierQuery, UpdateEscalationBody } from '@tocsin/contracts';
import { Escalation } from '../answers/escalations.ts';
import { Named } from '../answers/shared.ts';
import { area } from '../description.ts';
import { changedAnswer, createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';

const written = { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e12', name: 'Database on call' };
const body = {
  name: 'Database on call',
  ownerTeam: { name: 'Database' },
  rules: [
    {
      condition: 'if-not-acked',
      notifyType: 'default',
      delay: { timeAmount: 5 },
      recipient: { type: 'schedule', name: 'Database nights' },
    },
  ],
  repeat: { waitInterval: 10, count: 3 },
};
const escalation = {
  ...written,
  description: '',
  ownerTeam: { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e13', name: 'Database' },
  rules: [
    {
      condition: 'if-not-acked',
      notifyType: 'default',
      delay: { timeAmount: 5, timeUnit: 'minutes' },
      recipient: { type: 'schedule', id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e14', name: 'Database nights' },
    },
  ],
  repeat: { waitInterval: 10, count: 3, resetRecipientStates: false, closeAlertAfterAll: false },
};

/** Part 2, 4.6a. */
export const ESCALATIONS = area({
  'create-escalation': {
    body: { schema: CreateEscalationBody, example: body },
    success: createdAnswer(Named, written),
    refusals: [404, 409],
  },
  'get-escalation': {
    query: IdentifierQuery,
    success: dataAnswer(Escalation, escalation),
    refusals: [404],
  },
  'list-escalations': {
    success: dataAnswer(z.array(Escalation), [escalation]),
  },
  'update-escalation': {
    description: 'What the body leaves out stays as it is.',
    query: IdentifierQuery,
    body: { schema: UpdateEscalationBody, example: { name: 'Database by night' } },
    success: changedAnswer('Updated', Named, { ...written, name: 'Database by night' }),
    refusals: [404, 409],
  },
  'delete-escalation': {
    query: IdentifierQuery,
    success: doneAnswer('Deleted'),
    refusals: [404, 428],
  },
});
