import { describe, expect, it } from '@jest/globals';
import type { ServiceContext } from '@tocsin/service';
import type { UserDelivery, PageDelivery } from './delivery.ts';
import { traceHandOver } from './operations.ts';

const TRACE = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
type Options = Parameters<ServiceContext['tracer']['begin']>[1];

function begun(delivery: UserDelivery): readonly (readonly [string, Options])[] {
  const spans: (readonly [string, Options])[] = [];
  const begin = (name: string, options: Options) => {
    spans.push([name, options]);
    return undefined;
  };
  traceHandOver({ begin } as ServiceContext['tracer'], delivery);
  return spans;
}

const deliveryOf = (page: object, dueAt: string) =>
  ({
    deliveryId: 'd1',
    method: 'email',
    to: 'ada@example.com',
    attempts: 1,
    dueAt: new Date(dueAt),
    page: {
      pageId: 'p1',
      alertId: 'a1',
      pagedAt: '2026-01-01T00:00:00.000Z',
      alert: { message: 'Disk full' },
      ...page,
    },
  }) as unknown as PageDelivery;

describe('the hand-over of a message', () => {
  it('is in the trace of its page where both are due together, and has no text of it', () => {
    const [span] = begun(deliveryOf({ trace: TRACE }, '2026-01-01T00:00:00.000Z'));
    expect(span).toMatchObject(['hand over email', { kind: 'client', parent: TRACE }]);
    expect(JSON.stringify(span)).not.toMatch(/Disk full|ada/);
  });

  it('is linked to the trace of its page where it was due later', () => {
    const [span] = begun(deliveryOf({ trace: TRACE }, '2026-01-01T00:05:00.000Z'));
    expect(span?.[1].links).toEqual([TRACE]);
    expect(span?.[1].parent).toBeUndefined();
  });

  it('is not traced where its page is not', () => {
    expect(begun(deliveryOf({}, '2026-01-01T00:00:00.000Z'))).toEqual([]);
  });
});
