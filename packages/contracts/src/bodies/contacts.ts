import { z } from 'zod';
import { alsoTaking } from '../described.ts';
import { isEmailAddress, oneOf, PLAIN_EMAIL_ADDRESS, requiredText } from '../primitives.ts';

/** The methods of contacts that callers may add; a mobile contact is a device that was registered (part 3, 2.2; U13). */
export const ContactBodyMethod = oneOf(['email', 'sms', 'voice']);
export type ContactBodyMethod = z.infer<typeof ContactBodyMethod>;

/** A country code of 1 to 3 digits, a hyphen, 1 to 15 digits (U3). */
const PHONE_NUMBER = /^\d{1,3}-\d{1,15}$/;

/** What an address of a method must look like, and what its refusal says (U3). */
const FORMS: Readonly<Record<ContactBodyMethod, readonly [(to: string) => boolean, string]>> = {
  email: [isEmailAddress, 'must be a well-formed email address'],
  sms: [(to) => PHONE_NUMBER.test(to), 'should be a country code, a hyphen and a number, such as 1-5551234567'],
  voice: [(to) => PHONE_NUMBER.test(to), 'should be a country code, a hyphen and a number, such as 1-5551234567'],
};

/** What is wrong with an address of a contact of that method; undefined where nothing is (U3). */
export function contactAddressFault(method: ContactBodyMethod, to: string): string | undefined {
  const [fits, fault] = FORMS[method];
  return fits(to) ? undefined : fault;
}

const address = requiredText('Address').transform((to) => to.trim());

/** What an address must look like, as JSON Schema. */
const MAIL = { pattern: PLAIN_EMAIL_ADDRESS };
const PHONE = { pattern: PHONE_NUMBER.source };

const NewContact = z.object({ method: ContactBodyMethod, to: address });

/** Part 3, 4.2: the body that adds a contact to a user; the form of `to` is that of the method (U3). */
export const CreateContactBody = NewContact.pipe(
  z.custom<z.output<typeof NewContact>>().superRefine(({ method, to }, context) => {
    const message = contactAddressFault(method, to);
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['to'], message });
  }),
).meta({
  anyOf: [
    { properties: { method: { const: 'email' }, to: MAIL } },
    { properties: { method: { enum: ['sms', 'voice'] }, to: PHONE } },
  ],
});
export type CreateContactBody = z.infer<typeof CreateContactBody>;

/** Part 3, 4.2: the body that gives a contact another address; which form it must have depends on the contact. */
export const UpdateContactBody = z.object({ to: address.meta({ anyOf: [MAIL, PHONE] }) });
export type UpdateContactBody = z.infer<typeof UpdateContactBody>;

/** The body that registers a device for push messages: what its owner calls it (U13). */
export const RegisterDeviceBody = z.object({ name: requiredText('Name', 100).transform((name) => name.trim()) });
export type RegisterDeviceBody = z.infer<typeof RegisterDeviceBody>;

/** The body that confirms a contact: the six digits that were sent, also as a number (U3). */
export const ConfirmContactBody = z.object({
  code: z
    .preprocess(
      (value) => (typeof value === 'number' ? String(value).padStart(6, '0') : value),
      z
        .string('should be the six digits of the code')
        .trim()
        .regex(/^\d{6}$/, 'should be the six digits of the code'),
    )
    .meta(alsoTaking({ type: 'integer', minimum: 0, maximum: 999_999 })),
});
export type ConfirmContactBody = z.infer<typeof ConfirmContactBody>;
