import { describe, expect, it } from '@jest/globals';
import { LinkSigner } from '@tocsin/http';
import type { ActionType } from '@tocsin/events';
import { deliveryOf, page } from '../../testing/page-samples.ts';
import { linking } from './links.ts';
import { writeMail } from '../email/message.ts';
import { writePush } from '../push/message.ts';
import { writeText } from '../sms/message.ts';
import { writeCall } from '../voice/message.ts';

const links = new LinkSigner(['a secret of component tests, 32 characters'], 'acknowledge');
const common = { accountName: 'Ops', messageIdHost: 'tocsin.example.com' };
const publicUrl = 'https://tocsin.example.com';
const sender = { ...common, publicUrl, ...linking(publicUrl, links) };
const URL_OF_A_LINK = /https:\/\/tocsin\.example\.com\/acknowledge\/[\w-]+\.\d+\.[\w-]{43}/;
const pageOf = (actionType: ActionType) => deliveryOf(page({ actionType }));

describe('the link by which an alert is acknowledged', () => {
  it('is in the text and the HTML of a mail, and is the same for every try', () => {
    const { html, text } = writeMail(pageOf('create-alert'), sender);
    const [url = ''] = URL_OF_A_LINK.exec(text) ?? [];
    expect(text.split('\n')).toContain(`Acknowledge: ${url}`);
    expect(html).toContain(`<a href="${url}"`);
    expect(writeMail({ ...pageOf('create-alert'), attempts: 3 }, sender).text).toBe(text);
    const { kind } = links.read(url.split('/').at(-1) ?? '', new Date('2026-01-07T23:59:59Z'));
    expect(kind).toBe('valid');
  });

  it('is opened by a push, and not in its text', () => {
    const { acknowledgeUrl = '', text } = writePush(pageOf('create-alert'), sender);
    expect(acknowledgeUrl).toMatch(URL_OF_A_LINK);
    expect(text).not.toContain('http');
  });

  it('is in no text message, because its parts are billed, and in no call', () => {
    expect(writeText(pageOf('create-alert'), sender).text).not.toContain('http');
    expect(writeCall(pageOf('create-alert'), sender).text).not.toContain('http');
  });

  it.each([
    ['create-alert', true],
    ['renotified-alert', true],
    ['assigned-alert', true],
    ['acknowledged-alert', false],
    ['closed-alert', false],
    ['add-note', false],
  ] as const)('is in a page of type %s: %s', (actionType, expected) => {
    expect(URL_OF_A_LINK.test(writeMail(pageOf(actionType), sender).html)).toBe(expected);
  });

  it('is in no message where the installation has no public address', () => {
    const without = { ...common, publicUrl: undefined, ...linking(undefined, links) };
    expect(writeMail(pageOf('create-alert'), without).html).not.toContain('href');
    expect(writePush(pageOf('create-alert'), without)).not.toHaveProperty('acknowledgeUrl');
  });
});
