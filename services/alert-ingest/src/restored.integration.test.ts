import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/core';
import { Integrations, type IntegrationState } from '@tocsin/events';
import type { ReplicaView } from '@tocsin/kafka';
import { composeService } from '@tocsin/service';
import { RestorableService } from '@tocsin/service/testing';
import { eventually } from '@tocsin/testkit';
import { compose } from './compose.ts';
import { Config } from './config.ts';

let service: RestorableService;
let integrations: ReplicaView<IntegrationState>;

beforeAll(async () => {
  service = await RestorableService.open('alert-ingest', { BOOTSTRAP_API_KEY: randomUUID() }, (environment) =>
    composeService({ name: 'alert-ingest', config: Config.parse(environment), compose, clock: systemClock }),
  );
  integrations = service.follow(Integrations);
  await service.start();
});

afterAll(() => service.end());

describe('a database that is restored while the topic holds what came after the backup', () => {
  it('is what every service knows after the start: its integrations as they are, and no others', async () => {
    const own = await eventually(() => {
      const found = [...integrations.all()];
      if (found.length === 0) throw new Error('The default integrations are not published yet.');
      return found;
    });
    await service.stop();
    const version = { epoch: Date.now(), n: 9 };
    const later = (state: IntegrationState) => ({ id: state.id, version, deleted: false as const, state });
    const states = own.map((state) => later({ ...state, enabled: !state.enabled }));
    await service.publisher.publish(Integrations, [
      ...states,
      ...own.map((state) => later({ ...state, id: `${state.id}-later` })),
    ]);
    await eventually(() => {
      expect([...integrations.all()]).toHaveLength(2 * own.length);
    });
    await service.start();
    await eventually(() => {
      expect([...integrations.all()]).toEqual(own);
    });
  });
});
