import { z } from 'zod';
import { CreateHeartbeatBody, UpdateHeartbeatBody } from '@tocsin/contracts';
import { Heartbeat, HeartbeatStatus } from '../answers/heartbeats.ts';
import { resultOf } from '../answers/shared.ts';
import { area, type Description } from '../description.ts';
import { changedAnswer, createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';

const written = {
  name: 'nightly-backup',
  interval: 25,
  intervalUnit: 'hours',
  enabled: true,
  alertMessage: 'The nightly backup did not run',
  alertTags: ['backup'],
  alertPriority: 'P2',
};
const heartbeat = {
  ...written,
  description: '',
  expired: false,
  lastPingTime: '2026-01-31T02:14:07Z',
  ownerTeam: { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e13', name: 'Database' },
};
const status = { name: 'nightly-backup', enabled: true, expired: false };

const path = z.object({
  heartbeatName: z
    .string()
    .min(1)
    .meta({ description: 'The name of the heartbeat, in the letter case it was made with.' }),
});

const ping: Description = {
  description:
    'The ping is on disk before the answer, and closes the alert that an expiry opened. A name that is not there, or is disabled, is answered alike, and nothing changes (H2). A body is never read.',
  path,
  success: {
    status: 202,
    schema: resultOf('PONG - Heartbeat received'),
    example: { result: 'PONG - Heartbeat received' },
  },
};

const writeOf = (result: string, example: z.infer<typeof HeartbeatStatus>) =>
  changedAnswer(result, HeartbeatStatus, example);

/** Part 1, 4.3. */
export const HEARTBEATS = area({
  'ping-heartbeat': ping,
  'ping-heartbeat-by-post': ping,
  'ping-heartbeat-by-put': ping,
  'ping-heartbeat-by-patch': ping,
  'list-heartbeats': {
    success: dataAnswer(z.object({ heartbeats: z.array(Heartbeat) }), { heartbeats: [heartbeat] }),
  },
  'create-heartbeat': {
    description: 'It expires for the first time one interval after it was enabled or pinged (H1, H3).',
    body: { schema: CreateHeartbeatBody, example: { ...written, ownerTeam: { name: 'Database' } } },
    success: createdAnswer(Heartbeat, heartbeat),
    refusals: [404, 409],
  },
  'get-heartbeat': {
    path,
    success: dataAnswer(Heartbeat, heartbeat),
    refusals: [404],
  },
  'update-heartbeat': {
    description:
      'What the body leaves out stays as it is. A new interval begins anew (H2). The name can not be changed.',
    path,
    body: { schema: UpdateHeartbeatBody, example: { interval: 2, intervalUnit: 'days' } },
    success: writeOf('Updated', status),
    refusals: [404],
  },
  'delete-heartbeat': {
    description: 'Its open alert is closed (H4).',
    path,
    success: doneAnswer('Deleted'),
    refusals: [404],
  },
  'enable-heartbeat': {
    description: 'The interval begins now (H3).',
    path,
    success: writeOf('Enabled', status),
    refusals: [404],
  },
  'disable-heartbeat': {
    description: 'It expires no more, and its open alert is closed (H4).',
    path,
    success: writeOf('Disabled', { ...status, enabled: false }),
    refusals: [404],
  },
});
