import { z } from 'zod';
import { ConfirmContactBody, CreateContactBody, RegisterDeviceBody, UpdateContactBody } from '@tocsin/contracts';
import { Id, resultOf } from '../answers/shared.ts';
import { Contact, ListedContact } from '../answers/users.ts';
import { area } from '../description.ts';
import { changedAnswer, dataAnswer } from '../successes.ts';
import { OF_USER } from './paths.ts';

const id = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e31';
const contact = { id, method: 'sms', to: '44-2079460000', status: { enabled: true } };

const identified = z.object({ id: Id });
const message = z.string().optional().meta({ description: 'What came of it beside, for people to read.' });

const changed = (result: string) => changedAnswer(result, identified, { id });

/** Part 3, 4.2, the confirmation of contacts (U3) and the registration of devices (U13). */
export const CONTACTS = area({
  'create-contact': {
    description:
      'A user has at most two contacts of each method. Where contacts have to be confirmed, a code is sent and the contact is used only after it (U3).',
    path: OF_USER,
    body: { schema: CreateContactBody, example: { method: 'sms', to: '44-2079460000' } },
    success: {
      status: 201,
      schema: resultOf('Created').extend({ data: identified, message }),
      example: { result: 'Created', data: { id } },
    },
    refusals: [404, 409],
  },
  'list-contacts': {
    path: OF_USER,
    success: dataAnswer(z.array(ListedContact), [{ ...contact, applyOrder: 0 }]),
    refusals: [404],
  },
  'get-contact': {
    path: OF_USER,
    success: dataAnswer(Contact, contact),
    refusals: [404],
  },
  'update-contact': {
    description:
      'Notification steps that use the contact move with it (U12). Where contacts have to be confirmed, the new address is (U3).',
    path: OF_USER,
    body: { schema: UpdateContactBody, example: { to: '44-2079460001' } },
    success: {
      status: 200,
      schema: resultOf('Updated').extend({ data: identified, message }),
      example: { result: 'Updated', data: { id } },
    },
    refusals: [404, 409],
  },
  'delete-contact': {
    description: 'The notification steps that use the contact go with it; the message names their rules.',
    path: OF_USER,
    success: {
      status: 200,
      schema: resultOf('Deleted').extend({ message }),
      example: { result: 'Deleted', message: 'The steps that used the contact were deleted from: New Alert.' },
    },
    refusals: [404],
  },
  'enable-contact': { path: OF_USER, success: changed('Enabled'), refusals: [404] },
  'disable-contact': {
    description: 'A disabled contact is kept and not used.',
    path: OF_USER,
    success: changed('Disabled'),
    refusals: [404],
  },
  'send-contact-verification': {
    description:
      'Older codes are of no use from then on. A code can be used for ten minutes; too many codes in a row are refused with status 429.',
    path: OF_USER,
    success: changed('Requested'),
    refusals: [404],
  },
  'confirm-contact': {
    description: 'A code can be guessed at five times. A contact that is confirmed stays so, whatever the code.',
    path: OF_USER,
    body: { schema: ConfirmContactBody, example: { code: '042137' } },
    success: changed('Verified'),
    refusals: [404],
  },
  'register-device': {
    description:
      'The answer has a secret topic of the push server. The device subscribes to it, by scanning `qrText` or opening `url`. It is a contact of method `mobile`, which notification steps may name by the topic, and which is deleted like every contact. A user has at most two. Refused where push is not set up.',
    path: OF_USER,
    body: { schema: RegisterDeviceBody, example: { name: 'Phone' } },
    success: {
      status: 201,
      schema: resultOf('Created').extend({
        data: z.object({ id: Id, topic: z.string(), url: z.url(), qrText: z.string() }),
      }),
      example: {
        result: 'Created',
        data: {
          id,
          topic: 'tocsin-4fJq0Zr7Yt1nXw9LbC2vHk5M',
          url: 'https://push.example.com/tocsin-4fJq0Zr7Yt1nXw9LbC2vHk5M',
          qrText: 'ntfy://push.example.com/tocsin-4fJq0Zr7Yt1nXw9LbC2vHk5M',
        },
      },
    },
    refusals: [404],
  },
});
