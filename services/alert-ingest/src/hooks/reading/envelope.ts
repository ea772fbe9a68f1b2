import type { Steps } from '@tocsin/core';
import type { HookRequest } from '../item.ts';
import { objectIn } from './payload.ts';

/** The content of a message of a messaging service, and what the service says of it. */
interface Opened {
  readonly payload: unknown;
  readonly envelope: unknown;
  /** The same in each delivery of the message. */
  readonly messageId?: string | undefined;
}

/** A message may be in the envelope of another service. */
const MAX_ENVELOPES = 2;

/**
 * Takes the payload out of the envelope of Amazon SNS, of CloudEvents or of a push of Google Cloud Pub/Sub, in steps. The envelope of the
 * result is the outermost one. It leaves other requests as they are.
 */
export function* opened(request: HookRequest): Steps<HookRequest> {
  const named = nameOf(request.headers);
  let result: HookRequest = { ...request, ...(named !== undefined && { messageId: named }) };
  for (let count = 0; count < MAX_ENVELOPES; count += 1) {
    const found = yield* openedOnce(result);
    if (found === undefined) break;
    result = {
      ...result,
      payload: found.payload,
      envelope: result.envelope ?? found.envelope,
      messageId: result.messageId ?? found.messageId,
    };
  }
  return result;
}

/** The name that the sender gives the request in a header. */
function nameOf(headers: HookRequest['headers']): string | undefined {
  const { 'idempotency-key': key, 'x-amz-sns-message-id': sns, 'ce-id': id, 'ce-source': source } = headers;
  return key ?? sns ?? (id !== undefined && source !== undefined ? `${source} ${id}` : undefined);
}

function* openedOnce({ payload }: HookRequest): Steps<Opened | undefined> {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return undefined;
  const message = payload as Readonly<Record<string, unknown>>;
  return (yield* ofSns(message)) ?? ofCloudEvent(message) ?? (yield* ofPubSub(message));
}

/** A notification. A message that confirms a subscription stays as it is ({@link subscriptionOf}). */
function* ofSns({ Message, ...others }: Readonly<Record<string, unknown>>): Steps<Opened | undefined> {
  const { Type, TopicArn, Subject, MessageId } = others;
  if (Type !== 'Notification' || typeof TopicArn !== 'string' || typeof Message !== 'string') return undefined;
  const subject = typeof Subject === 'string' ? { subject: Subject } : {};
  const payload = (yield* objectIn(Message)) ?? { ...subject, message: Message };
  return { payload, envelope: others, messageId: textOf(MessageId) };
}

/** An event with its attributes and its data in one object. */
function ofCloudEvent({ data, ...attributes }: Readonly<Record<string, unknown>>): Opened | undefined {
  const { specversion, id, source, type } = attributes;
  const isEvent = [specversion, id, source, type].every((attribute) => typeof attribute === 'string');
  if (!isEvent || typeof data !== 'object' || data === null) return undefined;
  return { payload: data, envelope: attributes, messageId: `${textOf(source)} ${textOf(id)}` };
}

/** A push with its data in Base64. */
function* ofPubSub({ message, subscription }: Readonly<Record<string, unknown>>): Steps<Opened | undefined> {
  if (typeof message !== 'object' || message === null || typeof subscription !== 'string') return undefined;
  const { data, ...others } = message as Readonly<Record<string, unknown>>;
  if (typeof data !== 'string') return undefined;
  const text = Buffer.from(data, 'base64').toString();
  yield;
  const payload = (yield* objectIn(text)) ?? { message: text };
  return { payload, envelope: { subscription, message: others }, messageId: textOf(others['messageId']) };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** A topic of Amazon SNS that waits for the confirmation of its subscription. */
export interface Subscription {
  readonly topic: string;
  /** What confirms it; undefined where that leads elsewhere than to Amazon. */
  readonly url: string | undefined;
  readonly signature: Signature;
}

/** By what the message says that Amazon SNS sent it; an absent value is empty. */
interface Signature {
  readonly version: string;
  readonly certificateUrl: string;
  /** What is signed. */
  readonly text: string;
  /** In Base64. */
  readonly value: string;
}

/**
 * The beginning of each URL of Amazon SNS, as the source of a pattern. With the form of a region, because `sns.s3.amazonaws.com` and
 * `sns.s3-eu-west-1.amazonaws.com` are a bucket with the name sns, which has an owner of its own.
 */
export const SNS_ORIGIN = String.raw`^https://sns\.[a-z]{2,4}(-[a-z]{2,12}){1,2}-\d{1,2}\.amazonaws\.com(\.cn)?/`;
const SUBSCRIBE_URL = new RegExp(SNS_ORIGIN);

/** The name of a topic. Any other text is not said to be one: the alert that asks for a confirmation is of Tocsin, not of the sender. */
const TOPIC = /^arn:[a-z-]{1,20}:sns:[a-z0-9-]{1,30}:\d{1,12}:[\w-]{1,256}(\.fifo)?$/;

/** The subscription that the request asks to confirm. */
export function subscriptionOf({ payload }: Pick<HookRequest, 'payload'>): Subscription | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined;
  const message = payload as Readonly<Record<string, unknown>>;
  const { Type, TopicArn, SubscribeURL: url } = message;
  if (Type !== 'SubscriptionConfirmation' || typeof url !== 'string') return undefined;
  if (typeof TopicArn !== 'string' || !TOPIC.test(TopicArn)) return undefined;
  return { topic: TopicArn, url: SUBSCRIBE_URL.test(url) ? url : undefined, signature: signatureOf(message) };
}

/** What Amazon SNS signs of a confirmation, in this order. */
const SIGNED = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'] as const;

function signatureOf(message: Readonly<Record<string, unknown>>): Signature {
  const field = (name: string) => textOf(message[name]) ?? '';
  return {
    version: field('SignatureVersion'),
    certificateUrl: field('SigningCertURL'),
    text: SIGNED.map((name) => `${name}\n${field(name)}\n`).join(''),
    value: field('Signature'),
  };
}
