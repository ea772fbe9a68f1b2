import { describe, expect, it } from '@jest/globals';
import { sampleUser } from '../testing/stored-samples.ts';
import { subscription, withDevice } from './device.ts';

describe('a device', () => {
  it('is the last contact of its user, who has two at most; a deleted one makes room', () => {
    const ada = sampleUser('ada');
    const device = { id: 'd1', name: 'Phone', topic: 'topic-1' };
    const one = withDevice(ada, device);
    expect(one?.contacts).toEqual([
      ...ada.contacts,
      { id: 'd1', method: 'mobile', to: 'topic-1', enabled: true, device: { name: 'Phone', verified: false } },
    ]);
    const two = withDevice(one ?? ada, { ...device, id: 'd2', topic: 'topic-2' });
    expect(withDevice(two ?? ada, { ...device, id: 'd3', topic: 'topic-3' })).toBeUndefined();
  });

  it.each([
    ['https://push.example.com', 'https://push.example.com/t', 'ntfy://push.example.com/t'],
    ['https://push.example.com/', 'https://push.example.com/t', 'ntfy://push.example.com/t'],
    ['http://10.0.0.1:8080', 'http://10.0.0.1:8080/t', 'ntfy://10.0.0.1:8080/t?secure=false'],
  ])('subscribes at %s to its topic', (pushUrl, url, qrText) => {
    expect(subscription(pushUrl, 't')).toEqual({ url, qrText });
  });
});
