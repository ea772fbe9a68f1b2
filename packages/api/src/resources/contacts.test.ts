import { describe, expect, it } from '@jest/globals';
import { ConfirmContactBody, contactAddressFault, CreateContactBody, UpdateContactBody } from './contacts.ts';

const PHONE_FAULT = 'should be a country code, a hyphen and a number, such as 1-5551234567';

const faults = (body: unknown) =>
  CreateContactBody.safeParse(body).error?.issues.map(({ path, message }) => [path.join('.'), message]);

describe('CreateContactBody', () => {
  it.each([
    ['email', 'ada+night@example.com'],
    ['email', 'a.d.a@mail.example.com'],
    ['sms', '1-5551234567'],
    ['voice', '90-123'],
    ['SMS', '001-1'],
    ['Voice', `123-${'9'.repeat(15)}`],
    ['EMAIL', `${'a'.repeat(64)}@${'b'.repeat(935)}`],
  ])('takes %s of the form of its method', (method, to) => {
    expect(CreateContactBody.parse({ method, to })).toEqual({ method: method.toLowerCase(), to });
  });

  it('keeps an address as written, without the white space around it', () => {
    const body = { method: 'email', to: ' Ada@Example.com\n', unknown: 1 };
    expect(CreateContactBody.parse(body)).toEqual({ method: 'email', to: 'Ada@Example.com' });
  });

  it.each(['mobile', 'fax', '', null, undefined, 7])('refuses the method %p', (method) => {
    expect(faults({ method, to: 'ada@example.com' })).toEqual([['method', 'should be one of [ email, sms, voice ]']]);
  });

  it.each([
    ['sms', '5551234567'],
    ['sms', '1234-5'],
    ['sms', '-5'],
    ['sms', '1-'],
    ['voice', `1-${'9'.repeat(16)}`],
    ['voice', '+1-555'],
    ['voice', '1-555-1234'],
    ['voice', '1-55a'],
    ['voice', '١-٢'],
    ['voice', 'ada@example.com'],
  ])('refuses %s to %s', (method, to) => {
    expect(faults({ method, to })).toEqual([['to', PHONE_FAULT]]);
  });

  it.each([
    'ada',
    'Ada <ada@example.com>',
    'ada@example.com, bob@example.com',
    'ada@example.com\r\nBcc: bob@example.com',
    '1-555',
    'a..b@example.com',
    '.ada@example.com',
    'ada.@example.com',
  ])('refuses email to %p', (to) => {
    expect(faults({ method: 'email', to })).toEqual([['to', 'must be a well-formed email address']]);
  });

  it('refuses an address that is missing, blank or too long', () => {
    for (const to of [undefined, null, '', ' ', 7])
      expect(faults({ method: 'sms', to })).toEqual([['to', 'Address can not be empty.']]);
    const to = `${'a'.repeat(64)}@${'b'.repeat(936)}`;
    expect(faults({ method: 'email', to })).toEqual([['to', 'should be at most 1000 characters']]);
  });
});

describe('UpdateContactBody', () => {
  it('reads the address and nothing else', () => {
    const body = { id: 'contact', method: 'sms', to: '1-555', status: { enabled: true } };
    expect(UpdateContactBody.parse(body)).toEqual({ to: '1-555' });
    expect(UpdateContactBody.safeParse({}).success).toBe(false);
  });
});

describe('contactAddressFault', () => {
  it('finds none in what fits the method', () => {
    expect(contactAddressFault('voice', '39-06')).toBeUndefined();
    expect(contactAddressFault('email', '39-06')).toBe('must be a well-formed email address');
  });
});

describe('ConfirmContactBody', () => {
  it.each([
    ['012345', '012345'],
    [' 012345 ', '012345'],
    [12_345, '012345'],
    [123_456, '123456'],
  ])('reads %p as %s', (code, read) => {
    expect(ConfirmContactBody.parse({ code })).toEqual({ code: read });
  });

  it.each(['12345', '1234567', '12345a', '', null, undefined, 1_234_567, -1, 1.5, {}, '١٢٣٤٥٦'])(
    'refuses %p',
    (code) => {
      expect(ConfirmContactBody.safeParse({ code }).success).toBe(false);
    },
  );
});
