import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SERVICES, type ServiceName } from '@tocsin/events';
import {
  eventually,
  type Mailbox,
  pressKey,
  type ProviderDouble,
  type PushedMessage,
  Scenario,
  sendText,
  startMailbox,
  startNtfy,
  startTwilio,
  stepTo,
  type TwilioMessage,
  twilioSettings,
} from '@tocsin/testkit';
import { Api } from './system/api.ts';
import { newInstallation } from './system/installation.ts';
import { Ledger } from './system/ledger.ts';
import { ServiceProcess } from './system/service-process.ts';

const PUBLIC_URL = 'https://tocsin.example.com';
/** What the log calls a message of each method. */
const METHODS = ['mail', 'text message', 'call', 'push'] as const;

/** A user who is notified by mail, text message, call and push, all at once, and the alert of which they are notified. */
interface PagedPerson {
  readonly address: string;
  readonly phone: string;
  readonly topic: string;
  readonly alias: string;
}

/** How a user acknowledges. */
type Answer = (person: PagedPerson) => Promise<void>;

let mailbox: Mailbox;
let twilio: ProviderDouble<TwilioMessage>;
let ntfy: ProviderDouble<PushedMessage>;
let api: Api;
let scenario: Scenario;
let ledger: Ledger;
const services: ServiceProcess[] = [];
/** Every user who was paged in a test. */
const all: PagedPerson[] = [];

beforeAll(async () => {
  [mailbox, twilio, ntfy] = await Promise.all([startMailbox(), startTwilio(), startNtfy()]);
  const installation = await newInstallation(mailbox.url, 'fatal');
  const settings = {
    PUBLIC_URL,
    CALLBACK_URL: PUBLIC_URL,
    SMS_PROVIDERS: 'twilio',
    VOICE_PROVIDERS: 'twilio',
    ...twilioSettings(twilio.url),
    PUSH_URL: ntfy.url,
  };
  for (const name of SERVICES)
    services.push(new ServiceProcess(name, { ...installation.environmentOf(name), ...settings }));
  await Promise.all(services.map((service) => service.start()));
  ledger = new Ledger(installation);
  api = new Api(installation.gatewayUrl);
  scenario = new Scenario(api, 'started.example.com', new Date());
});

afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await Promise.all([mailbox.stop(), twilio.stop(), ntfy.stop()]);
});

/** Creates a user with a contact of each method, whose rule notifies them by all of these at once. */
async function pagedPerson(name: string): Promise<PagedPerson> {
  await scenario.users(name);
  const address = scenario.address(name);
  const user = `/v2/users/${address}`;
  const phone = `1-555123${String(1_000 + all.length)}`;
  for (const method of ['sms', 'voice']) await api.create(`${user}/contacts`, { method, to: phone });
  const { topic } = await api.create<{ topic: string }>(`${user}/devices`, { name: 'Phone' });
  const contacts = { email: address, sms: phone, voice: phone, mobile: topic };
  const steps = Object.entries(contacts).map(([method, to]) => stepTo(to, 0, method));
  await scenario.changeRule(name, 'create-alert', { steps });
  const person = { address, phone: `+${phone.replace('-', '')}`, topic, alias: scenario.name(`disk-of-${name}`) };
  all.push(person);
  return person;
}

/** As a client does it: again and again until it is accepted; the alias folds what was accepted unseen. */
const alert = ({ address, alias }: PagedPerson): Promise<string> =>
  eventually(
    () => scenario.alert({ alias, message: alias, priority: 'P1', responders: [{ type: 'user', username: address }] }),
    { everyMs: 200 },
  );

const twilioTook = (kind: TwilioMessage['kind'], { alias, phone }: PagedPerson): TwilioMessage | undefined =>
  twilio.taken.find(({ content, kind: is, to }) => is === kind && to === phone && content.includes(alias));

/** Resolves when each of the four ways has brought the alert. */
const isNotified = (person: PagedPerson): Promise<void> =>
  eventually(
    () => {
      const { address, alias, topic } = person;
      expect({
        mail: mailbox.mails.some(({ subject, to }) => to.includes(address) && subject.includes(alias)),
        text: twilioTook('message', person) !== undefined,
        call: twilioTook('call', person) !== undefined,
        push: ntfy.taken.some((push) => push.topic === topic && push.title?.includes(alias)),
      }).toEqual({ mail: true, text: true, call: true, push: true });
    },
    { everyMs: 100 },
  );

/** By the button of the page to which the link of the mail leads. */
const byPage: Answer = async ({ address, alias }) => {
  const mail = mailbox.mails.find(({ subject, to }) => to.includes(address) && subject.includes(alias));
  const [, link = ''] = /^Acknowledge: (\S+)$/m.exec(mail?.text ?? '') ?? [];
  const url = api.url + link.slice(PUBLIC_URL.length);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await fetch(url, { method: 'POST', headers })).status).toBe(202);
};

/** By key 1 during the call. */
const byKey: Answer = async (person) => {
  const { content } = await pressKey(twilioTook('call', person) ?? { content: '' }, '1', { at: api.url });
  if (!content.includes('is accepted')) throw new Error(`The key was answered ${content}`);
};

/** With the code of the text message. */
const byReply: Answer = async (person) => {
  const [, code = ''] = / Reply ack (\w+) or close \1$/.exec(twilioTook('message', person)?.content ?? '') ?? [];
  const reply = { from: person.phone, text: `ack ${code}`, sid: `SM${person.phone.slice(1).padStart(32, '0')}` };
  const answer = await sendText(`${PUBLIC_URL}/callbacks/twilio`, reply, { at: api.url });
  if (!answer.content.includes('is accepted')) throw new Error(`${code} was answered ${answer.content}`);
};

/** How each answer stands in the explanation. */
const ANSWERS: readonly (readonly [name: string, answer: Answer, explained: string])[] = [
  ['page', byPage, 'acknowledges the alert by the link of a mail.'],
  ['reply', byReply, 'acknowledges the alert by the reply of a text message'],
  ['key', byKey, 'acknowledges the alert by the key of a call'],
];

interface Explanation {
  readonly steps: readonly { readonly stage: string; readonly outcome: string; readonly text: string }[];
}

/** The owner of the alert, whether the explanation has a sentence about them, and the methods of the sent messages in it. */
async function stateOf({ address, alias }: PagedPerson, explained: string) {
  const { id, acknowledged, owner } = await scenario.alertOf<{ id: string; acknowledged: boolean; owner: string }>(
    alias,
  );
  const { steps } = await api.read<Explanation>(`/v2/alerts/${id}/explanation`);
  const isExplained = steps.some(({ text }) => text.includes(`${address} ${explained}`));
  const sent = steps.filter(({ outcome, stage }) => stage === 'deliver' && outcome === 'sent').map(({ text }) => text);
  const isSent = (method: string) => sent.some((text) => text.includes(`The ${method} to ${address} was handed over`));
  return { acknowledged, owner, isExplained, methods: METHODS.filter(isSent) };
}

const acknowledgedBy = (owner: string) => ({ acknowledged: true, owner, isExplained: true, methods: METHODS });

describe('a started system', () => {
  it.each(ANSWERS)(
    'pages by mail, text message, call and push, takes an acknowledgement by %s, and explains all that',
    async (name, answer, explained) => {
      const person = await pagedPerson(`by-${name}`);
      await alert(person);
      await isNotified(person);
      await answer(person);
      await eventually(
        async () => {
          expect(await stateOf(person, explained)).toEqual(acknowledgedBy(person.address));
        },
        { everyMs: 100 },
      );
    },
  );

  it('does all that after each of its services was killed while it pages, and its ledger balances', async () => {
    const paged = new Map<ServiceName, PagedPerson>();
    for (const name of SERVICES) paged.set(name, await pagedPerson(name));
    for (const service of services) {
      const person = paged.get(service.name);
      if (person === undefined) throw new Error(`No user is paged while ${service.name} dies.`);
      const accepted = alert(person);
      await service.kill();
      await service.start();
      await accepted;
    }
    for (const [index, person] of [...paged.values()].entries()) {
      const [, answer, explained] = ANSWERS[index % ANSWERS.length] ?? ['', byPage, ''];
      await isNotified(person);
      await answer(person);
      await eventually(
        async () => {
          expect(await stateOf(person, explained)).toEqual(acknowledgedBy(person.address));
        },
        { everyMs: 100 },
      );
    }
    await eventually(
      async () => {
        expect(await ledger.read()).toMatchObject({
          commands: { lost: 0, waiting: 0 },
          flows: { overdue: 0 },
          messages: { waiting: 0, undelivered: 0 },
          balances: true,
        });
      },
      { everyMs: 1_000 },
    );
    const addresses = new Set(all.map(({ address }) => address));
    expect(mailbox.mails.filter(({ to }) => !to.every((address) => addresses.has(address)))).toEqual([]);
  });
});
