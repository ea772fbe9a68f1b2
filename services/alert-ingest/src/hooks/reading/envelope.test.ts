import { describe, expect, it } from '@jest/globals';
import { finished } from '@tocsin/core';
import { opened, subscriptionOf } from './envelope.ts';

const ALARM = { AlarmName: 'cpu', NewStateValue: 'ALARM' };
const sns = (Message: string) => ({
  Type: 'Notification',
  MessageId: 'm-1',
  TopicArn: 'arn:aws:sns:eu-central-1:1:alarms',
  Subject: 'Alarm',
  Message,
});
const event = (data: unknown) => ({ specversion: '1.0', id: 'e-1', source: '/shop', type: 'alarm', data });
const pubSub = (text: string) => ({
  message: { data: Buffer.from(text).toString('base64'), messageId: 'p-1' },
  subscription: 'projects/shop/subscriptions/tocsin',
});
const open = (payload: unknown, headers: Readonly<Record<string, string>> = {}) =>
  finished(opened({ payload, headers, query: {} }));

describe('a message of a messaging service (Q6)', () => {
  it.each([
    ['Amazon SNS', sns(JSON.stringify(ALARM)), 'm-1'],
    ['CloudEvents', event(ALARM), '/shop e-1'],
    ['Google Cloud Pub/Sub', pubSub(JSON.stringify(ALARM)), 'p-1'],
    ['one in another', sns(JSON.stringify(event(ALARM))), 'm-1'],
  ])('of %s is its content, known by its name', (_, payload, messageId) => {
    expect(open(payload)).toMatchObject({ payload: ALARM, messageId });
  });

  it('keeps what is around the content of the outermost one', () => {
    const { envelope } = open(sns(JSON.stringify(event(ALARM))));
    expect(envelope).toEqual({ Type: 'Notification', MessageId: 'm-1', TopicArn: sns('').TopicArn, Subject: 'Alarm' });
  });

  it('that is no JSON is the message', () => {
    expect(open(sns('Disk full'))).toMatchObject({ payload: { message: 'Disk full', subject: 'Alarm' } });
    expect(open(pubSub('Disk full'))).toMatchObject({ payload: { message: 'Disk full' } });
  });

  it('in more than two envelopes is left in the third', () => {
    const third = event(ALARM);
    expect(open(sns(JSON.stringify(event(third)))).payload).toEqual(third);
  });

  it.each([
    ['Idempotency-Key', { 'idempotency-key': 'k', 'x-amz-sns-message-id': 's' }, 'k'],
    ['that of Amazon SNS', { 'x-amz-sns-message-id': 's' }, 's'],
    ['those of CloudEvents', { 'ce-id': 'i', 'ce-source': '/a' }, '/a i'],
    ['none', { 'ce-id': 'i' }, undefined],
  ])('is known by the header %s', (_, headers, messageId) => {
    expect(open(ALARM, headers)).toEqual(
      expect.objectContaining({ payload: ALARM, ...(messageId !== undefined && { messageId }) }),
    );
    expect(open(ALARM, headers).messageId).toBe(messageId);
  });

  it.each([
    ['a list', [ALARM]],
    ['an alarm', ALARM],
    ['an event without data', event(undefined)],
    ['a message without a topic', { ...sns('x'), TopicArn: 7 }],
  ])('is not %s', (_, payload) => {
    expect(open(payload)).toEqual({ payload, headers: {}, query: {} });
  });
});

describe('a subscription of Amazon SNS (Q6)', () => {
  const asked = (SubscribeURL: string) =>
    subscriptionOf({ payload: { ...sns('x'), Type: 'SubscriptionConfirmation', SubscribeURL } });

  it.each([
    ['https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription', true],
    ['https://sns.cn-north-1.amazonaws.com.cn/?Action=ConfirmSubscription', true],
    ['https://sns.us-gov-west-1.amazonaws.com/?Action=ConfirmSubscription', true],
    ['https://sns.s3.amazonaws.com/', false],
    ['https://sns.s3-eu-west-1.amazonaws.com/', false],
    ['https://sns.s3-accelerate.amazonaws.com/', false],
    ['http://sns.eu-central-1.amazonaws.com/', false],
    ['https://sns.eu-central-1.amazonaws.com.example.com/', false],
    ['https://example.com/?https://sns.eu.amazonaws.com/', false],
    ['https://sns.eu.amazonaws.com@example.com/', false],
  ])('has the link %s only if that leads to Amazon', (url, isKept) => {
    expect(asked(url)).toMatchObject({ topic: sns('').TopicArn, url: isKept ? url : undefined });
  });

  it.each(['a\nOpen the link: http://example.com', 'http://example.com', '', 'arn:aws:sns:eu-central-1:1:a b'])(
    'is none where the topic is %j, whose alert would have words of the sender as those of Tocsin',
    (TopicArn) => {
      const payload = { ...sns('x'), TopicArn, Type: 'SubscriptionConfirmation', SubscribeURL: 'https://example.com/' };
      expect(subscriptionOf({ payload })).toBeUndefined();
    },
  );
});
