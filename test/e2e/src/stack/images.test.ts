import { describe, expect, it } from '@jest/globals';
import { imagesOf } from './images.ts';

describe('images', () => {
  it('are public ones, and those of services the ones that were built here, where the environment names none', () => {
    const images = imagesOf({ E2E_KAFKA_IMAGE: '' });
    expect(images.kafka).toMatch(/^apache\/kafka:\d/);
    expect(images.mongo).toMatch(/^mongo:\d/);
    expect(images.prometheus).toMatch(/^prom\/prometheus:v\d/);
    expect(images.of('gateway')).toBe('tocsin-gateway:dev');
  });

  it('are those that the environment names', () => {
    const images = imagesOf({
      E2E_KAFKA_IMAGE: 'local/kafka',
      E2E_IMAGE_PREFIX: 'registry.example.com/tocsin/',
      E2E_IMAGE_TAG: '1.2.3',
    });
    expect(images.kafka).toBe('local/kafka');
    expect(images.of('notifier')).toBe('registry.example.com/tocsin/notifier:1.2.3');
  });
});
