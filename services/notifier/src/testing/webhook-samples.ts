import type { ConsumedBatch, WebhookCommand, WebhookSettings } from '@tocsin/events';

export const AT = '2026-01-01T00:00:00.000Z';
export const NOW = new Date(AT);

/** The command for the integration `hook` about the creation of an alert about a full disk, with the given fields. */
export function webhookCommand({
  alert = {},
  ...fields
}: Partial<Omit<WebhookCommand, 'alert'>> & { alert?: Partial<WebhookCommand['alert']> } = {}): WebhookCommand {
  const { action = 'Create', alertId = 'a1', version = 1 } = fields;
  return {
    commandId: `${alertId}/${version}:${action}`,
    alertId,
    version,
    action,
    integrationIds: ['hook'],
    actor: 'Alert API',
    through: { id: 'i1', name: 'Default API', type: 'API' },
    at: AT,
    ...fields,
    alert: {
      tinyId: '7',
      alias: 'disk',
      message: 'Disk full',
      description: 'No space left',
      source: '10.0.0.1',
      entity: 'db1',
      priority: 'P3',
      owner: '',
      tags: ['db'],
      actions: [],
      details: { rack: 'b2' },
      responders: [],
      createdAt: AT,
      updatedAt: AT,
      ...alert,
    },
  };
}

/** A webhook at example.com, with the given fields. */
export const webhookSettings = (fields: Partial<WebhookSettings> = {}): WebhookSettings => ({
  id: 'hook',
  version: { epoch: 1, n: 1 },
  name: 'Hook',
  type: 'Webhook',
  isOn: true,
  url: 'https://example.com/hook',
  headers: [],
  addAlertDetails: false,
  addAlertDescription: false,
  signingSecrets: ['a secret'],
  ...fields,
});

/** `commands` as one batch of a partition. */
export const webhookBatch = (commands: readonly WebhookCommand[], firstOffset = 0): ConsumedBatch<WebhookCommand> => ({
  topic: 'webhook-commands.v1',
  partition: 0,
  clusterId: 'c1',
  records: commands.map((value, index) => ({ offset: firstOffset + index, key: value.alertId, timestampMs: 1, value })),
});
