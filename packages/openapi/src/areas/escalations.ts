import { z } from 'zod';
import { CreateEscalationBody, IdentifierQuery, UpdateEscalationBody } from '@tocsin/contracts';
import { Escalation } from '../answers/escalations.ts';
import { Named, resultOf } from '../answers/shared.ts';
import type { Descriptions } from '../description.ts';

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
export const ESCALATIONS = {
  'create-escalation': {
    body: { schema: CreateEscalationBody, example: body },
    success: {
      status: 201,
      schema: resultOf('Created').extend({ data: Named }),
      example: { result: 'Created', data: written },
    },
    refusals: [404, 409],
  },
  'get-escalation': {
    query: IdentifierQuery,
    success: { status: 200, schema: z.object({ data: Escalation }), example: { data: escalation } },
    refusals: [404],
  },
  'list-escalations': {
    success: { status: 200, schema: z.object({ data: z.array(Escalation) }), example: { data: [escalation] } },
  },
  'update-escalation': {
    description: 'What the body leaves out stays as it is.',
    query: IdentifierQuery,
    body: { schema: UpdateEscalationBody, example: { name: 'Database by night' } },
    success: {
      status: 200,
      schema: resultOf('Updated').extend({ data: Named }),
      example: { result: 'Updated', data: { ...written, name: 'Database by night' } },
    },
    refusals: [404, 409],
  },
  'delete-escalation': {
    query: IdentifierQuery,
    success: { status: 200, schema: resultOf('Deleted'), example: { result: 'Deleted' } },
    refusals: [404, 428],
  },
} satisfies Descriptions<
  'create-escalation' | 'get-escalation' | 'list-escalations' | 'update-escalation' | 'delete-escalation'
>;
