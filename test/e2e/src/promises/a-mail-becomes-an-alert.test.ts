import { describe, expect, it } from '@jest/globals';
import { eventually } from '@tocsin/testkit';
import { sendMail } from '../send-mail.ts';
import { useSystem } from '../system.ts';

const system = useSystem();

describe('a mail to an Email integration (P10)', () => {
  it('becomes an alert that pages the recipients of the integration, where nothing but /tmp can be written', async () => {
    const scenario = system.scenario('mail-in');
    await scenario.users('ada');
    const { emailAddress } = await system.api.create<{ readonly emailAddress: string }>('/v2/integrations', {
      type: 'Email',
      name: scenario.name('Cron'),
      emailUsername: 'cron',
      recipients: [scenario.user('ada')],
    });
    const mail = { from: 'cron@db-1.example.com', to: emailAddress, subject: 'Backup failed', text: 'No space left' };
    const accepted = await sendMail(system.mailIn(), mail);

    await system.mailbox.received(scenario.address('ada'), 'Backup failed');
    const requestId = /accepted as (\S+)/.exec(accepted)?.[1] ?? accepted;
    const { alertId } = await eventually(() =>
      system.api.read<{ readonly alertId: string }>(`/v2/alerts/requests/${requestId}`),
    );
    expect(await system.api.read(`/v2/alerts/${alertId}`)).toMatchObject({
      message: 'Backup failed',
      description: 'No space left',
      source: 'cron@db-1.example.com',
    });
  });
});
