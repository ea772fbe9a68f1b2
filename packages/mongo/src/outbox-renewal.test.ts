import { afterEach, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { eventually } from '@tocsin/testkit';
import { OutboxRenewal, type OutboxRenewalOptions, type RenewedRelay } from './outbox-renewal.ts';

let renewal: OutboxRenewal<string> | undefined;

afterEach(async () => {
  await renewal?.stop();
});

/** The relay of a topic that looks once when its lease is taken, and is at rest from then on. */
class RelayDouble implements RenewedRelay<string> {
  readonly topic: string;
  readonly lease: string;
  looks = 0;

  constructor(topic: string) {
    this.topic = topic;
    this.lease = topic;
  }

  get relay(): RenewedRelay<string>['relay'] {
    return {
      wantsLease: true,
      takesOnlyFreeLease: false,
      isAtRest: this.looks > 0,
      beginRenewal: () => undefined,
      onLeaseTaken: () => undefined,
      look: () => void (this.looks += 1),
    };
  }
}

function started(options: Partial<OutboxRenewalOptions<string>>): void {
  renewal = new OutboxRenewal({
    relays: [],
    take: () => Promise.resolve([]),
    hasRow: () => Promise.resolve(false),
    logger: { warn: () => undefined, error: () => undefined },
    everyMs: 1,
    ...options,
  });
  renewal.start();
}

describe('The renewal of the leases of an outbox', () => {
  it('takes the leases of all topics together, and lets no relay look again while there is no row', async () => {
    const relays = ['one', 'two'].map((topic) => new RelayDouble(topic));
    const taken: string[][] = [];
    const take: OutboxRenewalOptions<string>['take'] = (wanted) => {
      taken.push(wanted.map(({ lease }) => lease));
      return Promise.resolve([]);
    };
    started({ relays, take });
    await eventually(() => {
      expect(taken.length).toBeGreaterThan(5);
    });
    expect(taken[0]).toEqual(['one', 'two']);
    expect(relays.map(({ looks }) => looks)).toEqual([1, 1]);
  });

  it('lets every relay at rest look where there is a row', async () => {
    const relays = ['one', 'two'].map((topic) => new RelayDouble(topic));
    started({ relays, hasRow: (topics) => Promise.resolve(topics.length === 2) });
    await eventually(() => {
      for (const { looks } of relays) expect(looks).toBeGreaterThan(1);
    });
  });

  it('is not delayed by a search for rows that the database does not answer', async () => {
    let renewals = 0;
    const answer = Promise.withResolvers<boolean>();
    const take = () => {
      renewals += 1;
      return Promise.resolve([]);
    };
    started({ relays: [new RelayDouble('one')], take, hasRow: () => answer.promise });
    await eventually(() => {
      expect(renewals).toBeGreaterThan(5);
    });
    answer.resolve(false);
  });

  it('goes on after a renewal and a search that fail', async () => {
    const relays = [new RelayDouble('one')];
    let [renewals, searches] = [0, 0];
    const take = () => {
      renewals += 1;
      return renewals === 1 ? Promise.reject(new UnavailableError('MongoDB is unavailable.')) : Promise.resolve([]);
    };
    const hasRow = () => {
      searches += 1;
      return searches === 1 ? Promise.reject(new UnavailableError('MongoDB is unavailable.')) : Promise.resolve(true);
    };
    started({ relays, take, hasRow });
    await eventually(() => {
      expect(relays[0]?.looks).toBeGreaterThan(1);
    });
  });
});
